/* Requests, orders, offers, suggestions, prohibitions; at table, in shops, in the street. */
#include "grammar.h"

// clang-format off
static const Rule rules[] = {
    {"sentence", "*3 S:toldpolite A:orderpolite", {
        "$A.imper , please/p .",
        "$A.imper , s'il/p vous/p plaît/p .",
        "请/p $A 。"}},
    {"sentence", "*3 S:toldpolite A:order", {
        "could/c you/y $A.inf , please/p ?",
        "pourriez-vous/cy $A.inf , s'il/p vous/p plaît/p ?",
        "请问/p 您/y 能/c $A 吗/C ？"}},
    {"sentence", "*3 S:toldtu A:order", {
        "can/c you/y $A.inf ?",
        "tu/y peux/c $A.inf ?",
        "你/y 能/c $A 吗/C ？"}},
    {"sentence", "*2 S:toldtu A:dont", {
        "$A.imper.not !",
        "$A.imper.not !",
        "别/n@A $A ！"}},
    {"sentence", "*2 S:toldtu A:dont", {
        "please/p $A.imper.not .",
        "$A.imper.not , s'il/p te/p plaît/p .",
        "请/p 不/n@A 要/n@A $A 。"}},
    {"sentence", "*3 S:toldtu A:duty", {
        "don't/n forget/f to/F $A.inf !",
        "n'oublie/Nf pas/n de/F $A.inf !",
        "别/n 忘/f 了/F $A ！"}},
    {"sentence", "*2 S:toldpolite A:duty T:futureday", {
        "don't/n forget/f to/F $A.inf $T .",
        "n'oubliez/Nf pas/n de/F $A.inf $T .",
        "$T 别/n 忘/f 了/F $A 。"}},
    {"sentence", "*4 S:we A:lets", {
        "let's/l $A.inf !",
        "$A.imper !",
        "$S $A 吧/L ！"}},
    {"sentence", "*3 S:we A:lets T:soon", {
        "let's/l $A.inf $T .",
        "$A.imper $T .",
        "$T $S $A 吧/L 。"}},
    {"sentence", "*2 S:we P:to T:soon", {
        "let's/l go/g $P $T .",
        "@aller.imper/g $P $T .",
        "$T $S 去/g $P 吧/L 。"}},
    {"sentence", "*2 S:self A:may", {
        "may/m $S $A.inf , please/p ?",
        "est-ce/Q que/Q $S @pouvoir.present/m $A.inf , s'il/p vous/p plaît/p ?",
        "请问/p ， $S 可以/m $A 吗/Q ？"}},
    {"sentence", "*2 S:asked A:plan T:soon", {
        "can/c $S $A.inf $T ?",
        "est-ce/Q que/Q $S @pouvoir.present/c $A.inf $T ?",
        "$S $T 能/c $A 吗/Q ？"}},
    {"sentence", "*2 S:self A:chore T:soon", {
        "can/c $S help/h you/y to/H $A.inf $T ?",
        "est-ce/Q que/Q $S peux/c t'aider/yh à/H $A.inf $T ?",
        "$S $T 可以/c 帮/h 你/y $A 吗/Q ？"}},
    {"sentence", "*2 A:forbidden", {
        "you/y must/m not/n $A.inf here/h .",
        "il/Y est/M interdit/mn de/M $A.inf ici/h .",
        "这里/h 禁止/mn $A 。"}},
    {"sentence", "*2 A:banned P:forbiddenspot", {
        "it/i is/I forbidden/f to/F $A.inf $P .",
        "il/i est/I interdit/f de/F $A.inf $P .",
        "$P 禁止/f $A 。"}},
    {"forbiddenspot", "", {"in/a the/t garden/g", "dans/a le/t jardin/g", "花园/g 里/a"}},
    {"forbiddenspot", "", {"near/a the/t lake/g", "près/a de/A le/t lac/g", "湖/g 边/a"}},
    {"forbiddenspot", "", {"in/a front/a of/A the/t hospital/g", "devant/a l'hôpital/tg", "医院/g 门口/a"}},
    {"forbiddenspot", "", {"on/a this/t beach/g", "sur/a cette/t plage/g", "这/t 片/T 海滩/g 上/a"}},
    {"forbiddenspot", "", {"in/a the/t station/g", "dans/a la/t gare/g", "车站/g 里/a"}},
    {"forbiddenspot", "", {"behind/a the/t school/g", "derrière/a l'école/tg", "学校/g 后面/a"}},
    // the way
    {"sentence", "*3 S:toldpolite A:way B:way", {
        "$A.imper , then/t $B.imper .",
        "$A.imper , puis/t $B.imper .",
        "$A ， 然后/t $B 。"}},
    {"sentence", "*2 S:toldpolite A:way O:building", {
        "to/o get/g to/O $O.the , $A.imper .",
        "pour/o aller/g à/O $O.the , $A.imper .",
        "去/g $O 的/O 话/o ， 请/O $A 。"}},
    // at table and in shops
    {"sentence", "*3 S:meorus O:served U:colddrink", {
        "$S would/W like/w $O.x and/a a/c glass/g of/G $U , please/p .",
        "$S @vouloir.would/w $O.x et/a un/c verre/g de/G $U , s'il/p vous/p plaît/p .",
        "$S 想/w 要/W $O.x 和/a 一/c 杯/g $U ， 谢谢/p 。"}},
    {"sentence", "*2 S:meorus O:pastry U:hotdrink", {
        "$S would/W like/w $O.x and/a a/c cup/g of/G $U , please/p .",
        "$S @vouloir.would/w $O.x et/a une/c tasse/g de/G $U , s'il/p vous/p plaît/p .",
        "$S 想/w 要/W $O.x 和/a 一/c 杯/g $U ， 谢谢/p 。"}},
    {"sentence", "*2 S:you O:drink U:drink", {
        "would/W $S like/w $O or/o $U ?",
        "$S @vouloir.present/w $O.x ou/o $U.x ?",
        "$S 想/w 喝/W $O 还是/o $U ？"}},
    {"sentence", "*2 S:self O:market/p N:2-4", {
        "$S would/W like/w $N kilos/k of/K $O , please/p .",
        "$S @vouloir.would/w $N kilos/k de/K $O , s'il/p vous/p plaît/p .",
        "$S 想/w 要/W $N.counting 公斤/k $O ， 谢谢/p 。"}},
    {"sentence", "*2 S:self O:clothes J:buyable", {
        "$S @be.present/L looking/l for/L $O.x+J .",
        "$S @chercher.present/l $O.x+J .",
        "$S 想/L 找/l $O.x+J 。"}},
    {"sentence", "*2 O:shop J:colour S:you N:1-1", {
        "@do.present/Q $S have/h $O.this in/i $J ?",
        "est-ce/Q que/Q $S @avoir.present/h $O.this en/i $J:N ?",
        "$O.this 有/h $J 的/I 吗/Q ？"}},
    {"sentence", "*2 S:you O:kitchen", {
        "can/c $S bring/b me/m $O.another , please/p ?",
        "est-ce/Q que/Q $S @pouvoir.present/c m'apporter/mb $O.another , s'il/p vous/p plaît/p ?",
        "请/p 给/b 我/m 再/d@O 拿/b $O.x ， 好/c 吗/Q ？"}},
    {"sentence", "*2 S:self P:town_name N:2-4", {
        "$S would/W like/w $N tickets/t to/o $P , please/p .",
        "$S @vouloir.would/w $N billets/t pour/o $P , s'il/p vous/p plaît/p .",
        "$S 想/w 买/W $N.counting 张/N@N 去/o $P 的/O 票/t ， 谢谢/p 。"}},
    {"sentence", "*2 S:meorus N:2-6", {
        "$S would/W like/w to/W book/b a/r room/m for/f $N nights/n .",
        "$S @aimer.would/w réserver/b une/r chambre/m pour/f $N nuits/n .",
        "$S 想/w 订/b 一/r 个/R 房间/m ， 住/f $N.counting 个/N@N 晚上/n 。"}},
    {"sentence", "*2 S:meorus N:2-8 T:clock U:onday", {
        "$S would/W like/w to/W book/b a/r table/m for/f $N people/n $T $U .",
        "$S @aimer.would/w réserver/b une/r table/m pour/f $N personnes/n $U $T .",
        "$S 想/w 订/b 一/r 张/R $U $T $N.counting 个/N@N 人/n 的/F 桌子/m 。"}},
    {"sentence", "*2 S:self O:office G:other", {
        "$S @borrow.past/b $O.x from/f $G .",
        "$S @emprunter.past/b $O.x à/f $G .",
        "$S 向/f $G 借/b 了/B $O.x 。"}},
    {"sentence", "*2 S:you O:office", {
        "could/c $S lend/l me/m $O.x ?",
        "est-ce/Q que/Q $S @pouvoir.would/c me/m prêter/l $O.x ?",
        "$S 能/c 借/l 给/L 我/m $O.x 吗/Q ？"}},
};
// clang-format on
const Table frames_requests = {rules, sizeof rules / sizeof *rules};
