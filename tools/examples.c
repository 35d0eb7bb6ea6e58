#include "tools/examples.h"

#include <stddef.h>

const Example examples[] = {
    {"regard", "Learn from a file with one pair a line, source TAB target:",
     "regard train --train pairs.tsv"},
    {"regard", "Translate with the model that this leaves:",
     "echo \"A dog is running on the beach.\" | regard translate --model model.safetensors"},
    {"regard",
     "See where it looked:", "regard align --model model.safetensors --format heatmap pairs.tsv"},

    {"train", "Learn from two aligned files, for twenty minutes at most:",
     "regard train --train corpus.en,corpus.fr --model en-fr.safetensors --max-minutes 20"},
    {"train", "Learn from several files, and validate on one of your own:",
     "regard train --train news.tsv.gz --train memory.tmx --valid valid.tsv"},
    {"train", "Learn where to look from word alignments, line by line beside the corpus:",
     "regard train --train pairs.tsv --guide pairs.align"},
    {"train", "Go on where Ctrl-C ended it:", "regard train --train pairs.tsv --resume"},

    {"translate", "Translate a file, one line of output for each line of input:",
     "regard translate --model model.safetensors <input.en >output.fr"},
    {"translate", "The three best translations of each line, with their scores:",
     "regard translate --model model.safetensors --n-best 3 <input.en"},
    {"translate", "Translations with their links from source words to target words:",
     "regard translate --model model.safetensors --alignment <input.en"},
    {"translate", "A page that shows where the model looked for each word of its translations:",
     "regard translate --model model.safetensors --alignment=html <input.en >output.html"},

    {"align", "Links between words, one line for each pair:",
     "regard align --model model.safetensors pairs.tsv"},
    {"align", "A picture of each pair:",
     "regard align --model model.safetensors --format heatmap pairs.tsv"},
    {"align", "A page of many pairs to point into, which needs nothing but a browser:",
     "regard align --model model.safetensors --format html pairs.tsv >pairs.html"},
    {"align", "A drawing of all pairs, one under the other:",
     "regard align --model model.safetensors --format svg pairs.tsv >pairs.svg"},
    {"align", "The whole matrix of a pair, as JSON:",
     "printf 'A cat.\\tUn chat.\\n' | regard align --model model.safetensors --format soft -"},

    {"align", "The alignment error rate against links made by hand:",
     "regard align --model en-fr.safetensors --gold test.align test.en,test.fr"},
    {"align", "The same for the links of two models of opposite directions:",
     "regard align --model en-fr.safetensors --reverse fr-en.safetensors --gold gold test.tsv"},

    {"score", "The log-probability of each pair of two aligned files:",
     "regard score --model model.safetensors test.en,test.fr"},

    {"evaluate", "Translate the sources of a test set and measure against its targets:",
     "regard evaluate --model model.safetensors test.tsv"},
    {"evaluate", "Measure a file of translations, with two references for each sentence:",
     "regard evaluate --hypothesis out.fr --reference first.fr --reference second.fr"},

    {"tokenize", "Text to subwords:", "regard tokenize --model model.safetensors <input.en"},
    {"tokenize", "Subwords of the target side back to text:",
     "regard tokenize --model model.safetensors --target --decode <subwords.fr"},

    {"quantize", "A quarter of the file, for the same translations or nearly so:",
     "regard quantize model.safetensors -o small.safetensors"},
    {"quantize", "Half of it, with the upper halves of the numbers:",
     "regard quantize model.safetensors -o small.safetensors --type bf16"},

    {"info",
     "What a model file holds, tensor by tensor:", "regard info --tensors model.safetensors"},
    {"info", "What this program works with:", "regard info"},

    {NULL, NULL, NULL},
};
