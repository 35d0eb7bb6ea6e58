# bash completion for regard: offers what `regard --help` and `regard VERB --help` list.

_regard()
{
    local program=${COMP_WORDS[0]/#\~/$HOME} verb=${COMP_WORDS[1]} current=${COMP_WORDS[COMP_CWORD]}
    local option=${COMP_WORDS[COMP_CWORD - 1]} words='' value='' operands='' line i
    COMPREPLY=()
    if ((COMP_CWORD == 1)) || [[ $COMP_CWORD == 2 && $verb == help ]]; then
        words=$("$program" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p')
        ((COMP_CWORD == 1)) && words+=' help --help --version'
        COMPREPLY=($(compgen -W "$words" -- "$current"))
        return
    fi

    # bash takes "=" for a word of its own
    if [[ $current == '=' ]]; then
        option+== current=''
    elif [[ $option == '=' ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}=
    fi
    # behind "--" all are operands
    for ((i = 2; i < COMP_CWORD; i++)); do
        [[ ${COMP_WORDS[i]} != '--' ]] || operands=only option=''
    done
    # lines such as "  -o, --output FILE  …", "  --format a|b|c", "  --alignment[=a|b|c]", "  PAIRS  …"
    while IFS= read -r line; do
        if [[ $line =~ ^'  '(-[a-z], )?(--[a-z0-9-]+)(' '|'[=')?([^ ]*) ]]; then
            words+=" ${BASH_REMATCH[2]}"
            [[ ${BASH_REMATCH[3]} == ' ' && ${BASH_REMATCH[2]} == "$option" || ${BASH_REMATCH[2]}= == "$option" ]] &&
                value=${BASH_REMATCH[4]%]}
        elif [[ $line =~ ^'  '(FILE|FOLDER|MODEL|PAIRS|PATH)([. ]|$) ]]; then
            operands+=files
        fi
    done < <("$program" "$verb" --help 2>/dev/null)

    if [[ $value =~ ^(FILE|FOLDER|MODEL|PAIRS|PATH)([.]|$) ]]; then
        compopt -o default
    elif [[ $value == *'|'* ]]; then
        COMPREPLY=($(compgen -W "${value//|/ }" -- "$current"))
    elif [[ $value ]]; then
        return
    elif [[ $operands != only* && ($current == -* || ! $operands) ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$current"))
    elif [[ $operands == *files ]]; then
        compopt -o default
    fi
}
complete -F _regard regard
