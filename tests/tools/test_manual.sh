#!/bin/sh
# The manual's pages and the completions against what `regard VERB --help` says, and in the programs that read them.
# Its argument is the folder of the build. What is not installed is left out.
# shellcheck disable=SC1003,SC2012,SC2086,SC2116,SC3044 # roff's backslashes, lists of words, and bash and zsh in strings
set -eu
. tests/support/checks.sh
build=${1:-build/release}
program=$(realpath "$build/regard")
pages=$build/share/man/man1
bash_completion=$(realpath "$build/share/bash-completion/completions/regard")
zsh_completion=$(realpath "$build/share/zsh/site-functions/_regard")
# no models but those made here are found by name
export HOME=$folder REGARD_MODELS=$folder/named
unset XDG_DATA_HOME

# nothing NAME FILE: no complaint stands in it
nothing()
{
    [ ! -s "$2" ] || { head -n 10 "$2" >&2; fail "$1"; }
    checks=$((checks + 1))
}

# a verb's help, without the letters that some options have: "-o, --output FILE"
help_of()
{
    "$program" "$1" --help | sed 's/^  -[a-z], --/  --/'
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

verbs=$("$program" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
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
    sed -n '/^\.SH OPTIONS/,$s/^\(\\fB\\-[a-z]\\fR, \)\{0,1\}\\fB\(\\-\\-[a-z0-9\-]*\)\\fR.*/\2/p' "$page" | tr -d '\\' | sort >"$folder/found"
    same "the options in $page" "$folder/expected" "$folder/found"
    for section in NAME SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' EXAMPLES 'SEE ALSO'; do
        grep -q "^\.SH $section\$" "$page" || fail "$page: no $section"
    done
    # defaults in the words of the help, where roff needs no escapes for them but that of "-"
    "$program" "$verb" --help | tr -s '\n ' '  ' | LC_ALL=C grep -o '\[[A-Za-z0-9 ,.%-]*\] --' |
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
COMP_WORDS=("$REGARD" "$@") COMP_CWORD=$#
_regard
[[ ${#COMPREPLY[@]} == 0 ]] || printf '%s\n' "${COMPREPLY[@]}"
END
complete()
{
    REGARD=$program COMPLETION=$bash_completion bash --norc --noprofile "$folder/complete" "$@" >"$folder/found" || fail "bash: $*"
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

# the same for models, of which none begins with what has been typed
offers_models()
{
    echo 'compopt -o filenames -o default' >"$folder/expected"
    complete "$@"
    same "bash: models for regard $*" "$folder/expected" "$folder/found"
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
        case ${option%=}=$value in
        --model=FILE | --reverse=FILE | --init=MODEL)
            offers_models "$1" "${option%=}" =x
            offers_models "$1" "${option%=}" = x
            continue
            ;;
        esac
        case $value in
        'FILE '*)
            printf '%s\n' ${value#FILE } 'compopt -o default' >"$folder/expected"
            complete "$1" "$option" ''
            same "bash: files or words for regard $1 $option" "$folder/expected" "$folder/found"
            ;;
        FILE | FILE.* | FOLDER | MODEL | PAIRS | PATH)
            [ "${option%=}" != "$option" ] || offers_files "$1" "$option" x
            offers_files "$1" "${option%=}" = x
            ;;
        [A-Z]*) offers '' "$1" "${option%=}" = ;;
        *)
            [ "${option%=}" != "$option" ] || offers "$value" "$1" "$option" ''
            offers "$value" "$1" "${option%=}" =
            # the first word, and what else begins with it
            offers "$(printf '%s\n' $value | grep "^${value%% *}")" "$1" "${option%=}" = "${value%% *}"
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

    # in a folder with files
    mkdir "$folder/files" "$folder/files/older"
    touch "$folder/files/en-fr.safetensors" "$folder/files/test.en" "$folder/files/test.fr" "$folder/files/test a.fr"
    (
        cd "$folder/files"
        for words in 'translate --model' 'align --reverse' 'train --init' 'info' 'quantize'; do
            printf '%s\n' en-fr.safetensors older 'compopt -o filenames -o default' >"$folder/expected"
            complete $words ''
            same "bash: models for regard $words" "$folder/expected" "$folder/found"
        done
        for words in 'train --train' 'train --valid' 'evaluate' 'score --model en-fr.safetensors'; do
            printf '%s\n' 'test.en,test a.fr' test.en,test.en test.en,test.fr 'compopt -o default' | sort >"$folder/expected"
            complete $words test.en,te
            sort -o "$folder/found" "$folder/found"
            same "bash: the second file for regard $words" "$folder/expected" "$folder/found"
            offers_files $words te
        done
    )
    checks=$((checks + 13))

    # by name
    mkdir "$folder/named"
    touch "$folder/named/en-xx.safetensors" "$folder/named/xx-en.safetensors"
    printf '%s\n' xx-en 'compopt -o filenames -o default' >"$folder/expected"
    complete translate --model x
    same "bash: names of models" "$folder/expected" "$folder/found"
    rm -r "$folder/named"
fi

# zsh_offers EXPECTED WORD...: what the completion hands to _arguments, a line each, holds EXPECTED
cat >"$folder/complete.zsh" <<'END'
_describe() { print -r -l -- ${(P)4}; }
_arguments() { print -r -l -- "$@"; }
words=("$@") CURRENT=$#
. "$COMPLETION"
END
zsh_complete()
{
    COMPLETION=$zsh_completion zsh -f "$folder/complete.zsh" "$program" "$@" >"$folder/found" 2>"$folder/log" || fail "zsh: $*"
    nothing "zsh's warnings" "$folder/log"
}
zsh_offers()
{
    expected=$1
    shift
    zsh_complete "$@"
    grep -qxF -e "$expected" "$folder/found" || { cat "$folder/found" >&2; fail "zsh: no \"$expected\" for regard $*"; }
    checks=$((checks + 1))
}

if command -v zsh >/dev/null; then
    zsh_offers 'info:show what is in a model file, and how this program computes' ''
    zsh_offers 'help:explain a verb' help ''
    zsh_offers '::MODEL:_regard_models' info ''
    zsh_offers '::PAIRS:_regard_pairs' evaluate ''
    zsh_complete train ''
    grep -q '^\*\{0,1\}--guide=.*:guide: _regard_file_or auto none$' "$folder/found" || fail "zsh: --guide"
    for verb in $verbs; do
        zsh_complete "$verb" ''
        options "$verb" | sort >"$folder/expected"
        sed -n 's/^\*\{0,1\}\(--[a-z0-9-]*\).*/\1/p' "$folder/found" | sort >"$folder/options"
        same "zsh: the options of $verb" "$folder/expected" "$folder/options"
    done
fi

# Texts with every character that roff or a shell takes for its own, and options of every kind.
cat >"$folder/nasty" <<'END'
#!/bin/sh
case "$*" in
--version) echo 'regard 1.2' ;;
--help) printf '%s\n' 'Usage: regard VERB' '' 'Verbs' "  nasty      .'tis: a \"quoted\" summary" '  bare       nothing' ;;
'bare --help') printf '%s\n' 'Usage: regard bare [options] WORD' '' 'nothing' '' '  WORD    a word' '' '  --help  show this' ;;
*) cat <<'HELP' ;;
Usage: regard nasty --texts A:B [options] [PAIRS...]

First.

'Second' is two lines
long. Is it?

  PAIRS                       .what

  --a-flag                    .it's \fBno\fR request, and [a] bracket

Values "in quotes"
  -s, --size N                'tis a ratio 1:2; x-y 1-2 -z `q` [3]
  --real P                    a^b, ~c [0.5]
  --text[=FILE.x]             a file. Two sentences
  --texts A:B                 several (repeatable) [required]
  --choice one|two-b|three    one of them [two-b]
  --kind[=one|two-b|three]
                              the same [one]

  --help                      show this

Examples
  Do it:
    regard nasty --a-flag 'x' | less
HELP
esac
END
chmod +x "$folder/nasty"
tools/manual "$folder/nasty" nasty >"$folder/page"
while IFS= read -r expected; do
    grep -qxF -e "$expected" "$folder/page" || { cat "$folder/page" >&2; fail "the nasty page lacks: $expected"; }
    checks=$((checks + 1))
done <<'END'
.TH REGARD\-NASTY 1 "" "Regard 1.2" "Regard"
regard\-nasty \- \&.\(aqtis: a \(dqquoted\(dq summary
\fBregard\fR \fBnasty\fR \fB\-\-texts\fR \fIA\fR:\fIB\fR [\fIoptions\fR] [\fIPAIRS\fR...]
\(aqSecond\(aq is two lines long.
Is it?
\fIPAIRS\fR
\&.what
\fB\-\-a\-flag\fR
\&.it\(aqs \(rsfBno\(rsfR request, and [a] bracket
.SS Values \(dqin quotes\(dq
\fB\-s\fR, \fB\-\-size\fR \fIN\fR
\(aqtis a ratio 1:2; x-y 1\-2 \-z \(gaq\(ga [3]
a\(hab, \(tic [0.5]
\fB\-\-text\fR[=\fIFILE.x\fR]
several (repeatable) [required]
\fB\-\-choice\fR \fBone\fR|\fBtwo\-b\fR|\fBthree\fR
\fB\-\-kind\fR[=\fBone\fR|\fBtwo\-b\fR|\fBthree\fR]
the same [one]
.SS Help
regard nasty \-\-a\-flag \(aqx\(aq | less
.BR regard (1) ,
.BR regard\-bare (1)
END
program=$folder/nasty
if command -v bash >/dev/null; then
    offers '--a-flag --size --real --text --texts --choice --kind --help' nasty -
    offers '' nasty --size ''
    offers_files nasty --text = ''
    offers 'one two-b three' nasty --choice ''
    offers 'two-b three' nasty --kind = t
    offers_files nasty ''
    offers --help bare ''
fi
if command -v zsh >/dev/null; then
    zsh_offers "nasty:.'tis: a \"quoted\" summary" ''
    while IFS= read -r expected; do zsh_offers "$expected" nasty ''; done <<'END'
--a-flag[.it's \\fBno\\fR request, and [a\] bracket]
--size=['tis a ratio 1:2; x-y 1-2 -z `q`]:N: 
--text=-[a file. Two sentences]::FILE.x:_files
*--texts=[several]:A\:B: 
--choice=[one of them]:choice:(one two-b three)
--kind=-[the same]::kind:(one two-b three)
*:PAIRS:_regard_pairs
END
    zsh_offers ':WORD: ' bare ''
fi
if LC_ALL=C grep -n '[^ -~]' "$pages"/*.1 >"$folder/log"; then nothing 'not ASCII' "$folder/log"; fi
summary
