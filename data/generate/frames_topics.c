/* Weather, travel, work, family, health, dates and hours. */
#include "grammar.h"

// clang-format off
static const Rule rules[] = {
    // weather
    {"sentence", "*2 W:rainfall T:past P:intown", {
        "it/r $W.past $P $T .",
        "il/r $W.past $P $T .",
        "$T $P 下/r@W 了/R@W $W 。"}},
    {"sentence", "*2 W:rainfall T:soon P:intown", {
        "it/r $W.future $P $T .",
        "il/r $W.future $P $T .",
        "$T $P 会/1@W 下/R@W $W 。"}},
    {"sentence", "P:intown I:rainseason", {
        "it/r often/o rains/r $P $I .",
        "il/r pleut/r souvent/o $P $I .",
        "$P $I 经常/o 下/R 雨/r 。"}},
    {"sentence", "C:snowtown T:past", {
        "it/r snowed/r in/i $C $T .",
        "il/r a/R neigé/r à/i $C $T .",
        "$T $C 下/R 了/R 雪/r 。"}},
    {"sentence", "C:snowtown", {
        "it/r often/o snows/r in/i $C in/j winter/w .",
        "il/r neige/r souvent/o à/i $C en/j hiver/w .",
        "$C 冬天/w 经常/o 下/R 雪/r 。"}},
    {"climate", "", {"cold/c in/i winter/w", "froid/c en/i hiver/w", "冬天/w 很/C 冷/c"}},
    {"climate", "", {"hot/c in/i summer/w", "chaud/c en/i été/w", "夏天/w 很/C 热/c"}},
    {"climate", "", {"hot/c in/i July/w", "chaud/c en/i juillet/w", "七月/w 很/C 热/c"}},
    {"climate", "", {"cold/c in/i January/w", "froid/c en/i janvier/w", "一月/w 很/C 冷/c"}},
    {"climate", "", {"mild/c in/i spring/w", "doux/c au/i printemps/w", "春天/w 很/C 温和/c"}},
    {"climate", "", {"cool/c in/i autumn/w", "frais/c en/i automne/w", "秋天/w 很/C 凉快/c"}},
    {"rainseason", "", {"in/i autumn/s", "en/i automne/s", "秋天/s"}},
    {"rainseason", "", {"in/i spring/s", "au/i printemps/s", "春天/s"}},
    {"rainseason", "M:month", {"in/i $M", "en/i $M", "$M"}},
    {"rainfall", "", {"@rain/r", "@pleuvoir/r", "雨/r"}},
    {"intown", "C:town_name", {"in/i $C", "à/i $C", "$C"}},
    {"sentence", "*2 P:intown I:climate", {
        "it/X is/b very/v $I $P .",
        "il/X fait/b très/v $I $P .",
        "$P $I 。"}},
    {"sentence", "*2 J:meteo W:1-1 T:soon P:intown", {
        "it/X will/1 be/b $J $P $T .",
        "il/X fera/b1 $J:W $P $T .",
        "$T $P 会/1 很/B $J 。"}},
    {"sentence", "P:intown N:9-29 T:past", {
        "it/X was/b $N degrees/d $P $T .",
        "il/X faisait/b $N degrés/d $P $T .",
        "$T $P $N 度/d 。"}},
    {"sentence", "I:inseason S:subject", {
        "$S @like.present/l to/L travel/t $I .",
        "$S @aimer.present/l voyager/t $I .",
        "$S 喜欢/l 在/I@I $I 旅行/t 。"}},
    // travel
    {"sentence", "*3 P:neartown T:clock O:scheduled", {
        "$O.the to/t $P leaves/l $T .",
        "$O.the pour/t $P part/l $T .",
        "去/t $P 的/T $O $T 出发/l 。"}},
    {"sentence", "*3 P:neartown O:scheduled N:10-50/5", {
        "$O.the from/f $P is/b $N minutes/m late/l .",
        "$O.the de/f $P a/b $N minutes/m de/L retard/l .",
        "从/f $P 来/F 的/F $O 晚点/l 了/B $N.counting 分钟/m 。"}},
    {"sentence", "*2 P:neartown O:scheduled T:clock", {
        "$O.the from/f $P arrives/a $T .",
        "$O.the de/f $P arrive/a $T .",
        "从/f $P 来/F 的/F $O $T 到/a 。"}},
    {"sentence", "*3 P:neartown N:2-9 V:bymeans", {
        "it/i takes/t $N hours/h to/T get/g to/o $P $V .",
        "il/i faut/t $N heures/h pour/T aller/g à/o $P $V .",
        "$V 去/go $P 要/t $N.counting 个/N@N 小时/h 。"}},
    {"sentence", "*2 P:neartown V:bymeans S:third T:later", {
        "$S @be.present/1 going/1 to/o $P $V $T .",
        "$S @aller.present/1 à/o $P $V $T .",
        "$T $S 要/1 $V 去/o $P 。"}},
    {"bymeans", "", {"by/b train/t", "en/b train/t", "坐/b 火车/t"}},
    {"bymeans", "", {"by/b car/t", "en/b voiture/t", "开/b 车/t"}},
    {"bymeans", "", {"by/b bus/t", "en/b bus/t", "坐/b 大巴/t"}},
    {"bymeans", "", {"by/b plane/t", "en/b avion/t", "坐/b 飞机/t"}},
    {"sentence", "*2 S:subject C:country D:somemonths", {
        "$S @spend.past/s $D in/i $C last/l year/y .",
        "$S @passer.past/s $D $C l'année/y dernière/l .",
        "$S 去年/ly 在/i $C 待/s 了/S $D 。"}},
    {"somemonths", "N:2-9", {"$N months/m", "$N mois/m", "$N.counting 个/N@N 月/m"}},
    {"somemonths", "N:2-6", {"$N weeks/m", "$N semaines/m", "$N.counting 个/N@N 星期/m"}},
    {"sentence", "*2 S:asked C:country", {
        "@have.present/V $S ever/e been/v to/a $C ?",
        "est-ce/Q que/Q $S >déjà/e @aller.past/v $C ?",
        "$S 去/v 过/e $C 吗/Q ？"}},
    {"sentence", "*2 S:subject C:country", {
        "$S @have.present/V never/n been/v to/a $C .",
        "$S @aller.past.never/v $C .",
        "$S 从来/n 没/n 去/v 过/V $C 。"}},
    {"sentence", "*2 S:subject C:town_name", {
        "$S @have.present/V already/e been/v to/a $C .",
        "$S >déjà/e @aller.past/v à/a $C .",
        "$S 已经/e 去/v 过/V $C 了/E 。"}},
    {"sentence", "*2 S:subject U:hotelish J:lodging T:pastday", {
        "$S @find.past/f $U.x+J near/n the/s station/s .",
        "$S @trouver.past/f $U.x+J près/n de/N la/s gare/s .",
        "$S 在/N 火车站/s 附近/n 找到/f 了/F $U.x+J 。"}},
    // home, origin, work
    {"sentence", "*2 S:third P:home", {
        "$S @live.present/l $P .",
        "$S @habiter.present/l $P .",
        "$S 住/l $P 。"}},
    {"sentence", "*2 S:subject C:town_name T:since", {
        "$S @have.present/V lived/l in/i $C $T .",
        "$S @habiter.present/l à/i $C $T .",
        "$S 在/i $C 住/l 了/V $T 了/V 。"}},
    {"sentence", "S:subject C:town_name T:since", {
        "$S @live.perfect.not/l in/i $C $T .",
        "$S @habiter.present.nomore/l à/i $C $T .",
        "$S 已经/N $T 不/N 住/l 在/i $C 了/V 。"}},
    {"sentence", "*2 S:subject U:employer T:since", {
        "$S @have.present/V worked/w $U $T .",
        "$S @travailler.present/w $U $T .",
        "$S $U 工作/w 了/V $T 了/V 。"}},
    {"sentence", "*2 S:male O:job", {
        "$S @be.present/b $O.x .",
        "$S @être.present/b $O .",
        "$S 是/b $O.x 。"}},
    {"sentence", "*3 S:worker P:post", {
        "$S @work.present/w $P .",
        "$S @travailler.present/w $P .",
        "$S $P 。"}},
    {"sentence", "*2 S:worker P:post T:yearsago", {
        "$S @work.past/w $P $T .",
        "$S @travailler.pasting/w $P $T .",
        "$S $T $P 。"}},
    {"post", "", {"as/s a/a journalist/j in/i a/b big/g city/c", "comme/s journaliste/j dans/i une/b grande/g ville/c", "在/i 一/b 个/B 大/g 城市/c 当/s 记者/j"}},
    {"post", "", {"as/s a/a teacher/j in/i a/b small/g village/c", "comme/s professeur/j dans/i un/b petit/g village/c", "在/i 一/b 个/B 小/g 村子/c 当/s 老师/j"}},
    {"post", "", {"as/s a/a doctor/j at/i the/t hospital/h", "comme/s médecin/j à/i l'hôpital/th", "在/i 医院/h 当/s 医生/j"}},
    {"post", "", {"as/s a/a secretary/j in/i a/b bank/h", "comme/s secrétaire/j dans/i une/b banque/h", "在/i 一/b 家/B 银行/h 当/s 秘书/j"}},
    {"post", "", {"as/s an/a accountant/j in/i a/b factory/h", "comme/s comptable/j dans/i une/b usine/h", "在/i 一/b 家/B 工厂/h 当/s 会计/j"}},
    {"post", "", {"as/s a/a guide/j in/i a/b museum/h", "comme/s guide/j dans/i un/b musée/h", "在/i 一/b 家/B 博物馆/h 当/s 讲解员/j"}},
    {"post", "", {"as/s a/a pilot/j for/i an/b airline/h", "comme/s pilote/j pour/i une/b compagnie/h aérienne/h", "在/i 一/b 家/B 航空/h 公司/h 当/s 飞行员/j"}},
    {"post", "", {"as/s a/a scientist/j at/i the/t university/h", "comme/s scientifique/j à/i l'université/th", "在/i 大学/h 当/s 研究员/j"}},
    {"post", "", {"as/s a/a librarian/j in/i our/b town/h", "comme/s bibliothécaire/j dans/i notre/b ville/h", "在/i 我们/b 的/B 城市/h 当/s 图书管理员/j"}},
    {"sentence", "*2 S:worker O:epicene T:since", {
        "$S @have.present/V been/b $O.x $T .",
        "$S @être.present/b $O $T .",
        "$S 当/b $O $T 了/V 。"}},
    {"sentence", "S:young O:epicene", {
        "$S @want.present/w to/W be/b $O.x .",
        "$S @vouloir.present/w être/b $O .",
        "$S 想/w 当/b $O 。"}},
    {"employer", "", {"in/i a/a bank/b", "dans/i une/a banque/b", "在/i 一/a 家/A 银行/b"}},
    {"employer", "", {"in/i a/a hospital/b", "dans/i un/a hôpital/b", "在/i 一/a 家/A 医院/b"}},
    {"employer", "", {"in/i a/a school/b", "dans/i une/a école/b", "在/i 一/a 所/A 学校/b"}},
    {"employer", "", {"in/i a/a hotel/b", "dans/i un/a hôtel/b", "在/i 一/a 家/A 酒店/b"}},
    {"employer", "", {"for/i a/a big/g company/b", "pour/i une/a grande/g entreprise/b", "在/i 一/a 家/A 大/g 公司/b"}},
    {"employer", "", {"in/i a/a factory/b", "dans/i une/a usine/b", "在/i 一/a 家/A 工厂/b"}},
    {"employer", "", {"at/i the/t university/b", "à/i l'université/tb", "在/i 大学/b"}},
    {"employer", "", {"at/i the/t airport/b", "à/i l'aéroport/tb", "在/i 机场/b"}},
    // people's dates
    {"sentence", "*2 S:name N:1960-2012 C:town_name", {
        "$S @be.past/V born/b in/i $C in/n $N.digits .",
        "$S @naître.past/b à/i $C en/n $N.digits .",
        "$S $N.digits 年/n 出生/b 在/i $C 。"}},
    {"sentence", "*2 S:name N:22-60", {
        "$S @be.present/b $N years/y old/o .",
        "$S @avoir.present/b $N ans/yo .",
        "$S $N 岁/yo 了/B 。"}},
    {"sentence", "*2 S:young N:3-14", {
        "$S @be.present/b $N years/y old/o .",
        "$S @avoir.present/b $N ans/yo .",
        "$S $N 岁/yo 。"}},
    {"sentence", "S:third M:month", {
        "$S @be.past/V born/b in/i $M .",
        "$S @naître.past/b en/i $M .",
        "$S 是/V $M 出生/b 的/V 。"}},
    {"sentence", "S:third N:2-28 M:month", {
        "$S @get.present/g back/g on/o $M $N.digits .",
        "$S @rentrer.present/g le/o $N.digits $M .",
        "$S $M $N 号/O 回来/g 。"}},
    {"sentence", "*2 O:occasion N:2-28 M:month", {
        "$O.the is/b on/o $M $N.digits .",
        "$O.the @avoir.present:O/b lieu/B le/o $N.digits $M .",
        "$O 在/o $M $N 号/O 。"}},
    {"sentence", "*2 O:occasion T:clock U:onday", {
        "$O.the starts/s $T $U .",
        "$O.the commence/s $U $T .",
        "$O $U $T 开始/s 。"}},
    {"sentence", "S:meorus O:movable D:weekday E:weekday J:moved", {
        "$O.poss has/1 been/1 $J from/f $D to/t $E .",
        "$O.poss a/1 été/1 $J:O de/f le/F $D à/t le/T $E .",
        "$O.poss 从/f $D 改/j@J 到/t 了/1 $E 。"}},
    {"sentence", "D:weekday M:month N:2-28", {
        "today/t is/b $D , $M $N.digits .",
        "aujourd'hui/t , nous/B sommes/b le/B $D $N.digits $M .",
        "今天/t 是/b $M $N 号/B ， $D 。"}},
    {"sentence", "H:2-11 M:5-25/5", {
        "it/i is/i $M past/p $H .",
        "il/i est/i $H heures/P $M .",
        "现在/I 是/i $H.counting 点/P $M 分/P 。"}},
    {"sentence", "*2 O:shopkind H:7-10 N:4-8", {
        "$O.the opens/o at/a $H and/e closes/c at/b $N .",
        "$O.the ouvre/o à/a $H heures/H@H et/e ferme/c à/b $N heures/H@N .",
        "$O $H 点/H@H 开门/o ， $N 点/H@N 关门/c 。"}},
    {"sentence", "*2 O:public D:notdays J:closed", {
        "$O.the is/b $J $D .",
        "$O.the @être.present:O/b $J:O $D .",
        "$O $D 不/j@J 开门/j@J 。"}},
    {"sentence", "*2 O:public T:notdays J:opened", {
        "$O.the is/b $J $T .",
        "$O.the @être.present:O/b $J:O $T .",
        "$O $T 开门/j@J 。"}},
    {"sentence", "*2 S:name T:ago", {
        "$S got/V married/v $T .",
        "$S @se_marier.past/v $T .",
        "$S $T 结/v 了/V 婚/v 。"}},
    {"sentence", "*2 S:name F:name T:later", {
        "$S and/a $F are/1 getting/V married/v $T .",
        "$S et/a $F @se_marier.present:&/v $T .",
        "$S 和/a $F $T 要/1 结婚/v 。"}},
    {"sentence", "S:name F:name T:yearsago", {
        "$S and/a $F met/m $T .",
        "$S et/a $F @se_rencontrer.past:&/m $T .",
        "$S 和/a $F 是/M $T 认识/m 的/M 。"}},
    {"sentence", "S:minor F:often A:kidroutine", {
        "$S $F $A.present .",
        "$S $F $A.present .",
        "$S $F $A 。"}},
    // health
    {"sentence", "*2 S:self O:bodypart", {
        "$O.poss hurts/h .",
        "$S @avoir.present/H mal/h à/H $O.the .",
        "$O.poss 很/H 疼/h 。"}},
    {"sentence", "*2 S:third O:bone T:ago", {
        "$S @break.past/c $O.poss $T .",
        "$S @se_casser=.past/c $O.the $T .",
        "$S $T 摔断/c 了/C $O 。"}},
    {"sentence", "*2 S:third I:illness T:sinceday", {
        "$S @have.perfect/h $I since/s $T .",
        "$S @avoir.present/h $I depuis/s $T .",
        "$S 从/s $T 开始/S $I 。"}},
    {"illness", "", {"a/a headache/h", "mal/a à/A la/A tête/h", "头/h 疼/a"}},
    {"illness", "", {"a/a fever/f", "de/a la/A fièvre/f", "发烧/f"}},
    {"illness", "", {"a/a stomach/h ache/a", "mal/a à/A le/A ventre/h", "肚子/h 疼/a"}},
    {"illness", "", {"a/a sore/s throat/t", "mal/s à/A la/A gorge/t", "嗓子/t 疼/s"}},
    {"illness", "", {"a/a toothache/h", "mal/h à/A les/A dents/h", "牙/h 疼/h"}},
    {"sinceday", "", {"yesterday/y", "hier/y", "昨天/y"}},
    {"sinceday", "", {"this/t morning/m", "ce/t matin/m", "今天/t 早上/m"}},
    {"sinceday", "", {"last/l night/n", "hier/l soir/n", "昨/l 晚/n"}},
    {"sinceday", "D:weekday", {"$D", "$D", "$D"}},
    {"sentence", "S:you I:illness", {
        "@do.present/Q $S have/h $I ?",
        "est-ce/Q que/Q $S @avoir.present/h $I ?",
        "$S $I 吗/Q ？"}},
    // how many there are
    {"sentence", "N:12-40", {
        "there/t are/b $N students/s in/i this/h class/c .",
        "il/t y/t a/b $N élèves/s dans/i cette/h classe/c .",
        "这/h 个/H 班/c 有/tb $N.counting 个/N@N 学生/s 。"}},
    {"sentence", "O:public/p N:2-4 P:district", {
        "there/t are/b $O.num+N $P .",
        "il/t y/t a/b $O.num+N $P .",
        "$P 有/tb $O.num+N 。"}},
    {"district", "", {"in/i this/t town/n", "dans/i cette/t ville/n", "这/t 座/T 城市/n"}},
    {"district", "", {"in/i our/t neighbourhood/n", "dans/i notre/t quartier/n", "我们/t 这/T 个/T 街区/n"}},
    {"district", "", {"near/i the/t square/n", "près/i de/I la/t place/n", "广场/n 附近/i"}},
    {"sentence", "O:anyroom/p N:2-6 P:room", {
        "there/t are/b $O.num+N in/i $P.the .",
        "il/t y/t a/b $O.num+N dans/i $P.the .",
        "$P 里/i 有/tb $O.num+N 。"}},
};
// clang-format on
const Table frames_topics = {rules, sizeof rules / sizeof *rules};
