/* Sentences of two clauses: because, when, if, but, before, who, that. */
#include "grammar.h"

// clang-format off
static const Rule rules[] = {
    // because, so, but, and
    {"sentence", "*6 S:third A:tiring J:weary", {
        "$S @be.present/b $J because/c $S.pron $A.past .",
        "$S @être.present/b $J parce_que/c $S.pron $A.past .",
        "因为/c $S $A.le ， 所以/C 很/B $J 。"}},
    {"sentence", "*4 S:third A:pleasing J:glad", {
        "$S @be.present/b $J because/c $S.pron $A.past .",
        "$S @être.present/b $J parce_que/c $S.pron $A.past .",
        "因为/c $S $A.le ， 所以/C 很/B $J 。"}},
    {"sentence", "*4 S:third A:upsetting J:gloomy", {
        "$S @be.present/b $J because/c $S.pron $A.past .",
        "$S @être.present/b $J parce_que/c $S.pron $A.past .",
        "因为/c $S $A.le ， 所以/C 很/B $J 。"}},
    {"sentence", "*6 S:third A:day T:pastday J:hindrance", {
        "$S $A.past.not $T because/c $S.pron @be.past/b $J .",
        "$S $A.past.not $T parce_que/c $S.pron @être.pasting/b $J .",
        "因为/c $S 很/B $J ， 所以/C $T $A.past.not 。"}},
    {"sentence", "*4 S:third A:chore T:soon J:hindrance", {
        "$S @be.present/b $J , so/c $S.pron $A.future.not $T .",
        "$S @être.present/b $J , donc/c $S.pron $A.future.not $T .",
        "$S 很/B $J ， 所以/c $T 不/n@A 会/1@A $A 。"}},
    {"sentence", "*6 S:third F:name A:routine", {
        "$S often/o $A.present , but/c $F never/n does/V .",
        "$S >souvent/o $A.present , mais/c $F ne/N le/V fait/V jamais/n .",
        "$S 经常/o $A ， 但是/c $F 从来/n 不/n 这么/V 做/V 。"}},
    {"sentence", "*6 S:subject A:hobby B:skill", {
        "$S @like.present/l $A.ing , but/c $S.pron can't/nk $B.inf .",
        "$S @aimer.present/l $A.inf , mais/c $S.pron @savoir.present.not/k $B.inf .",
        "$S 喜欢/l $A ， 但是/c 不/n 会/k $B 。"}},
    {"sentence", "*6 S:third F:name A:now B:now", {
        "$S $A.prog while/c $F $B.prog:F .",
        "$S $A.present pendant/c que/c $F $B.present:F .",
        "$S $A.prog ， $F $B.prog 。"}},
    {"sentence", "*4 S:third F:name A:skill B:skill", {
        "$S can/c $A.inf and/a $F can/k $B.inf .",
        "$S @savoir.present/c $A.inf et/a $F @savoir.present:F/k $B.inf .",
        "$S 会/c $A ， $F 会/k $B 。"}},
    {"sentence", "*4 S:subject A:did B:did T:past", {
        "$T $S $A.past and/a then/e $B.past .",
        "$T , $S $A.past , puis/e $S.pron $B.past .",
        "$T $S $A.le ， 然后/e $B.le 。"}},
    // when
    {"sentence", "*6 S:third F:name A:now", {
        "$S $A.pasting when/w $F @arrive.past:F/a .",
        "$S $A.pasting quand/w $F @arriver.past:F/a .",
        "$F 到/a 的/W 时候/w ， $S $A.prog 。"}},
    {"sentence", "*4 S:subject A:quit J:youth", {
        "when/w $S @be.past/b $J , $S.pron often/o $A.past .",
        "quand/w $S @être.pasting/b $J , $S.pron >souvent/o $A.pasting .",
        "$S $J 的/W 时候/w ， 经常/o $A 。"}},
    {"sentence", "*4 S:named A:lasting", {
        "I/i called/c $S while/w $S.pron $A.pasting .",
        "j'ai/iC appelé/c $S pendant/w que/w $S.pron $A.pasting .",
        "$S $A 的/W 时候/w ， 我/i 打/C 了/C 电话/c 。"}},
    {"sentence", "*4 S:subject A:childdream J:littleness",
     {"$S @want.past/w to/W $A.inf when/c $S.pron @be.past/b $J .",
      "$S @vouloir.pasting/w $A.inf quand/c $S.pron @être.pasting/b $J .",
      "$S $J 时候/c 想/w $A 。"}},
    // if
    {"sentence", "*4 S:subject A:rainhome W:badweather", {
        "if/i $W , $S $A.future .",
        "si/i $W , $S $A.future .",
        "如果/i $W ， $S 就/I $A 。"}},
    {"sentence", "*4 S:subject A:sunny", {
        "if/i the/D weather/w is/b nice/n tomorrow/t , $S $A.future .",
        "si/i il/D fait/B beau/wn demain/t , $S $A.future .",
        "如果/i 明天/t 天气/w 好/n ， $S 就/I $A 。"}},
    {"badweather", "", {"it/r rains/r tomorrow/t", "il/r pleut/r demain/t", "明天/t 下雨/r"}},
    {"badweather", "", {"it/r snows/r this/t weekend/t", "il/r neige/r ce/t week-end/t", "这个/t 周末/t 下雪/r"}},
    {"badweather", "", {"it/r rains/r tonight/t", "il/r pleut/r ce/t soir/t", "今晚/t 下雨/r"}},
    {"sentence", "*6 S:subject A:leisure", {
        "if/i $S @have.past/h more/m time/t , $S.pron $A.would .",
        "si/i $S @avoir.pasting/h plus/m de/M temps/t , $S.pron $A.would .",
        "如果/i 有/h 更/m 多/m 的/M 时间/t ， $S 就/I 会/1@A $A 。"}},
    {"sentence", "*6 S:subject A:fortune J:wealth", {
        "if/i $S @be.past/b $J , $S.pron $A.would .",
        "si/i $S @être.pasting/b $J , $S.pron $A.would .",
        "如果/i $S 很/B $J ， 就/I 会/1@A $A 。"}},
    {"sentence", "*4 S:you A:healthy", {
        "if/i $S @want.present/w to/W feel/f better/b , $S should/s $A.inf .",
        "si/i $S @vouloir.present/w @se_sentir.inf/f mieux/b , $S @devoir.would/s $A.inf .",
        "如果/i $S 想/w 感觉/f 好/b 一点/B ， 就/I 应该/s $A 。"}},
    {"sentence", "*4 S:third A:day T:futureday", {
        "I/i don't/N know/k if/s $S $A.future $T .",
        "je/i ne/N sais/k pas/n si/s $S $A.future $T .",
        "我/i 不/n 知道/k $S $T 会/1@A 不/S 会/S $A 。"}},
    // before, after, without
    {"sentence", "*6 S:subject A:ritual B:before", {
        "$S always/a $A.present before/b $B.ing .",
        "$S >toujours/a $A.present avant/b de/B $B.inf .",
        "$S 总是/a 在/B $B 之/B 前/b $A 。"}},
    {"sentence", "*4 S:subject A:duty B:before", {
        "$S @have.present/h to/H $A.inf before/b $B.ing .",
        "$S @devoir.present/h $A.inf avant/b de/B $B.inf .",
        "$S $B 之/B 前/b 必须/h $A 。"}},
    {"sentence", "*4 S:subject A:chore B:plan T:soon", {
        "instead/i of/I $A.ing , $S $B.future $T .",
        "au/I lieu/i de/I $A.inf , $S $B.future $T .",
        "$S $T 不/I $A ， 而/i 是/I 要/1@B $B 。"}},
    // that
    {"sentence", "*6 S:third A:project T:later", {
        "I/i think/k that/q $S $A.future $T .",
        "je/i pense/k que/q $S $A.future $T .",
        "我/i 觉得/k $S $T 会/1@A $A 。"}},
    {"sentence", "*4 S:third A:project T:later", {
        "I/i hope/k $S $A.future $T .",
        "je/i espère/k que/K $S $A.future $T .",
        "我/i 希望/k $S $T $A 。"}},
    {"sentence", "*6 S:third F:name A:event T:ago", {
        "$F @tell.past:F/t me/m that/q $S $A.past $T .",
        "$F <me/m @dire.past:F/t que/q $S $A.past $T .",
        "$F 告诉/t 我/m $S $T $A.le 。"}},
    {"sentence", "*4 S:third F:name A:routine", {
        "$F @say.present:F/t that/q $S often/o $A.present .",
        "$F @dire.present:F/t que/q $S >souvent/o $A.present .",
        "$F 说/t $S 经常/o $A 。"}},
    {"sentence", "*4 S:stranger A:event T:ago", {
        "I/i heard/k that/q $S $A.past $T .",
        "j'ai/iK entendu/k dire/k que/q $S $A.past $T .",
        "我/i 听说/k $S $T $A.le 。"}},
    {"sentence", "*4 S:third A:plan T:soon", {
        "I/i am/S sure/s that/q $S $A.future $T .",
        "je/i suis/S sûr/s que/q $S $A.future $T .",
        "我/i 相信/s $S $T 会/1@A $A 。"}},
    {"sentence", "*4 S:third A:skill", {
        "do/Q you/y know/k if/s $S can/c $A.inf ?",
        "tu/y sais/k si/s $S @savoir.present/c $A.inf ?",
        "你/y 知道/k $S 会/c 不/s 会/s $A 吗/Q ？"}},
    {"sentence", "*4 S:third A:duty", {
        "I/i want/w $S to/W $A.inf .",
        "je/i veux/w que/W $S $A.subj .",
        "我/i 想/w 让/W $S $A 。"}},
    {"sentence", "*4 S:adult A:duty", {
        "$S @have.present/h to/H $A.inf as/v soon/v as/v possible/p .",
        "il/H faut/h que/H $S $A.subj le/V plus/V tôt/v possible/p .",
        "$S 必须/h 尽/p 快/v $A 。"}},
    // who, which
    {"sentence", "*4 O:job", {
        "the/t man/m who/w lives/l next/n door/d is/b $O.x .",
        "l'homme/tm qui/w habite/l à/N côté/nd est/b $O .",
        "住/l 在/L 隔壁/nd 的/w 那/T 个/T 男人/m 是/b $O 。"}},
    {"sentence", "*6 S:meorus A:skill", {
        "$S @have.present/h a/f friend/g who/w can/c $A.inf .",
        "$S @avoir.present/h un/f ami/g qui/w sait/c $A.inf .",
        "$S 有/h 一/f 个/F 会/c $A 的/w 朋友/g 。"}},
    {"sentence", "*4 S:subject A:skill", {
        "$S @be.present/L looking/l for/L someone/s who/w can/c $A.inf .",
        "$S @chercher.present/l quelqu'un/s qui/w sait/c $A.inf .",
        "$S 在/L 找/l 一/S 个/S 会/c $A 的/w 人/s 。"}},
    {"sentence", "*6 S:third O:reading J:opinion", {
        "$O.the that/q $S @be.present/r reading/r @be.present:O/b $J .",
        "$O.the que/q $S @lire.present/r @être.present:O/b $J:O .",
        "$S 在/r 看/r 的/Q $O 很/B $J 。"}},
    {"sentence", "*6 S:one O:chuan J:colour", {
        "$O.the that/q $S @be.present/w wearing/w @be.present:O/b $J .",
        "$O.the que/q $S @porter.present/w @être.present:O/b $J:O .",
        "$S 穿/w 着/W 的/Q $O 是/b $J 的/B 。"}},
    {"sentence", "*4 O:smallthing P:put C:name", {
        "$O.the that/q @be.present:O/b $P belongs/g to/G $C .",
        "$O.the qui/q @être.present:O/b $P appartient/g à/G $C .",
        "$P 的/q $O 是/g $C 的/G 。"}},
    {"sentence", "*4 S:third", {
        "the/t town/h where/w $S @live.present/l is/b very/v quiet/k .",
        "la/t ville/h où/w $S @habiter.present/l est/b très/v calme/k .",
        "$S 住/l 的/W 城市/h 很/v 安静/k 。"}},
};
// clang-format on
const Table frames_clauses = {rules, sizeof rules / sizeof *rules};
