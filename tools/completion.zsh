#compdef regard
# zsh completion for regard: offers what `regard --help` and `regard VERB --help` list.

# One file, or behind a comma the second of two.
_regard_pairs()
{
    compset -P '*,'
    _files
}

# A model, by name or by file.
_regard_models()
{
    compadd -- ${(f)"$($program models 2>/dev/null | sed 's/ .*//')"}
    _files -g "*.safetensors"
}

# A file, or one of some words.
_regard_file_or()
{
    compadd -- "$@"
    _files
}

_regard()
{
    local program=${~words[1]} verb=$words[2]
    local -a verbs specifications
    verbs=(${(f)"$($program --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  *\(.*\)/\1:\2/p')"} 'help:explain a verb')
    if ((CURRENT == 2)); then
        _describe -t verbs verb verbs
        _arguments '--help[list the verbs]' '--version[print the version]'
        return
    fi
    shift words
    ((CURRENT--))
    if [[ $verb == help ]]; then
        ((CURRENT == 2)) && _describe -t verbs verb verbs
        return
    fi
    # each entry of the help as _arguments reads it: "--beam=[hypotheses …]:N: ", "::MODEL:_files"
    specifications=(${(f)"$($program $verb --help 2>/dev/null | awk '
        function escaped(text, special) { gsub(special, "\\\\&", text); return text }
        function finder(value) {
            if (value == "MODEL" || (value == "FILE" && name ~ /^--(model|reverse|init)$/)) return "_regard_models"
            if (value == "PAIRS") return "_regard_pairs"
            return value ~ /^(FILE|FOLDER|MODEL|PATH)([.]|$)/ ? "_files" : " "
        }
        function values(value) {
            if (sub(/^FILE\|/, "", value)) { gsub(/\|/, " ", value); return ":" substr(name, 3) ": _regard_file_or " value }
            if (value ~ /\|/) { gsub(/\|/, " ", value); return ":" substr(name, 3) ":(" value ")" }
            return ":" escaped(value, "[:\\\\]") ":" finder(value)
        }
        function print_entry(    spelling, value, repeated) {
            spelling = entry
            entry = ""
            sub(/^-[a-z], /, "", spelling)
            match(spelling, /^[A-Za-z0-9-]*/)
            name = substr(spelling, 1, RLENGTH)
            value = substr(spelling, RLENGTH + 1)
            if (name !~ /^--/) {
                print (operands ~ /\.\.\./ ? "*" : operands ~ /\[/ ? ":" : "") values(name)
                return
            }
            repeated = sub(/ \(repeatable\)/, "", text) ? "*" : ""
            sub(/ \[[^]]*\]$/, "", text)
            text = "[" escaped(text, "[]\\\\]") "]"
            if (value ~ /^\[=/) print repeated name "=-" text ":" values(substr(value, 3, length(value) - 3))
            else if (value != "") print repeated name "=" text values(substr(value, 2))
            else print repeated name text
        }
        /^Usage:/ { operands = $0; sub(/.*\[options\]/, "", operands) }
        /^Examples/ { exit }
        /^  [^ ]/ {
            if (entry) print_entry()
            text = entry = substr($0, 3)
            sub(/  .*/, "", entry)
            sub(/.*[^ ]  +/, "", text)
            if (text == entry) text = ""
            next
        }
        /^   / { sub(/^ */, ""); text = text (text == "" ? "" : " ") $0; next }
        entry { print_entry() }
        END { if (entry) print_entry() }')"})
    _arguments -S $specifications
}

_regard "$@"
