#!/bin/sh
# Installs into a temporary folder, compiles against what is there alone, through pkg-config, and uses it.
# `make check` runs it among the tests; it has built what is installed.
# shellcheck disable=SC2046,SC2086 # lists of words
set -eu
. tests/support/checks.sh
export OPENBLAS_NUM_THREADS=1
make=${MAKE:-make}
cc=${CC:-cc}
prefix=$folder/prefix

files()
{
    (cd "$1" && find . ! -type d | LC_ALL=C sort)
}

$make -s install PREFIX="$prefix" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; fail "make install"; }
{
    cat <<END
./bin/regard
./include/regard.h
./lib/libregard.a
./lib/libregard.so
./lib/libregard.so.0
./lib/pkgconfig/regard.pc
./lib/systemd/system/regard.service
./share/bash-completion/completions/regard
./share/man/man1/regard.1
./share/regard/tools/seeds
./share/zsh/site-functions/_regard
END
    for verb in $("$prefix/bin/regard" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
        echo "./share/man/man1/regard-$verb.1"
    done
    # the module for MPI, where there is an MPI library
    $make -s print-MODULE | sed -n 's|.|./lib/regard/&|p'
    git ls-files 'models/*.safetensors' 2>/dev/null |
        sed 's|^\(.*\)\.safetensors|./share/regard/\1.safetensors\n./share/regard/\1.everyday.tsv\n./share/regard/\1.everyday-test.tsv|'
    find README.md LICENSE SECURITY.md docs examples -type f | sed 's|^|./share/doc/regard/|'
} | LC_ALL=C sort >"$folder/expected"
files "$prefix" >"$folder/files"
same "what is installed" "$folder/expected" "$folder/files"

# what is exported is what debian/libregard0.symbols lists, and declared in the header: a function that goes or changes its
# meaning needs another SOVERSION
sed -n 's/^ \(.*\)@Base .*/\1/p' debian/libregard0.symbols >"$folder/symbols"
grep -o '\bregard_[a-z_]*(' include/regard.h | tr -d '(' | LC_ALL=C sort -u >"$folder/declared"
same "the functions of regard.h" "$folder/symbols" "$folder/declared"
nm -D --defined-only "$prefix/lib/libregard.so.0" | awk '{print $3}' | LC_ALL=C sort >"$folder/shared"
nm -g --defined-only "$prefix/lib/libregard.a" | awk 'NF == 3 {print $3}' | LC_ALL=C sort >"$folder/static"
same "symbols of the shared library" "$folder/declared" "$folder/shared"
same "symbols of the static library" "$folder/declared" "$folder/static"
readelf -d "$prefix/lib/libregard.so.0" | grep -q 'SONAME.*\[libregard.so.0\]' || fail "the soname"

export PKG_CONFIG_PATH="$prefix/lib/pkgconfig" LD_LIBRARY_PATH="$prefix/lib"
version=$("$prefix/bin/regard" --version | grep -o '[0-9][0-9.]*' | head -n 1)
[ "$(pkg-config --modversion regard)" = "$version" ] || fail "the version in regard.pc"

# a tiny model; as random as its translations are, they must be the same ones
{
    printf 'The cat sleeps.\tLe chat dort.\nThe dog sleeps.\tLe chien dort.\n'
    head -n 200 data/en-fr/train.tsv
} >"$folder/train.tsv"
model=$folder/model.safetensors
"$prefix/bin/regard" train --train "$folder/train.tsv" --model "$model" --embedding 16 --hidden 16 \
    --vocab-size 320 --max-epochs 2 --threads 1 >"$folder/log" 2>&1 || { cat "$folder/log" >&2; fail "train"; }
printf 'The cat sleeps.\n\n  a  b \n\377\376 \0 x\n\344\270\255\346\226\207\nno end of line' >"$folder/input"
"$prefix/bin/regard" translate --model "$model" --alignment --batch 1 --threads 1 \
    <"$folder/input" >"$folder/expected" 2>"$folder/log"
[ "$(wc -l <"$folder/expected")" -eq 6 ] || fail "the program's lines"

# compile NAME WORDS...: warnings are errors; away from this folder, so that nothing of it is found
here=$(pwd)
compile()
{
    name=$1
    shift
    (cd "$folder" && "$@" -Wall -Wextra -Wpedantic -Wconversion -Werror -o "$name") || fail "compiling $name"
}
compile shared $cc -std=c11 "$here/examples/translate.c" $(pkg-config --cflags --libs regard)
"$folder/shared" "$model" <"$folder/input" >"$folder/output"
same "the example with the shared library" "$folder/expected" "$folder/output"

"$folder/shared" 2>"$folder/output" && fail "the example without a model"
holds "$folder/output" "usage: translate MODEL"

# without the shared library, what pkg-config says for static linking links libregard.a
static=$folder/static-prefix
$make -s install PREFIX="$static" SHARED=no >"$folder/log" 2>&1 || { cat "$folder/log" >&2; fail "make install SHARED=no"; }
compile static $cc -std=c11 "$here/examples/translate.c" \
    $(PKG_CONFIG_PATH="$static/lib/pkgconfig" pkg-config --static --cflags --libs regard)
if ldd "$folder/static" | grep -q libregard; then fail "the statically linked example uses a shared library"; fi
LD_LIBRARY_PATH='' "$folder/static" "$model" <"$folder/input" >"$folder/output"
same "the example with the static library" "$folder/expected" "$folder/output"

# the other example: threads that share a model
sed 's/ ||| .*//' "$folder/expected" >"$folder/texts"
compile threads $cc -std=c11 "$here/examples/threads.c" $(pkg-config --cflags --libs regard) -lpthread
"$folder/threads" "$model" 3 <"$folder/input" >"$folder/output"
same "the example with threads" "$folder/texts" "$folder/output"

# the example at the top of the header, as C and as C++
sed -n '/^ \*     #include <regard.h>/,/^ \*     }$/s/^ \*     \{0,1\}//p' "$prefix/include/regard.h" >"$folder/manual.c"
cp "$folder/manual.c" "$folder/manual.cc"
compile manual-c $cc -std=c11 manual.c $(pkg-config --cflags --libs regard)
programs=manual-c
if command -v ${CXX:-c++} >/dev/null; then
    compile manual-cc ${CXX:-c++} -std=c++11 manual.cc $(pkg-config --cflags --libs regard)
    programs='manual-c manual-cc'
fi
sed -n '1s/ ||| .*//p' "$folder/expected" >"$folder/first"
for program in $programs; do
    "$folder/$program" "$model" >"$folder/output"
    same "$program" "$folder/first" "$folder/output"
done
if "$folder/shared" "$folder/nowhere" </dev/null 2>"$folder/log"; then fail "a missing model"; fi
grep -q "nowhere: cannot be opened: No such file" "$folder/log" || fail "the line for a missing model"

# DESTDIR stands before every folder and in no file; uninstall leaves nothing
$make -s uninstall PREFIX="$prefix"
[ -z "$(files "$prefix")" ] || fail "uninstall leaves $(files "$prefix")"
set -- DESTDIR="$folder/stage" PREFIX=/opt/regard LIBDIR=/opt/regard/lib/machine
$make -s install "$@" >"$folder/log" 2>&1 || fail "make install DESTDIR="
sed 's|/lib/\([^/]*regard\.\)|/lib/machine/\1|; s|/lib/pkgconfig/|/lib/machine/pkgconfig/|' "$folder/files" | LC_ALL=C sort >"$folder/expected"
files "$folder/stage/opt/regard" >"$folder/files"
same "what is installed with DESTDIR" "$folder/expected" "$folder/files"
# the library finds the models that are installed with it, as Debian has the two
echo 'Where is the station?' | LD_LIBRARY_PATH="$folder/stage/opt/regard/lib/machine" "$folder/shared" en-fr >"$folder/output"
holds "$folder/output" '^Où est la gare ?'
grep -q '^prefix=/opt/regard$' "$folder/stage/opt/regard/lib/machine/pkgconfig/regard.pc" || fail "prefix in regard.pc"
$make -s uninstall "$@"
[ -z "$(files "$folder/stage")" ] || fail "uninstall with DESTDIR leaves $(files "$folder/stage")"
summary
