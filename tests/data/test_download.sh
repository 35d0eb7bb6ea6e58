#!/bin/sh
# data/download against a server on loopback with small archives made here.
set -u
cd "$(dirname "$0")/../.." || exit 1
unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY all_proxy ALL_PROXY
unset REGARD_MULTI30K_BASE REGARD_TATOEBA_BASE REGARD_MULTI30K_SUMS

scratch=$(mktemp -d /tmp/regard-download-XXXXXX) || exit 1
srv=$scratch/served
out=$scratch/out
server=
end() {
    [ -z "$server" ] || kill "$server" 2>/dev/null
    rm -rf "$scratch"
}
trap end EXIT
trap 'exit 130' INT
mkdir "$srv"

checks=0 failures=0
check() { # check WHAT COMMAND...
    what=$1
    shift
    checks=$((checks + 1))
    "$@" >/dev/null 2>&1 && return
    failures=$((failures + 1))
    echo "tests/data/test_download.sh: failed: $what"
    sed 's/^/    /' "$scratch/said"
}
# The program under test, with $path; its output is in said (standard error) and printed.
path=$PATH
download() {
    PATH=$path data/download --multi30k-base "http://127.0.0.1:$port" \
        --tatoeba-base "http://127.0.0.1:$port/" --pause 0.01 --into "$out" "$@" \
        >"$scratch/printed" 2>"$scratch/said"
}
said() { grep -Fq -- "$1" "$scratch/said"; }
printed() { grep -Fq -- "$1" "$scratch/printed"; }
fresh() {
    rm -rf "$out" "$srv/requests" "$srv/cut" "$srv/always-cut" "$srv/no-ranges" "$srv/busy"
    download "$@"
}
status() { # status WANTED COMMAND...: that very exit status
    wanted=$1
    shift
    "$@"
    [ $? -eq "$wanted" ]
}
clean() { [ -z "$(find "$out" -name '*.new' -o -name '*.part')" ]; }

# What is served: 300 English sentences, each in two spellings with two translations.
awk 'BEGIN { for (i = 0; i < 300; i++) {
    printf "École %d, my friend.\tA%d. \tCC-BY (anne %d)\n", i, i, i
    printf "“école %d” MY friend!\t我有%d隻貓。\tCC-BY (貓 %d)\n", i, i, i
} }' >"$scratch/pairs.txt"
pack() { # pack CODE: CODE-eng.zip of pairs.txt
    python3 - "$scratch/pairs.txt" "$1" "$srv/$1-eng.zip" <<'EOF'
import sys, zipfile
with zipfile.ZipFile(sys.argv[3], "w", zipfile.ZIP_DEFLATED) as archive:
    archive.write(sys.argv[1], sys.argv[2] + ".txt")
    archive.writestr("_about.txt", "from tatoeba.org\n")
EOF
}
pack fra
pack cmn
for name in train val test_2016_flickr; do
    printf 'One %s.\nTwo.\n' "$name" >"$scratch/$name.en"
    printf 'Un %s.\nDeux.\n' "$name" >"$scratch/$name.fr"
    for side in en fr; do # white space at the ends is no part of the text
        sed 's/$/ \xc2\xa0\t/; s/^/\xe3\x80\x80/' "$scratch/$name.$side" | gzip >"$srv/$name.$side.gz"
    done
done
(cd "$scratch" && sha256sum ./*.en ./*.fr | sed 's/\.\///') >"$scratch/sums"
size=$(wc -c <"$srv/fra-eng.zip")
sum=$(sha256sum <"$srv/fra-eng.zip" | cut -d' ' -f1)

python3 tests/data/server.py "$srv" >"$scratch/server" 2>&1 &
server=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    [ -f "$srv/port" ] && break
    sleep 0.2
done
port=$(cat "$srv/port") || exit 1

test_usage() {
    data/download --help >"$scratch/said"
    check "help names the corpora" grep -q tatoeba-en-zh "$scratch/said"
    check "no corpus is wrong usage" status 2 download
    check "and names the corpora" said "multi30k, tatoeba-en-fr or tatoeba-en-zh"
    check "an unknown corpus" status 2 download wmt14
    check "an unknown option" status 2 download --fast multi30k
    check "an option without a value" status 2 download multi30k --into
    check "a sum that is none" status 2 download --sha256 123 tatoeba-en-fr
    check "a size that is none" status 2 download --max-size 5.5 tatoeba-en-fr
    check "a sum without an archive" status 2 download --sha256 "$sum" multi30k
    check "simplified French" status 2 download --simplified tatoeba-en-fr
    check "nothing was fetched" [ ! -e "$srv/requests" ]
}

test_multi30k() {
    check "another sum than the one known" status 1 fresh multi30k
    check "is refused" said "unknown checksum"
    check "and removed" [ ! -e "$out/multi30k/train.en.gz" ]
    REGARD_MULTI30K_SUMS=$scratch/sums
    export REGARD_MULTI30K_SUMS
    check "Multi30k" fresh multi30k
    check "its notice is shown" said "For non-commercial research and education only"
    check "its text is trimmed" cmp "$out/multi30k/val.fr" "$scratch/val.fr"
    check "its source is kept" grep -q Flickr30K "$out/multi30k/SOURCE.txt"
    check "the command is printed" printed "regard train --train $out/multi30k/train.en,$out/"
    check "nothing is left over" clean
    rm "$srv/requests"
    check "once more" download multi30k
    check "without fetching" [ ! -e "$srv/requests" ]
    unset REGARD_MULTI30K_SUMS
}

test_tatoeba() {
    check "Tatoeba" fresh tatoeba-en-fr
    check "the sum is shown" said "sha256 $sum; not checked"
    check "the licence is shown" said "CC BY 2.0 FR"
    check "the notes are kept" grep -q tatoeba.org "$out/tatoeba-en-fr/_about.txt"
    check "all pairs are there" said "480 pairs for training, 60 for validation, 60 for testing"
    check "the split is the fixed one" python3 tests/data/check_split.py "$out/tatoeba-en-fr"
    check "sides are trimmed, authors named" \
        grep -q "	A[0-9]*\.	CC-BY (anne" "$out/tatoeba-en-fr/train.tsv"
    check "the command is printed" printed "--valid $out/tatoeba-en-fr/valid.tsv --model models/"
    cp "$out/tatoeba-en-fr/test.tsv" "$scratch/test.tsv"
    check "another sum than the one demanded" status 1 fresh --sha256 "$(printf '%064d' 0)" tatoeba-en-fr
    check "is refused" said "instead of the given one"
    check "the one demanded" fresh --sha256 "$sum" tatoeba-en-fr
    check "the split is the same each time" cmp "$scratch/test.tsv" "$out/tatoeba-en-fr/test.tsv"
}

test_continuing() {
    rm -rf "$out"
    rm -f "$srv/requests"
    touch "$srv/cut"
    check "a download that breaks off" download tatoeba-en-fr
    check "is continued at once" grep -q "fra-eng.zip bytes=$((size / 2))-" "$srv/requests"
    rm -rf "$out" "$srv/requests"
    mkdir -p "$out/tatoeba-en-fr"
    head -c 1000 "$srv/fra-eng.zip" >"$out/tatoeba-en-fr/fra-eng.zip.part"
    check "what an earlier run left" download tatoeba-en-fr
    check "is continued" grep -q "fra-eng.zip bytes=1000-" "$srv/requests"
    check "to the same archive" cmp "$srv/fra-eng.zip" "$out/tatoeba-en-fr/fra-eng.zip"
    rm -rf "$out"
    mkdir -p "$out/tatoeba-en-fr"
    cp "$srv/fra-eng.zip" "$out/tatoeba-en-fr/fra-eng.zip.part"
    check "a part that is whole" download tatoeba-en-fr
    rm -rf "$out"
    mkdir -p "$out/tatoeba-en-fr"
    head -c 1000 "$srv/fra-eng.zip" >"$out/tatoeba-en-fr/fra-eng.zip.part"
    touch "$srv/no-ranges"
    check "a server that cannot go on" download tatoeba-en-fr
    check "gives the whole" cmp "$srv/fra-eng.zip" "$out/tatoeba-en-fr/fra-eng.zip"
    rm "$srv/no-ranges"
}

requests() { grep -c fra-eng "$srv/requests"; } # for the archive

test_retries() {
    rm -rf "$out" "$srv/requests"
    touch "$srv/always-cut" "$srv/no-ranges"
    check "a server that always ends early" status 1 download tatoeba-en-fr
    check "is asked five times" [ "$(requests)" -eq 5 ]
    check "after growing pauses" [ "$(sed -n 's/.*again in \(.*\) s$/\1/p' "$scratch/said" | tr '\n' ' ')" = "0.01 0.02 0.04 0.08 " ]
    check "and that is said" said "broke off 5 times; give the same command again later"
    rm "$srv/always-cut" "$srv/requests"
    check "later it works" download tatoeba-en-fr
    rm -rf "$out" "$srv/requests"
    touch "$srv/busy"
    check "a busy server" download tatoeba-en-fr
    check "is asked once more" [ "$(requests)" -eq 2 ]
}

# archive COMMAND...: what it prints becomes the text of the archive; once is refused, and not kept
archive() {
    "$@" | python3 -c 'import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr(sys.argv[2], sys.stdin.buffer.read())' "$srv/fra-eng.zip" "${member:-fra.txt}"
}
refused_and_removed() { # refused_and_removed MESSAGE WORD...
    message=$1
    shift
    check "an archive that $message" status 1 fresh "$@" tatoeba-en-fr
    check "is refused" said "$message"
    check "and removed" [ -z "$(find "$out" -type f)" ]
    cp "$scratch/fra-eng.zip" "$srv/fra-eng.zip"
    check "so that the same command works later" download tatoeba-en-fr
}

test_bad_archives() {
    cp "$srv/fra-eng.zip" "$scratch/fra-eng.zip"
    archive head -c 100000 /dev/urandom
    refused_and_removed "is not a text of pairs: it contains NUL bytes"
    archive awk 'BEGIN { for (i = 0; i < 200; i++) printf "A %d\tB %d\377\n", i, i }'
    refused_and_removed "is not a text of pairs: it is not UTF-8 in line 1"
    archive awk 'BEGIN { for (i = 0; i < 200; i++) printf "<p>A page %d\n", i }'
    refused_and_removed "has a translation in only 0 of 200 lines"
    archive awk 'BEGIN { while (i++ < 100001) printf "a"; print "\tb" }'
    refused_and_removed "has a line of more than 100,000 bytes, line 1"
    archive awk 'BEGIN { for (i = 0; i < 200000; i++) print "An English line\tb" }'
    refused_and_removed "unpacks to more than 2 MB" --max-size 2
    archive echo "One	Un"
    refused_and_removed "too few to split"
    member=deu.txt archive echo "One	Eins"
    refused_and_removed "contains no fra.txt"
    head -c 3000000 /dev/zero >"$srv/fra-eng.zip"
    refused_and_removed "is larger than 2 MB" --max-size 2
    head -c 3000000 /dev/zero | gzip >"$srv/train.en.gz"
    check "an unpacked file that is too large" status 1 fresh --max-size 2 multi30k
    check "is refused" said "unpacks to more than 2 MB"
    check "and removed" [ -z "$(find "$out" -type f)" ]
}

test_failures() {
    mv "$srv/fra-eng.zip" "$scratch/fra-eng.zip"
    check "a file that is not there" status 1 fresh tatoeba-en-fr
    check "is reported" said "the server refused http://127.0.0.1:$port/fra-eng.zip"
    head -c 2000 "$scratch/fra-eng.zip" >"$srv/fra-eng.zip"
    check "a broken archive" status 1 fresh tatoeba-en-fr
    check "is removed" said "was damaged and has been removed"
    : >"$srv/fra-eng.zip"
    check "an empty file" status 1 fresh tatoeba-en-fr
    check "is reported" said "the server sent an empty file"
    mv "$scratch/fra-eng.zip" "$srv/fra-eng.zip"
    port_there=$port port=1
    check "no network" status 1 fresh tatoeba-en-fr
    check "is reported" said "cannot reach http://127.0.0.1:1/fra-eng.zip"
    port=$port_there
    check "nothing is left over" clean
}

test_simplified() {
    mkdir "$scratch/bin"
    ln -s "$(command -v sed)" "$scratch/bin"
    ln -s "$(python3 -c 'import sys; print(sys.executable)')" "$scratch/bin/python3"
    path=$scratch/bin
    check "no opencc" status 1 fresh --simplified tatoeba-en-zh
    check "says what to install" said "apt install opencc"
    check "before anything is fetched" [ ! -e "$srv/requests" ]
    # shellcheck disable=SC2016 # its variable, not ours
    printf '#!/bin/sh\n[ "$2" = t2s.json ] && sed "s/隻/只/g; s/貓/猫/g"\n' >"$scratch/bin/opencc"
    chmod +x "$scratch/bin/opencc"
    check "with opencc" fresh --simplified tatoeba-en-zh
    check "the text is simplified, the authors' names are not" \
        grep -q "	我有[0-9]*只猫。	CC-BY (貓" "$out/tatoeba-en-zh/train.tsv"
    check "the script is left alone unless asked" fresh tatoeba-en-zh
    check "and is traditional" grep -q "隻貓。" "$out/tatoeba-en-zh/train.tsv"
    path=$PATH
}

test_usage
test_multi30k
test_tatoeba
test_continuing
test_retries
test_failures
test_bad_archives
test_simplified

echo "$(((checks - failures) * 100 / checks))%: Checks: $checks, Failures: $failures, Errors: 0"
[ $failures -eq 0 ]
