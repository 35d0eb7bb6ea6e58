#!/bin/sh
# The manual's pages and the completions against what `regard VERB --help` says, and in the programs that read them.
# Its argument is the folder of the build. What is not installed is left out.
# shellcheck disable=SC1003,SC2012,SC2086,SC2116,SC3044 # roff's backslashes, lists of words, and bash and zsh in strings
set -eu
build=${1:-build/release}
pages=$build/share/man/man1
bash_completion=$build/share/bash-completion/completions/regard
zsh_completion=$build/share/zsh/site-functions/_regard
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
checks=0

fail()
{
    echo "test_manual: $*" >&2
    exit 1
}

# same NAME FILE FILE: the files have the same bytes
same()
{
    cmp -s "$2" "$3" || { diff -a "$2" "$3" | head -n 10 >&2; fail "$1"; }
    checks=$((checks + 1))
}

# nothing NAME FILE: no complaint stands in it
nothing()
{
    [ ! -s "$2" ] || { head -n 10 "$2" >&2; fail "$1"; }
    checks=$((checks + 1))
}

# a verb's help, without the letters that some options have: "-o, --output FILE"
help_of()
{
    "$build/regard" "$1" --help | sed 's/^  -[a-z], --/  --/'
}

# the names of the options in a verb's help
options()
{
    help_of "$1" | sed -n 's/^  --\([a-z0-9-]*\).*/--\1/p'
}

# the values of a verb's options, a line each: "--format pharaoh soft heatmap", "--model FILE", and with "=" behind the
# name what cannot stand in the next word
values()
{
    help_of "$1" | sed -n -e 's/^  \(--[a-z0-9-]*\) \([^ ]*\).*/\1 \2/p' \
        -e 's/^  \(--[a-z0-9-]*\)\[=\([^]]*\)\].*/\1= \2/p' | grep '[^ ] [^ ]' | tr '|' ' ' || true
}

verbs=$("$build/regard" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
[ -n "$verbs" ] || fail "no verb in regard --help"

{
    echo regard.1
    for verb in $verbs; do echo "regard-$verb.1"; done
} | LC_ALL=C sort >"$folder/expected"
ls "$pages" | LC_ALL=C sort >"$folder/found"
same "the pages" "$folder/expected" "$folder/found"

for verb in $verbs; do
    page=$pages/regard-$verb.1
    options "$verb" | sort >"$folder/expected"
    sed -n '/^\.SH OPTIONS/,$s/^\.B[IR]* \(\\-[a-z] ", " \)\{0,1\}\(\\-\\-[a-z0-9\-]*\).*/\2/p' "$page" | tr -d '\\' | sort >"$folder/found"
    same "the options in $page" "$folder/expected" "$folder/found"
    for section in NAME SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' EXAMPLES 'SEE ALSO'; do
        grep -q "^\.SH $section\$" "$page" || fail "$page: no $section"
    done
    sed -n "/^    $verb)\$/,/;;/s/^ *'\*\{0,1\}\(--[a-z0-9-]*\).*/\1/p" "$zsh_completion" | sort >"$folder/found"
    same "the options of $verb in $zsh_completion" "$folder/expected" "$folder/found"
    # defaults in the words of the help, where roff needs no escapes for them but that of "-"
    "$build/regard" "$verb" --help | tr -s '\n ' '  ' | LC_ALL=C grep -o '\[[A-Za-z0-9 ,.%-]*\] --' |
        sed 's/ --$//' >"$folder/defaults"
    tr -s '\n' ' ' <"$page" | sed 's/\\&//g' | tr -d '\\' >"$folder/text"
    while read -r default; do
        grep -qF -e "$default" "$folder/text" || fail "$page: $default is missing"
    done <"$folder/defaults"
done

if command -v groff >/dev/null; then
    for page in "$pages"/*.1; do groff -man -ww -z -Tutf8 "$page"; done >"$folder/log" 2>&1
    nothing "groff's warnings" "$folder/log"
fi
if command -v mandoc >/dev/null; then
    # a date is what the pages must not have
    mandoc -T lint -W warning "$pages"/*.1 2>&1 | grep -v 'missing date' >"$folder/log" || true
    nothing "mandoc's warnings" "$folder/log"
fi

# complete WORD...: what bash offers for the last of the words that stand behind "regard"
cat >"$folder/complete" <<'END'
compopt() { COMPREPLY+=("compopt $*"); }
. "$COMPLETION"
[[ $(complete -p regard) == *'-F _regard regard' ]] || exit 1
COMP_WORDS=(regard "$@") COMP_CWORD=$#
_regard
[[ ${#COMPREPLY[@]} == 0 ]] || printf '%s\n' "${COMPREPLY[@]}"
END
complete()
{
    COMPLETION=$bash_completion bash --norc --noprofile "$folder/complete" "$@" >"$folder/found" || fail "bash: $*"
}

# offers EXPECTED WORD...: words of EXPECTED, one or none, are what bash offers
offers()
{
    printf '%s' "$1" | tr -s ' ' '\n' | sed '$a\' >"$folder/expected"
    shift
    complete "$@"
    same "bash: regard $*" "$folder/expected" "$folder/found"
}

# the same for files, which bash finds itself when it is told to
offers_files()
{
    echo 'compopt -o default' >"$folder/expected"
    complete "$@"
    same "bash: files for regard $*" "$folder/expected" "$folder/found"
}

# the options of each verb, and what follows each option that takes a value
complete_verb()
{
    offers "$(options "$1" | tr '\n' ' ')" "$1" --
    offers --help "$1" --hel
    complete "$1" -- --
    ! grep -q '^--' "$folder/found" || fail "bash: regard $1 -- -- offers options"
    values "$1" >"$folder/values"
    while read -r option value; do
        case $value in
        FILE | FILE.* | FOLDER | MODEL | PAIRS | PATH)
            [ "${option%=}" != "$option" ] || offers_files "$1" "$option" x
            offers_files "$1" "${option%=}" = x
            ;;
        [A-Z]*) offers '' "$1" "${option%=}" = ;;
        *)
            [ "${option%=}" != "$option" ] || offers "$value" "$1" "$option" ''
            offers "$value" "$1" "${option%=}" =
            offers "${value%% *}" "$1" "${option%=}" = "${value%% *}"
            ;;
        esac
    done <"$folder/values"
}

if command -v bash >/dev/null; then
    verb_list=$(echo $verbs)
    offers "$verb_list help --help --version" ''
    offers "--help --version" --
    offers "$verb_list" help ''
    offers '' nonsense ''
    for verb in $verbs; do complete_verb "$verb"; done
fi
if command -v zsh >/dev/null; then
    zsh -fn "$zsh_completion" 2>"$folder/log" || fail "zsh does not read $zsh_completion"
    nothing "zsh's warnings" "$folder/log"
fi
echo "100%: Checks: $checks, Failures: 0, Errors: 0"
