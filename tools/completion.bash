# bash completion for regard: offers what `regard --help` and `regard VERB --help` list.

# Models, by file and by name, and folders that may have some; any file where there is neither.
_regard_models()
{
    local names
    names=$("$program" models 2>/dev/null | sed 's/ .*//')
    mapfile -t COMPREPLY < <(compgen -f -X '!*.safetensors' -- "$1"; compgen -d -- "$1"; compgen -W "$names" -- "$1")
    compopt -o filenames -o default
}

# One file, or behind a comma the second of two.
_regard_pairs()
{
    [[ $1 == *,* ]] && mapfile -t COMPREPLY < <(compgen -P "${1%,*}," -f -- "${1##*,}")
    compopt -o default
}

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
            operands+=" ${BASH_REMATCH[1]}"
        fi
    done < <("$program" "$verb" --help 2>/dev/null)

    if [[ ${option%=} =~ ^--(model|reverse|init)$ && $value =~ ^(FILE|MODEL)$ ]]; then
        _regard_models "$current"
    elif [[ $value == PAIRS ]]; then
        _regard_pairs "$current"
    elif [[ $value =~ ^(FILE|FOLDER|MODEL|PAIRS|PATH)([.]|$) ]]; then
        compopt -o default
    elif [[ $value == 'FILE|'* ]]; then
        COMPREPLY=($(compgen -W "${value//|/ }" -X FILE -- "$current"))
        compopt -o default
    elif [[ $value == *'|'* ]]; then
        COMPREPLY=($(compgen -W "${value//|/ }" -- "$current"))
    elif [[ $value ]]; then
        return
    elif [[ $operands != only* && ($current == -* || ! $operands) ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$current"))
    elif [[ $operands == *' MODEL' ]]; then
        _regard_models "$current"
    elif [[ $operands == *' PAIRS' ]]; then
        _regard_pairs "$current"
    elif [[ $operands == *' '* ]]; then
        compopt -o default
    fi
}
complete -F _regard regard
