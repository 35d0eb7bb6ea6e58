# What the tests in shell share, sourced from the top of the tree: a folder of their own, which is removed at the end, and
# checks. The first that fails ends the test.
# shellcheck shell=sh
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
checks=0

# fail WHAT: with the last lines of $folder/said, where tests keep what a tool says
fail()
{
    echo "$(basename "$0" .sh): $*" >&2
    [ ! -s "$folder/said" ] || tail -n 20 "$folder/said" >&2
    exit 1
}

# equal WHAT FOUND EXPECTED
equal()
{
    [ "$2" = "$3" ] || fail "$1: found '$2', expected '$3'"
    checks=$((checks + 1))
}

# same NAME FILE FILE: the files have the same bytes
same()
{
    cmp -s "$2" "$3" || { diff -a "$2" "$3" | head -n 10 >&2; fail "$1"; }
    checks=$((checks + 1))
}

# holds FILE PATTERN
holds()
{
    grep -q -- "$2" "$1" || fail "no \"$2\" in $1: $(cat "$1")"
    checks=$((checks + 1))
}

# The last line, as Check's (tests/run).
summary()
{
    echo "100%: Checks: $checks, Failures: 0, Errors: 0"
}
