#!/bin/sh
# The models that come with Regard: their languages, their size, and a sentence by each. Its argument is the folder of the build.
set -eu
. tests/support/checks.sh
regard=$(realpath "${1:-build/release}/regard")
REGARD_MODELS=models
export REGARD_MODELS

# translates MODEL TEXT TRANSLATION
translates()
{
    equal "$1" "$(printf '%s\n' "$2" | $regard translate "$1")" "$3"
}

equal "models" "$($regard models | sed -n 's/^\(..-..\) .*\( → [^ ]*\).*/\1\2/p' | sort | tr '\n' ' ')" \
    "en-fr → French en-zh → Chinese fr-en → English zh-en → English "
equal "60 MB at most" "$(cat models/??-??.safetensors | wc -c | awk '{ print $1 <= 60000000 }')" 1
translates en-fr 'Where is the station?' 'Où est la gare ?'
translates fr-en 'Je suis fatigué.' "I'm tired."
translates en-zh 'I love you.' '我爱你。'
translates zh-en '我爱你。' 'I love you.'
translates en-fr 'WHERE IS THE STATION?' 'OÙ EST LA GARE ?'
translates en-fr 'https://example.com/a' 'https://example.com/a'

summary
