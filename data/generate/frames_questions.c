/* Questions: yes or no, and who, what, where, when, why, how. */
#include "grammar.h"

// clang-format off
static const Rule rules[] = {
    {"sentence", "*4 S:you A:did T:past", {
        "did/Q $S $A.inf $T ?",
        "est-ce/Q que/Q $S $A.past $T ?",
        "$S $T $A.ask 吗/Q ？"}},
    {"sentence", "*2 S:you A:did T:past", {
        "did/Q $S $A.inf $T ?",
        "$S $A.past $T ?",
        "$S $T $A.ask 没有/Q ？"}},
    {"sentence", "*2 S:stranger A:did T:past", {
        "did/Q $S $A.inf $T ?",
        "est-ce/Q que/Q $S $A.past $T ?",
        "$S $T $A.ask 吗/Q ？"}},
    {"sentence", "*3 S:you A:habit T:everyday", {
        "@do.present/Q $S $A.inf $T ?",
        "est-ce/Q que/Q $S $A.present $T ?",
        "$S $T 都/T@T $A 吗/Q ？"}},
    {"sentence", "*3 S:stranger A:routine", {
        "@do.present/Q $S often/o $A.inf ?",
        "est-ce/Q que/Q $S >souvent/o $A.present ?",
        "$S 经常/o $A 吗/Q ？"}},
    {"sentence", "*3 S:you A:plan T:soon", {
        "@be.present/1@A $S going/1@A to/1@A $A.inf $T ?",
        "est-ce/Q que/Q $S $A.going $T ?",
        "$S $T $A.going 吗/Q ？"}},
    {"sentence", "*3 S:stranger A:plan T:soon", {
        "will/1@A $S $A.inf $T ?",
        "est-ce/Q que/Q $S $A.future $T ?",
        "$S $T $A.future 吗/Q ？"}},
    {"sentence", "*3 S:you A:plan T:soon", {
        "@do.present/Q $S want/w to/W $A.inf $T ?",
        "$S @vouloir.present/w $A.inf $T ?",
        "$S $T 想/w 不/W 想/W $A ？"}},
    {"sentence", "*3 S:stranger A:event T:ago", {
        "did/Q $S $A.inf $T ?",
        "est-ce/Q que/Q $S $A.past $T ?",
        "$S $T $A.ask 吗/Q ？"}},
    {"sentence", "*2 S:you A:project T:later", {
        "@be.present/1@A $S going/1@A to/1@A $A.inf $T ?",
        "est-ce/Q que/Q $S $A.going $T ?",
        "$S $T $A.going 吗/Q ？"}},
    {"sentence", "*2 S:you A:dream", {
        "would/W $S like/w to/W $A.inf one/d day/d ?",
        "est-ce/Q que/Q $S @aimer.would/w $A.inf un/d jour/d ?",
        "$S 将来/d 想/w $A 吗/Q ？"}},
    {"sentence", "*2 S:you A:plan T:soon", {
        "would/W $S like/w to/W $A.inf $T ?",
        "est-ce/Q que/Q $S @aimer.would/w $A.inf $T ?",
        "$S $T 想/w $A 吗/Q ？"}},
    {"sentence", "*2 S:you A:hobby", {
        "@do.present/Q $S like/l $A.ing ?",
        "$S @aimer.present/l $A.inf ?",
        "$S 喜欢/l $A 吗/Q ？"}},
    {"sentence", "*2 S:stranger A:hobby", {
        "@do.present/Q $S like/l $A.ing ?",
        "est-ce/Q que/Q $S @aimer.present/l $A.inf ?",
        "$S 喜/l 不/Q 喜欢/l $A ？"}},
    {"sentence", "*2 S:asked A:skill", {
        "can/c $S $A.inf ?",
        "est-ce/Q que/Q $S @savoir.present/c $A.inf ?",
        "$S 会/c $A 吗/Q ？"}},
    {"sentence", "*2 S:stranger A:now", {
        "@be.present/1@A $S $A.ing ?",
        "est-ce/Q que/Q $S $A.present ?",
        "$S $A.prog 吗/Q ？"}},
    // what
    {"sentence", "*2 S:asked T:past", {
        "what/w did/Q $S do/d $T ?",
        "que/w est-ce/Q que/Q $S @faire.past/d $T ?",
        "$S $T 做/d 了/D 什么/w ？"}},
    {"sentence", "S:asked T:past", {
        "what/w did/Q $S eat/d $T ?",
        "que/w est-ce/Q que/Q $S @manger.past/d $T ?",
        "$S $T 吃/d 了/D 什么/w ？"}},
    {"sentence", "S:asked T:past", {
        "what/w did/Q $S buy/d $T ?",
        "que/w est-ce/Q que/Q $S @acheter.past/d $T ?",
        "$S $T 买/d 了/D 什么/w ？"}},
    {"sentence", "S:asked T:soon", {
        "what/w @be.present/1 $S going/1 to/1 do/d $T ?",
        "que/w est-ce/Q que/Q $S @faire.going/d $T ?",
        "$S $T 要/1 做/d 什么/w ？"}},
    {"sentence", "S:asked T:soon", {
        "what/w @do.present/Q $S want/v to/V do/d $T ?",
        "que/w est-ce/Q que/Q $S @vouloir.present/v faire/d $T ?",
        "$S $T 想/v 做/d 什么/w ？"}},
    {"sentence", "*2 S:asked O:shop", {
        "$O.which @do.present/Q $S prefer/p ?",
        "$O.which est-ce/Q que/Q $S @préférer.present/p ?",
        "$S 更/P 喜欢/p $O.which ？"}},
    {"sentence", "S:stranger", {
        "what/w @be.present/1 $S doing/d ?",
        "que/w est-ce/Q que/Q $S @faire.present/d ?",
        "$S 在/1 做/d 什么/w 呢/Q ？"}},
    {"sentence", "*2 O:lost S:you", {
        "where/w @be.present:O/b $O.poss ?",
        "où/w @être.present:O/b $O.poss ?",
        "$O.poss 呢/w ？"}},
    // who
    {"sentence", "A:did T:past", {
        "who/w $A.past $T ?",
        "qui/w $A.past $T ?",
        "$T 谁/w $A.le ？"}},
    {"sentence", "A:plan T:soon", {
        "who/w @want.present/v to/V $A.inf $T ?",
        "qui/w @vouloir.present/v $A.inf $T ?",
        "$T 谁/w 想/v $A ？"}},
    {"sentence", "A:skill", {
        "who/w can/c $A.inf ?",
        "qui/w @savoir.present/c $A.inf ?",
        "谁/w 会/c $A ？"}},
    {"sentence", "S:you P:to T:past", {
        "who/w did/Q $S go/g $P with/h $T ?",
        "avec/h qui/w est-ce/Q que/Q $S @aller.past/g $P $T ?",
        "$S $T 和/h 谁/w 一起/H 去/g 了/G $P ？"}},
    // where, when, why, how
    {"sentence", "S:asked T:soon", {
        "where/w @be.present/1 $S going/g $T ?",
        "où/w est-ce/Q que/Q $S @aller.present/g $T ?",
        "$S $T 去/g 哪儿/w ？"}},
    {"sentence", "S:stranger", {
        "where/w @do.present/Q $S live/l ?",
        "où/w est-ce/Q que/Q $S @habiter.present/l ?",
        "$S 住/l 在/L 哪儿/w ？"}},
    {"sentence", "S:you O:personal", {
        "where/w did/Q $S put/p $O.poss ?",
        "où/w est-ce/Q que/Q $S @mettre.past/p $O.poss ?",
        "$S 把/P $O.poss 放/p 在/P 哪儿/w 了/P ？"}},
    {"sentence", "S:you O:shop", {
        "where/w did/Q $S buy/p $O.that ?",
        "où/w est-ce/Q que/Q $S @acheter.past/p $O.that ?",
        "$S 在/W 哪儿/w 买/p 的/P $O.that ？"}},
    {"sentence", "*2 S:asked A:event", {
        "when/w @be.present/1@A $S going/1@A to/1@A $A.inf ?",
        "quand/w est-ce/Q que/Q $S $A.going ?",
        "$S 什么/w 时候/w $A ？"}},
    {"sentence", "S:stranger", {
        "when/w @do.present/Q $S get/r back/r ?",
        "quand/w est-ce/Q que/Q $S @rentrer.present/r ?",
        "$S 什么/w 时候/w 回来/r ？"}},
    {"sentence", "*2 S:asked A:plan T:soon", {
        "why/w @do.present/Q $S want/v to/V $A.inf $T ?",
        "pourquoi/w est-ce/Q que/Q $S @vouloir.present/v $A.inf $T ?",
        "$S 为什么/w $T 想/v $A ？"}},
    {"sentence", "*2 S:asked A:did T:past", {
        "why/w didn't/n@A $S $A.inf $T ?",
        "pourquoi/w est-ce/Q que/Q $S $A.past.not $T ?",
        "$S $T 为什么/w $A.past.not ？"}},
    {"sentence", "S:asked P:errand", {
        "how/w @do.present/Q $S get/g $P ?",
        "comment/w est-ce/Q que/Q $S @aller.present/g $P ?",
        "$S 怎么/w 去/g $P ？"}},
    {"sentence", "S:self P:errand", {
        "excuse/e me/e , how/w do/Q $S get/g $P ?",
        "excusez-moi/e , comment/w est-ce/Q que/Q $S @aller.present/g $P ?",
        "请问/e ， $S 去/g $P 怎么/w 走/G ？"}},
    {"sentence", "S:name", {
        "how/w old/w @be.present/b $S ?",
        "quel/w âge/w @avoir.present/b $S ?",
        "$S 多大/w 了/B ？"}},
    {"sentence", "S:you O:market/p", {
        "$O.howmany @do.present/Q $S want/w to/W buy/b ?",
        "$O.howmany est-ce/Q que/Q $S @vouloir.present/w acheter/b ?",
        "$S 想/w 买/b $O.howmany ？"}},
    {"sentence", "*2 O:shop", {
        "how/w much/w @be.present:O/c $O.this ?",
        "combien/w @coûter.present:O/c $O.this ?",
        "$O.this 多少/w 钱/w ？"}},
    {"sentence", "*2 O:scheduled T:soon", {
        "what/w time/w does/Q $O.the leave/l $T ?",
        "à/W quelle/w heure/w @partir.present:O/l $O.the $T ?",
        "$T $O 几/w 点/w 出发/l ？"}},
    {"sentence", "O:occasion T:soon", {
        "what/w time/w does/Q $O.the start/l $T ?",
        "à/W quelle/w heure/w @commencer.present:O/l $O.the $T ?",
        "$T $O 几/w 点/w 开始/l ？"}},
    {"sentence", "*2 O:town", {
        "where/w @be.present:O/b $O.the , please/p ?",
        "où/w se/B trouve/b $O.the , s'il/p vous/p plaît/p ?",
        "请问/p ， $O 在/b 哪儿/w ？"}},
    {"sentence", "*2 O:town", {
        "is/i there/i $O.x near/n here/h ?",
        "est-ce/I que/I il/I y/i a/i $O.x près/n de/N ici/h ?",
        "这儿/h 附近/n 有/i $O 吗/I ？"}},
    {"sentence", "S:you", {
        "how/w long/w will/1 $S stay/s here/h ?",
        "combien/w de/W temps/w est-ce/Q que/Q $S @rester.future/s ici/h ?",
        "$S 会/1 在/H 这儿/h 待/s 多久/w ？"}},
};
// clang-format on
const Table frames_questions = {rules, sizeof rules / sizeof *rules};
