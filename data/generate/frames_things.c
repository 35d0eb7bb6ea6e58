/* Things: what they are like, where they are, what they cost; comparisons; feelings and character.
 */
#include "grammar.h"

// clang-format off
static const Rule rules[] = {
    {"sentence", "*3 O:clothes J:@O", {
        "$O.this @be.present:O/b $J .",
        "$O.this @être.present:O/b $J:O .",
        "$O.this $J.pred 。"}},
    {"sentence", "*2 O:building J:@O", {
        "$O.this @be.present:O/b very/v $J .",
        "$O.this @être.present:O/b très/v $J:O .",
        "$O.this 非常/v $J 。"}},
    {"sentence", "*2 O:nature J:@O", {
        "$O.this @be.present:O/b really/v $J .",
        "$O.this @être.present:O/b vraiment/v $J:O .",
        "$O.this 真/v $J 。"}},
    {"sentence", "*2 O:furniture J:excess", {
        "$O.this @be.present:O/b too/t $J .",
        "$O.this @être.present:O/b trop/t $J:O .",
        "$O.this 太/t $J 了/T 。"}},
    {"sentence", "*2 O:chuan J:excess S:meorus", {
        "$O.this @be.present:O/b too/t $J for/f $S.obj .",
        "$O.this @être.present:O/b trop/t $J:O pour/f $S.obj .",
        "$O.this 对/f $S.obj 来说/f 太/t $J 了/T 。"}},
    {"sentence", "*2 O:room J:@O", {
        "$O.the @be.present:O/b $J .",
        "$O.the @être.present:O/b $J:O .",
        "$O $J.pred 。"}},
    {"sentence", "*2 O:room J:@O", {
        "$O.the @be.present.not:O/b $J .",
        "$O.the @être.present.not:O/b $J:O .",
        "$O 不/n $J 。"}},
    {"sentence", "*2 O:fruit/p J:@O", {
        "$O.this @be.present:O/b $J .",
        "$O.this @être.present:O/b $J:O .",
        "$O.this $J.pred 。"}},
    {"sentence", "O:vegetable/p J:@O", {
        "$O.this @be.present.not:O/b $J .",
        "$O.this @être.present.not:O/b $J:O .",
        "$O.this 不/n $J 。"}},
    {"sentence", "*2 O:savoury J:dishtaste", {
        "$O.this @be.present:O/b too/t $J .",
        "$O.this @être.present:O/b trop/t $J:O .",
        "$O.this 太/t $J 了/T 。"}},
    {"sentence", "O:dish J:@O", {
        "$O.this @be.present:O/b really/v $J .",
        "$O.this @être.present:O/b vraiment/v $J:O .",
        "$O.this 真/v $J 。"}},
    {"sentence", "*2 O:show J:@O", {
        "$O.this @be.present:O/b $J .",
        "$O.this @être.present:O/b $J:O .",
        "$O.this 很/B $J 。"}},
    {"sentence", "*3 S:subject O:show J:opinion T:pastday", {
        "$S @find.past/f $O.the $J .",
        "$S @trouver.past/f $O.the $J:O .",
        "$S 觉得/f $O.this 很/F $J 。"}},
    {"sentence", "*2 S:third O:reading J:opinion", {
        "$S @think.present/t that/q $O.this @be.present:O/b $J .",
        "$S @trouver.present/t que/q $O.this @être.present:O/b $J:O .",
        "$S 认为/t $O.this 很/B $J 。"}},
    {"sentence", "O:idea J:@O", {
        "this/t @be.present:O/b $O.x+J .",
        "c'est/tb $O.x+J .",
        "这/t 是/b $O.x+J 。"}},
    {"sentence", "O:difficult J:@O", {
        "$O.this @be.present.not:O/b very/v $J .",
        "$O.this @être.present.not:O/b très/v $J:O .",
        "$O.this 不/n 太/v $J 。"}},
    // have, wear
    {"sentence", "*3 S:subject O:pet J:@O", {
        "$S @have.present/h $O.x+J .",
        "$S @avoir.present/h $O.x+J .",
        "$S 有/h $O.x+J 。"}},
    {"sentence", "*2 S:third O:pet/p N:2-6", {
        "$S @have.present/h $O.num+N .",
        "$S @avoir.present/h $O.num+N .",
        "$S 养/h 了/H $O.num+N 。"}},
    {"sentence", "*3 S:one O:chuan J:colour", {
        "$S @be.present/W wearing/w $O.x+J .",
        "$S @porter.present/w $O.x+J .",
        "$S 穿/w 着/W $O.x+J 。"}},
    {"sentence", "*2 S:one O:dai", {
        "$S @be.present/W wearing/w $O.x today/t .",
        "$S @porter.present/w $O.x aujourd'hui/t .",
        "$S 今天/t 戴/w 着/W $O.x 。"}},
    {"sentence", "S:subject O:own", {
        "$S @have.present.not/h $O.x .",
        "$S @avoir.present.not/h $O.x .",
        "$S 没/n 有/h $O 。"}},
    {"sentence", "*2 S:subject O:own J:@O", {
        "$S @have.present/h $O.x+J .",
        "$S @avoir.present/h $O.x+J .",
        "$S 有/h $O.x+J 。"}},
    {"sentence", "*2 S:subject N:2-4 M:2-4", {
        "$S @have.present/h $N brothers/b and/a one/o sister/s .",
        "$S @avoir.present/h $N frères/b et/a une/o sœur/s .",
        "$S 有/h $N.counting 个/N@N 兄弟/b 和/a 一/o 个/O 姐妹/s 。"}},
    {"sentence", "S:third N:2-4", {
        "$S @have.present/h one/o son/s and/a $N daughters/d .",
        "$S @avoir.present/h un/o fils/s et/a $N filles/d .",
        "$S 有/h 一/o 个/O 儿子/s 和/a $N.counting 个/N@N 女儿/d 。"}},
    // where
    {"sentence", "*3 O:smallthing P:put", {
        "$O.the @be.present:O/b $P .",
        "$O.the @être.present:O/b $P .",
        "$O 在/b $P 。"}},
    {"sentence", "*3 O:smallthing P:put", {
        "there/t @be.present:O/b $O.x $P .",
        "il/t y/t a/b $O.x $P .",
        "$P 有/tb $O.x 。"}},
    {"sentence", "*2 O:smallthing/p P:put N:2-6", {
        "there/t are/b $O.num+N $P .",
        "il/t y/t a/b $O.num+N $P .",
        "$P 有/tb $O.num+N 。"}},
    {"sentence", "*2 S:subject O:lost P:put", {
        "$S @put.past/v $O.poss $P .",
        "$S @mettre.past/v $O.poss $P .",
        "$S 把/V $O.poss 放/v 在/V 了/V $P 。"}},
    {"sentence", "*2 S:subject O:lost P:put", {
        "$S @leave.past/v $O.poss $P .",
        "$S @laisser.past/v $O.poss $P .",
        "$S 把/V $O.poss 忘/v 在/V $P 了/V 。"}},
    {"sentence", "*2 S:subject O:lost", {
        "$S can't/nc find/f $O.poss .",
        "$S @trouver.present.nomore/f $O.poss .",
        "$S 找/f 不/n 到/F $O.poss 了/N 。"}},
    {"sentence", "*2 O:town P:town", {
        "$O.the @be.present:O/b next/x to/X $P.the .",
        "$O.the @être.present:O/b à/X côté/x de/X $P.the .",
        "$O 在/b $P 旁边/x 。"}},
    {"sentence", "O:town P:town", {
        "$O.the @be.present:O/b opposite/x $P.the .",
        "$O.the @être.present:O/b en/X face/x de/X $P.the .",
        "$O 在/b $P 对面/x 。"}},
    {"sentence", "O:town P:town", {
        "there/t is/b $O.x behind/x $P.the .",
        "il/t y/t a/b $O.x derrière/x $P.the .",
        "$P 后面/x 有/tb $O.x 。"}},
    {"sentence", "O:town N:5-30/5", {
        "$O.the @be.present:O/b $N minutes/m from/f here/h on/w foot/w .",
        "$O.the @être.present:O/b à/F $N minutes/m d'ici/fh à/w pied/w .",
        "从/f 这儿/h 走/w 到/W $O 要/B $N.counting 分钟/m 。"}},
    // prices
    {"sentence", "*3 O:shop N:15-90/5", {
        "$O.this @cost.present:O/c $N euros/e .",
        "$O.this @coûter.present:O/c $N euros/e .",
        "$O.this $N.counting 欧元/e 。"}},
    {"sentence", "*2 O:dear N:250-900/50", {
        "$O.this @cost.present:O/c $N euros/e .",
        "$O.this @coûter.present:O/c $N euros/e .",
        "$O.this 要/c $N.counting 欧元/e 。"}},
    {"sentence", "O:market/p N:2-6", {
        "a/k kilo/k of/K $O costs/c $N euros/e .",
        "un/k kilo/k de/K $O coûte/c $N euros/e .",
        "一/k 公斤/k $O $N.counting 欧元/e 。"}},
    {"sentence", "*2 O:cheap N:30-95/5", {
        "$O.this @cost.present:O/c $N euros/e .",
        "$O.this @coûter.present:O/c $N euros/e .",
        "$O.this 要/c $N.counting 欧元/e 。"}},
    {"sentence", "*2 S:subject O:shop N:15-90/5", {
        "$S @pay.past/p $N euros/e for/f $O.this .",
        "$S @payer.past/p $O.this $N euros/e .",
        "$S 花/p 了/P $N.counting 欧元/e 买/F $O.this 。"}},
    // comparisons
    {"sentence", "*3 S:third F:other J:compared", {
        "$S @be.present/b $J.more than/t $F .",
        "$S @être.present/b $J.more que/t $F .",
        "$S 比/t $F $J 。"}},
    {"sentence", "*2 S:third F:other J:virtue", {
        "$S @be.present/b $J.more than/t $F .",
        "$S @être.present/b $J.more que/t $F .",
        "$S 比/t $F 更/T $J 。"}},
    {"sentence", "*2 S:third F:other J:character", {
        "$S @be.present/b less/l $J than/t $F .",
        "$S @être.present/b moins/l $J que/t $F .",
        "$S 没/l 有/l $F 那么/L $J 。"}},
    {"sentence", "*2 S:third F:other J:character", {
        "$S @be.present/b as/a $J as/t $F .",
        "$S @être.present/b aussi/a $J que/t $F .",
        "$S 和/t $F 一样/a $J 。"}},
    {"sentence", "*2 S:kin J:virtue", {
        "$S @be.present/b the/K $J.most in/i the/t family/c .",
        "$S @être.present/b $J.most de/i la/t famille/c .",
        "$S 是/b 家/c 里/i 最/k@J $J 的/B 。"}},
    {"sentence", "*2 O:transport U:transport J:travelish", {
        "$O.the @be.present:O/b $J.more than/t $U.the .",
        "$O.the @être.present:O/b $J.more:O que/t $U.the .",
        "$O 比/t $U $J 。"}},
    {"sentence", "*2 O:course U:course J:@O S:subject", {
        "$S @find.present/f $O $J.more than/t $U .",
        "$S @trouver.present/f $O.gen $J.more:O que/t $U.gen .",
        "$S 觉得/f $O 比/t $U 更/k@J $J 。"}},
    {"sentence", "*2 O:hotelish J:topmost", {
        "this/t is/b the/K $J.most $O in/i town/w .",
        "c'est/tb $O.the $J.most:O de/i la/W ville/w .",
        "这/t 是/b 城里/iw 最/k@J $J 的/J@J $O 。"}},
    {"sentence", "*2 S:stranger J:character", {
        "@be.present/b $S $J ?",
        "est-ce/Q que/Q $S @être.present/b $J ?",
        "$S $J 吗/Q ？"}},
    // feelings and character
    {"sentence", "*3 S:subject J:feeling", {
        "$S @be.present/b very/v $J today/t .",
        "$S @être.present/b très/v $J aujourd'hui/t .",
        "$S 今天/t 非常/v $J 。"}},
    {"sentence", "*2 S:subject J:feeling T:past", {
        "$S @be.past/b $J $T .",
        "$S @être.pasting/b $J $T .",
        "$S $T 很/B $J 。"}},
    {"sentence", "*2 S:subject J:mood", {
        "$S @be.present.not/b $J .",
        "$S @être.present.not/b $J .",
        "$S 不/n $J 。"}},
    {"sentence", "*2 S:third J:feeling", {
        "$S @look.present/l $J .",
        "$S @avoir.present/L l'air/l $J .",
        "$S 看起来/l 很/L $J 。"}},
    {"sentence", "*2 S:third J:character", {
        "$S @be.present/b very/v $J .",
        "$S @être.present/b très/v $J .",
        "$S 很/v $J 。"}},
    {"sentence", "*2 S:named J:character", {
        "I/i find/f $S very/v $J .",
        "je/i trouve/f $S très/v $J .",
        "我/i 觉得/f $S 很/v $J 。"}},
    {"sentence", "*2 S:third J:mood", {
        "why/w @be.present/b $S so/s $J ?",
        "pourquoi/w est-ce/Q que/Q $S @être.present/b si/s $J ?",
        "$S 为什么/w 这么/s $J ？"}},
    {"sentence", "S:you J:feeling", {
        "@be.present/b $S $J ?",
        "est-ce/Q que/Q $S @être.present/b $J ?",
        "$S $J 吗/Q ？"}},
    {"sentence", "S:subject F:feltbody", {
        "$S @be.present/b $F .",
        "$S @avoir.present/b $F .",
        "$S $F 。"}},
    {"feltbody", "", {"hungry/h", "faim/h", "很/H 饿/h"}},
    {"feltbody", "", {"thirsty/h", "soif/h", "很/H 渴/h"}},
    {"feltbody", "", {"cold/h", "froid/h", "觉得/H 冷/h"}},
    {"feltbody", "", {"hot/h", "chaud/h", "觉得/H 热/h"}},
    {"feltbody", "", {"very/v sleepy/h", "très/v sommeil/h", "很/v 困/h"}},
    // likes
    {"sentence", "*2 S:subject O:fruit", {
        "$S @like.present/l $O.gen .",
        "$S @aimer.present/l $O.gen .",
        "$S 喜欢/l $O 。"}},
    {"sentence", "*2 S:subject O:drink U:drink", {
        "$S @prefer.present/p $O to/t $U .",
        "$S @préférer.present/p $O.gen à/t $U.gen .",
        "比/t 起/T $U ， $S 更/P 喜欢/p $O 。"}},
    {"sentence", "*2 S:subject O:meal", {
        "$S @like.present.not/l $O very/v much/v .",
        "$S @aimer.present.not/l beaucoup/v $O.gen .",
        "$S 不/n 太/v 喜欢/l $O 。"}},
    {"sentence", "*2 S:third O:animal", {
        "$S @be.present/b afraid/a of/A $O.gen .",
        "$S @avoir.present/b peur/a de/A $O.gen .",
        "$S 怕/a $O 。"}},
    {"sentence", "S:you O:food", {
        "@do.present/Q $S like/l $O.gen ?",
        "est-ce/Q que/Q $S @aimer.present/l $O.gen ?",
        "$S 喜欢/l $O 吗/Q ？"}},
    {"sentence", "S:subject O:course", {
        "$S @be.present/b interested/i in/I $O .",
        "$S @se_intéresser.present/i à/I $O.gen .",
        "$S 对/I $O 感兴趣/i 。"}},
};
// clang-format on
const Table frames_things = {rules, sizeof rules / sizeof *rules};
