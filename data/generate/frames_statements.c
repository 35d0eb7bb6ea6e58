/* Statements: what people do, did, will do, want, can and must do. */
#include "grammar.h"

// clang-format off
static const Rule rules[] = {
    // past
    {"sentence", "*5 S:subject A:did T:past", {
        "$S $A.past $T .",
        "$S $A.past $T .",
        "$T $S $A.le 。"}},
    {"sentence", "*3 S:subject A:day T:pastday", {
        "$S $A.past $T .",
        "$S $A.past $T .",
        "$S $T $A.le 。"}},
    {"sentence", "*4 S:subject A:event T:ago", {
        "$S $A.past $T .",
        "$S $A.past $T .",
        "$S $T $A.le 。"}},
    {"sentence", "*2 S:subject A:event T:ago", {
        "$T $S $A.past .",
        "$T , $S $A.past .",
        "$T ， $S $A.le 。"}},
    {"sentence", "*2 S:subject A:did T:past", {
        "$T $S $A.past .",
        "$T , $S $A.past .",
        "$T ， $S $A.le 。"}},
    {"sentence", "*2 S:minor A:kid T:past", {
        "$S $A.past $T .",
        "$S $A.past $T .",
        "$S $T $A.le 。"}},
    {"sentence", "*3 S:subject A:did T:past", {
        "$S $A.past.not $T .",
        "$S $A.past.not $T .",
        "$T $S $A.past.not 。"}},
    {"sentence", "*2 S:subject A:day T:pastday", {
        "$S $A.past.not $T .",
        "$S $A.past.not $T .",
        "$T $S $A.past.not 。"}},
    {"sentence", "*2 S:subject A:mishap T:past", {
        "$S $A.past $T .",
        "$S $A.past $T .",
        "$T $S $A.le 。"}},
    {"sentence", "*2 S:subject A:duty", {
        "$S $A.perfect.not yet/y@A .",
        "$S $A.perfect.notyet .",
        "$S $A.notyet 。"}},
    {"sentence", "*2 S:named F:other A:did T:past", {
        "$S and/a $F $A.past:& $T .",
        "$S et/a $F $A.past:& $T .",
        "$T $S 和/a $F $A.le 。"}},
    {"sentence", "*2 S:named F:other A:event T:ago", {
        "$S and/a $F $A.past:& $T .",
        "$S et/a $F $A.past:& $T .",
        "$T $S 和/a $F $A.le 。"}},
    // present
    {"sentence", "*3 S:subject A:now", {
        "$S $A.prog .",
        "$S $A.present .",
        "$S $A.prog 。"}},
    {"sentence", "*2 S:subject A:now", {
        "right/m now/m , $S $A.prog .",
        "en/M ce/M moment/m , $S $A.present .",
        "$S 现在/m $A.prog 呢/1@A 。"}},
    {"sentence", "*3 S:subject A:now", {
        "$S $A.prog at/m the/M moment/m .",
        "$S $A.present en/m ce/M moment/m .",
        "$S 现在/m $A.prog 。"}},
    {"sentence", "*2 S:minor A:kid", {
        "$S $A.prog .",
        "$S $A.present .",
        "$S $A.prog 。"}},
    {"sentence", "*2 S:subject A:now", {
        "$S $A.prog.not .",
        "$S $A.present.not .",
        "$S $A.prog.not 。"}},
    {"sentence", "*4 S:subject A:habit T:everyday", {
        "$S $A.present $T .",
        "$S $A.present $T .",
        "$S $T $A 。"}},
    {"sentence", "*4 S:subject F:often A:routine", {
        "$S $F $A.present .",
        "$S $F $A.present .",
        "$S $F $A 。"}},
    {"sentence", "*2 S:subject A:habit T:notdays", {
        "$S usually/u $A.present $T .",
        "$S >généralement/u $A.present $T .",
        "$S $T 通常/u $A 。"}},
    {"sentence", "S:minor F:often A:kid", {
        "$S $F $A.present .",
        "$S $F $A.present .",
        "$S $F $A 。"}},
    {"sentence", "*3 S:subject A:routine T:daysonly", {
        "$S $A.present.not $T .",
        "$S $A.present.not $T .",
        "$S $T $A.not 。"}},
    {"sentence", "*2 S:subject A:routine", {
        "$S $A.present.never .",
        "$S $A.present.never .",
        "$S $A.never 。"}},
    {"sentence", "*2 S:subject A:quit", {
        "$S $A.present.not any/n@A more/n@A .",
        "$S $A.present.nomore .",
        "$S $A.nomore 了/N@A 。"}},
    {"sentence", "*2 S:subject A:quit", {
        "$S used/u to/u $A.inf .",
        "avant/u , $S $A.pasting .",
        "以前/u $S 经常/U $A 。"}},
    {"sentence", "S:subject A:rainable", {
        "$S $A.prog in/r the/R rain/r .",
        "$S $A.present sous/r la/R pluie/r .",
        "$S 冒着/R 雨/r $A 。"}},
    {"sentence", "S:subject A:rainable", {
        "$S $A.past in/r the/R rain/r .",
        "$S $A.past sous/r la/R pluie/r .",
        "$S 冒着/R 雨/r $A.le 。"}},
    // future
    {"sentence", "*4 S:subject A:plan T:soon", {
        "$S $A.future $T .",
        "$S $A.future $T .",
        "$T $S $A.future 。"}},
    {"sentence", "*2 S:subject A:day T:futureday", {
        "$S $A.future $T .",
        "$S $A.future $T .",
        "$S $T $A.future 。"}},
    {"sentence", "*3 S:subject A:project T:later", {
        "$S $A.going $T .",
        "$S $A.going $T .",
        "$T $S $A.going 。"}},
    {"sentence", "*3 S:subject A:plan T:soon", {
        "$S $A.going $T .",
        "$S $A.going $T .",
        "$S $T $A.going 。"}},
    {"sentence", "*2 S:subject A:plan T:soon", {
        "$S $A.future.not $T .",
        "$S $A.future.not $T .",
        "$T $S $A.future.not 。"}},
    {"sentence", "*2 S:subject A:project T:later", {
        "$T $S $A.going .",
        "$T , $S $A.going .",
        "$T ， $S $A.going 。"}},
    // wishes, plans, duties
    {"sentence", "*3 S:subject A:plan T:soon", {
        "$S @want.present/w to/W $A.inf $T .",
        "$S @vouloir.present/w $A.inf $T .",
        "$S $T 想/w $A 。"}},
    {"sentence", "*2 S:subject A:project T:later", {
        "$S @want.present/w to/W $A.inf $T .",
        "$S @vouloir.present/w $A.inf $T .",
        "$S $T 想/w $A 。"}},
    {"sentence", "*2 S:subject A:plan T:soon", {
        "$S @want.present.not/w to/W $A.inf $T .",
        "$S @vouloir.present.not/w $A.inf $T .",
        "$S $T 不/n 想/w $A 。"}},
    {"sentence", "*3 S:subject A:dream", {
        "$S would/W like/w to/W $A.inf .",
        "$S @aimer.would/w $A.inf .",
        "$S 很/W 想/w $A 。"}},
    {"sentence", "*2 S:subject A:dream", {
        "one/d day/d , $S would/W like/w to/W $A.inf .",
        "un/d jour/d , $S @aimer.would/w $A.inf .",
        "将来/D 有/D 一/d 天/d ， $S 想/w $A 。"}},
    {"sentence", "*2 S:subject A:dream", {
        "$S @dream.present/w of/W $A.ing .",
        "$S @rêver.present/w de/W $A.inf .",
        "$S 梦想/w 着/W $A 。"}},
    {"sentence", "*3 S:adult A:duty T:futureday", {
        "$S @have.present/h to/H $A.inf $T .",
        "$S @devoir.present/h $A.inf $T .",
        "$S $T 必须/h $A 。"}},
    {"sentence", "*2 S:adult A:duty T:futureday", {
        "$S @need.present.not/h to/H $A.inf $T .",
        "$S @avoir.present.not/H besoin/h de/H $A.inf $T .",
        "$S $T 不/n 用/h $A 。"}},
    {"sentence", "*2 S:adult A:advice", {
        "$S should/s $A.inf .",
        "$S @devoir.would/s $A.inf .",
        "$S 应该/s $A 。"}},
    {"sentence", "*2 S:adult A:duty", {
        "$S should/s $A.inf .",
        "$S @devoir.would/s $A.inf .",
        "$S 应该/s $A 。"}},
    {"sentence", "*2 S:subject A:duty", {
        "$S @need.present/h to/H $A.inf first/f .",
        "$S >d'abord/f @devoir.present/h $A.inf .",
        "$S 得/h 先/f $A 。"}},
    {"sentence", "*2 S:subject C:control A:plan T:soon", {
        "$S $C.past $A.inf $T .",
        "$S $C.past $A.inf $T .",
        "$S $C $T $A 。"}},
    {"sentence", "*2 S:subject C:deciding A:project T:later", {
        "$S $C.past $A.inf $T .",
        "$S $C.past $A.inf $T .",
        "$S $C $T $A 。"}},
    {"sentence", "S:subject A:duty", {
        "$S @refuse.past/r to/R $A.inf .",
        "$S @refuser.past/r de/R $A.inf .",
        "$S 拒绝/r $A 。"}},
    {"sentence", "*2 S:subject C:hoping A:project T:later", {
        "$S $C.present $A.inf $T .",
        "$S $C.present $A.inf $T .",
        "$S $C $T $A 。"}},
    {"sentence", "*2 S:subject C:hoping A:plan T:soon", {
        "$S $C.present $A.inf $T .",
        "$S $C.present $A.inf $T .",
        "$S $C $T $A 。"}},
    {"sentence", "*3 S:subject A:duty", {
        "$S @forget.past/f to/F $A.inf .",
        "$S @oublier.past/f de/F $A.inf .",
        "$S 忘/f 了/F $A 。"}},
    {"sentence", "*2 S:subject A:duty T:past", {
        "$S @have.past.not/f time/t to/F $A.inf $T .",
        "$S @avoir.past.not/f le/T temps/t de/F $A.inf $T .",
        "$T $S 没/n 有/f 时间/t $A 。"}},
    {"control deciding", "", {"@decide/d to/D", "@décider/d de/D", "决定/d"}},
    {"control", "", {"@promise/d to/D", "@promettre/d de/D", "答应/d"}},
    {"hoping", "", {"@hope/d to/D", "@espérer/d", "希望/d"}},
    {"hoping", "", {"@plan/d to/D", "@prévoir/d de/D", "打算/d"}},
    {"sentence", "*3 S:subject A:errandfor T:pastday", {
        "$S @go.past/g $A $T .",
        "$S @aller.past/g $A $T .",
        "$S $T $A 了/G 。"}},
    {"sentence", "*2 S:subject A:errandfor T:futureday", {
        "$S @have.present/h to/H go/g $A $T .",
        "$S @devoir.present/h aller/g $A $T .",
        "$S $T 得/h $A 。"}},
    // how things are done
    {"sentence", "*3 S:third L:language W:howwell", {
        "$S @speak.present/s $L $W .",
        "$S @parler.present/s $W $L.gen .",
        "$S $L 说/s 得/S $W 。"}},
    {"sentence", "*3 S:third F:other W:artful", {
        "$S $W.present better/b than/t $F .",
        "$S $W.present mieux/b que/t $F .",
        "$S $W 得/W@W 比/t $F 好/b 。"}},
    {"sentence", "*2 S:third W:howdo", {
        "$S $W.present .",
        "$S $W.present .",
        "$S $W 。"}},
    {"sentence", "*3 S:named W:quietly T:past", {
        "$S $W.past $T .",
        "$S $W.past $T .",
        "$T $S $W 。"}},
    {"howwell", "", {"very/v well/w", "très/v bien/w", "很/v 好/w"}},
    {"howwell", "", {"fluently/w", "couramment/w", "很/W 流利/w"}},
    {"howwell", "", {"quite/v badly/w", "assez/v mal/w", "不太/v 好/w"}},
    {"artful", "", {"@sing/v", "@chanter/v", "唱/v"}},
    {"artful", "", {"@dance/v", "@danser/v", "跳/v"}},
    {"artful", "", {"@cook/v", "@cuisiner/v", "做饭/v 做/V"}},
    {"artful", "", {"@draw/v", "@dessiner/v", "画/v"}},
    {"artful", "", {"@write/v", "@écrire/v", "写/v"}},
    {"howdo", "", {"@run/v very/r fast/f", "@courir/v très/r vite/f", "跑/v 得/V 很/r 快/f"}},
    {"howdo", "", {"@walk/v very/r slowly/f", "@marcher/v très/r lentement/f", "走/v 得/V 很/r 慢/f"}},
    {"howdo", "", {"@drive/v too/r fast/f", "@conduire/v trop/r vite/f", "开车/v 开/V 得/V 太/r 快/f"}},
    {"howdo", "", {"@speak/v too/r softly/f", "@parler/v trop/r doucement/f", "说话/v 说/V 得/V 太/r 轻/f"}},
    {"howdo", "", {"@work/v too/r much/f", "@travailler/v trop/rf", "工作/v 得/V 太/r 多/f"}},
    {"quietly", "", {"quietly/q @close/v the/t door/d", "@fermer/v doucement/q la/t porte/d", "轻轻/q 地/Q 关/v 上/v 了/V 门/d"}},
    {"quietly", "", {"@answer/v the/t question/d politely/q", "@répondre/v poliment/q à/D la/t question/d", "有礼貌/q 地/Q 回答/v 了/V 问题/d"}},
    {"quietly", "", {"carefully/q @read/v the/t letter/d", "@lire/v attentivement/q la/t lettre/d", "仔细/q 地/Q 读/v 了/V 信/d"}},
    {"quietly", "", {"@wait/v patiently/q for/V the/t train/d", "@attendre/v patiemment/q le/t train/d", "耐心/q 地/Q 等/v 着/V 火车/d"}},
    {"quietly", "", {"happily/q @open/v the/t present/d", "@ouvrir/v joyeusement/q le/t cadeau/d", "高兴/q 地/Q 打开/v 了/V 礼物/d"}},
    {"quietly", "", {"@leave/v the/t room/d hurriedly/q", "@quitter/v précipitamment/q la/t pièce/d", "匆忙/q 地/Q 离开/v 了/V 房间/d"}},
    // for how long
    {"sentence", "*3 S:subject A:spell D:duration T:pastday", {
        "$S $A.past $D $T .",
        "$S $A.past $D $T .",
        "$S $T $A 了/V@A $D 。"}},
    {"spell", "", {"@work/v", "@travailler/v", "工作/v"}},
    {"spell", "", {"@read/v", "@lire/v", "看/v 书/V 看/V"}},
    {"spell", "", {"@swim/v", "@nager/v", "游泳/v 游/V"}},
    {"spell", "", {"@walk/v", "@marcher/v", "走/v"}},
    {"spell", "", {"@wait/v", "@attendre/v", "等/v"}},
    {"spell", "", {"@rest/v", "@se_reposer/v", "休息/v"}},
    {"spell", "", {"@dance/v", "@danser/v", "跳舞/v 跳/V"}},
    {"spell", "L:language", {"@study/v $L", "@étudier/v $L.gen", "学/v $L 学/V"}},
    {"sentence", "*2 S:self N:10-50/5", {
        "$S @be.perfect/W waiting/w for/f $N minutes/m .",
        "$S @attendre.present/w depuis/f $N minutes/m .",
        "$S 等/w 了/W $N.counting 分钟/m 了/F 。"}},
    // done to: 被
    {"sentence", "*2 O:lost T:pastday S:self", {
        "$O.poss @be.past:O/V stolen/v $T .",
        "on/V m'a/V volé/v $O.poss $T .",
        "$T $O.poss 被/V 偷/v 了/V 。"}},
    {"sentence", "*2 F:named", {
        "the/t glass/g was/V broken/v by/b $F .",
        "le/t verre/g a/V été/V cassé/v par/b $F .",
        "玻璃杯/g 被/b $F 打碎/v 了/V 。"}},
    {"sentence", "*2 F:named", {
        "the/t letter/g was/V written/v by/b $F .",
        "la/t lettre/g a/V été/V écrite/v par/b $F .",
        "信/g 是/V $F 写/v 的/V 。"}},
    {"sentence", "*2 F:named", {
        "the/t cake/g was/V eaten/v by/b $F .",
        "le/t gâteau/g a/V été/V mangé/v par/b $F .",
        "蛋糕/g 被/b $F 吃/v 掉/V 了/V 。"}},
    {"sentence", "*2 F:named", {
        "the/t keys/g were/V found/v by/b $F .",
        "les/t clés/g ont/V été/V retrouvées/v par/b $F .",
        "钥匙/g 被/b $F 找到/v 了/V 。"}},
    // likes and skills
    {"sentence", "*3 S:subject A:hobby", {
        "$S @like.present/l $A.ing .",
        "$S @aimer.present/l $A.inf .",
        "$S 喜欢/l $A 。"}},
    {"sentence", "S:minor A:kid", {
        "$S @like.present/l $A.ing .",
        "$S @aimer.present/l $A.inf .",
        "$S 喜欢/l $A 。"}},
    {"sentence", "*2 S:subject A:hobby", {
        "$S @like.present.not/l $A.ing .",
        "$S @aimer.present.not/l $A.inf .",
        "$S 不/n 喜欢/l $A 。"}},
    {"sentence", "*2 S:subject A:hobby", {
        "$S @love.present/l $A.ing .",
        "$S @adorer.present/l $A.inf .",
        "$S 非常/L 喜欢/l $A 。"}},
    {"sentence", "S:subject A:hobby", {
        "$S @hate.present/l $A.ing .",
        "$S @détester.present/l $A.inf .",
        "$S 讨厌/l $A 。"}},
    {"sentence", "*2 S:subject A:hobby B:hobby", {
        "$S @prefer.present/p $A.ing to/r $B.ing .",
        "$S @préférer.present/p $A.inf plutôt/r que/R de/R $B.inf .",
        "比/r 起/R $B ， $S 更/P 喜欢/p $A 。"}},
    {"sentence", "*2 S:adult A:skill", {
        "$S can/c $A.inf .",
        "$S @savoir.present/c $A.inf .",
        "$S 会/c $A 。"}},
    {"sentence", "S:young A:skill", {
        "$S can/c already/a $A.inf .",
        "$S @savoir.present/c déjà/a $A.inf .",
        "$S 已经/a 会/c $A 了/C 。"}},
    {"sentence", "*2 S:subject A:skill", {
        "$S can't/cn $A.inf .",
        "$S @savoir.present.not/c $A.inf .",
        "$S 不/n 会/c $A 。"}},
    {"sentence", "S:subject A:skill", {
        "$S can/c $A.inf very/v well/w .",
        "$S @savoir.present/c très/v bien/w $A.inf .",
        "$S 很/v 会/cw $A 。"}},
    {"sentence", "*2 S:subject A:skill T:yearsago", {
        "$S @learn.past/s to/S $A.inf $T .",
        "$S @apprendre.past/s à/S $A.inf $T .",
        "$S $T 学会/s 了/S $A 。"}},
    {"sentence", "*2 S:subject L:language N:2-9", {
        "$S @be.perfect/L learning/l $L for/f $N years/y .",
        "$S @apprendre.present/l $L.gen depuis/f $N ans/y .",
        "$S 学/l $L 学/L 了/L $N.counting 年/y 了/F 。"}},
    // the day's hours
    {"sentence", "S:subject T:morninghour", {
        "$S @get.present/u up/u $T every/e day/d .",
        "$S @se_lever.present/u tous/e les/E jours/d $T .",
        "$S 每/e 天/d $T 起床/u 。"}},
    {"sentence", "S:subject T:clock", {
        "$S @get.past/u home/h $T yesterday/y .",
        "$S @rentrer.past/u à/H la/H maison/h hier/y $T .",
        "$S 昨天/y $T 回/u 到/U 家/h 。"}},
    {"sentence", "S:subject T:clock U:onday", {
        "$S @leave.future/u $T $U .",
        "$S @partir.future/u $T $U .",
        "$S $U $T 会/1 出发/u 。"}},
    {"sentence", "S:subject A:plan T:clock", {
        "$S $A.going tomorrow/t $T .",
        "$S $A.going demain/t $T .",
        "明天/t $T ， $S $A.going 。"}},
};
// clang-format on
const Table frames_statements = {rules, sizeof rules / sizeof *rules};
