#include "language/language.h"

static const LanguageScripts chinese_scripts = {
    .tags = {"zh-Hans", "zh-Hant"},
    .second_name = "Chinese (traditional)",
    .second_parts = "hant tw hk mo zt", // zt: LibreTranslate's older name
};

/* Words: articles, pronouns, prepositions, conjunctions, auxiliary verbs and other words of
 * everyday sentences; of Vietnamese, syllables. An apostrophe belongs to the word before it: "l'",
 * "don'". */
// clang-format off
const Language language_table[] = {
    {"en", "English", "eng",
     .words = "the of and to a in is that it was for on are as with his they at be this have from "
              "or had by not but what all were we when your can said there an each which she do "
              "how their if will up other about out many then them these so some her would him "
              "has two more no my than been who its now did get may i you he me don' it' isn' "
              "doesn' didn' wasn' i' can' won' couldn' ll ve very want should could because where "
              "never always please today think know like went going every why that' you' he' she' "
              "we' they' let' here after before any our us those people woman man men women boy "
              "girl child children young old little big black white red blue green water street "
              "house car dog hand head day night year work school standing sitting walking "
              "wearing playing holding looking near front while through next back down away off "
              "over against between new good first long way make take come see tell give find ask "
              "need feel still",
     .stop_is_no_ordinal = true,
     .quotes = {"\"", "\""},
     .abbreviations = "no.:%number nos.:%numbers p.:%page pp.:%pages tel.:telephone approx.:approximately "
                      "e.g.:for_example i.e.:that_is mins:minutes hrs:hours yrs:years ft.:feet Mon.:Monday Tue.:Tuesday "
                      "Tues.:Tuesday Wed.:Wednesday Thu.:Thursday Thurs.:Thursday Fri.:Friday Sat.:%Saturday "
                      "u:you ur:your pls:please plz:please thx:thanks tmrw:tomorrow tmr:tomorrow rn:right_now cuz:because "
                      "btw:by_the_way idk:i_don't_know np:no_problem ppl:people msg:message omg:wow tbh:to_be_honest "
                      "ngl:honestly asap:as_soon_as_possible gonna:going_to wanna:want_to gotta:have_to kinda:kind_of lemme:let_me "
                      "gimme:give_me dunno:don't_know yeah:yes yep:yes yup:yes nah:no nope:no im:i'm ive:i've youre:you're "
                      "youve:you've youll:you'll hes:he's shes:she's itll:it'll theyre:they're theyve:they've theyll:they'll "
                      "thats:that's theres:there's whats:what's wheres:where's whos:who's hows:how's dont:don't cant:can't "
                      "wont:won't didnt:didn't doesnt:doesn't isnt:isn't arent:aren't wasnt:wasn't werent:weren't couldnt:couldn't "
                      "wouldnt:wouldn't shouldnt:shouldn't hasnt:hasn't havent:haven't hadnt:hadn't",
     .magnitudes = "6million 9billion 12trillion",
     .day_parts = "0a.m. 0<am 0<AM 12p.m. 12<pm 12<PM",
     .ordinals = "0th 1st 2nd 3rd 11th 12th 13th",
     .group = ",", .decimal = ".",
     .sentence_words = {[WORDS_BEFORE_NAME] = "mr mrs ms mx messrs mmes dr drs prof rev hon pres gov gen Col maj "
                               "capt cmdr lt sgt cpl pvt adm sen rep supt mt e.g i.e eg ie viz v "
                               "vs cf approx",
         [WORDS_BEFORE_NUMBER] = "no nos p pp vol vols fig figs ch chap sec sect art eq par para "
                                 "pt ref ver ed nr tel ext",
         [WORDS_DOUBTFUL] = "a.m p.m jr sr inc ltd co corp bros llc plc dept asst assoc univ est "
                            "ave blvd rd st ft oz lb lbs tsp tbsp hr hrs al ca ph.d m.d Jan Feb "
                            "Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thurs "
                            "Fri Sat Sun",
         [WORDS_STARTING] = "the a an i he she it we they you this that these those there here in "
                            "on at but and so if when then what why how who where which my his "
                            "her our their your its no yes one some many most all after before as "
                            "for from with by to not now do does did is are was were can could "
                            "will would should may must have has had please let thank however "
                            "never perhaps maybe also everyone everybody nobody someone nothing "
                            "everything each both other others only just even still today "
                            "tomorrow yesterday",
         [WORDS_CAPITAL] = "I Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
         [WORDS_JOINING] = "and but so because when while if although though unless until whereas "
                           "where which who then",
         [WORDS_PATTERNS] = "%m_%d,_%Y/%d_%m_%Y/%m_%d_%Y/<%d_of_%m_%Y %m_%d/%d_%m/<%d_of_%m %m_%Y/%m,_%Y "
             "%I_%P/<%I%P %I:30_%P/<%I:30%P/<%I.30_%P/<%I.30%P "
             "%I:%M_%P/<%I:%M%P/<%I.%M_%P/<%I.%M%P "
             ">%n_hours/>%n_hour/>%n-hour >%n_hours_%M_minutes/>%n:%M minus_%n_degrees/>-%n_degrees/%n_degrees_below_zero "
             "1st/>first %o_century/<%o_Century %o_floor %o",
         [WORDS_BEFORE_DAY] = "the",
         [WORDS_BEFORE_QUANTITY] = "have has had having of than about around only nearly almost over under is are was were by least",
         [WORDS_BEHIND_DAY] = "of and or to at in is was but for from",
         [WORDS_MONTHS] = "January/<Jan./<Jan February/<Feb./<Feb March/<Mar. April/<Apr./<Apr May "
                          "June/<Jun. July/<Jul. August/<Aug./<Aug September/<Sept./<Sept/<Sep. "
                          "October/<Oct./<Oct November/<Nov./<Nov December/<Dec./<Dec",
         [WORDS_COUNTED] =
             "euro/euros/>€ dollar/dollars/>$ pound/pounds/>£ yuan year/years minute/minutes hour/hours "
             "o'clock/>pm/>p.m./>am/>a.m. >half/>thirty day/days week/weeks month/months "
             "kilometre/kilometres/kilometer/kilometers metre/metres/meter/meters "
             "litre/litres/liter/liters kilo/kilos/kilogram/kilograms",
         [WORDS_TITLES] =
             "Mr./Mr/>sir/>Sir/>gentleman/>gentlemen/>husband "
             "Mrs./Mrs/Ms./Ms/Madam/>madam/>Madame/>wife/>lady/>ladies "
             "Miss/>Ms./>Mrs./>Ladies/>ladies/>lady/>girl "
             ">surgeon/>surgeons Dr./Dr/Doctor/>doctor/>doctors/>physician Professor/Prof./>professor/>professors",
         [WORDS_LISTING] = "and or and",
         [WORDS_OF_SPEECH] = "said says asked asks cried replied shouted whispered answered "
                             "exclaimed yelled thought wondered added murmured called repeated",
     }},
    {"fr", "French", "fra fre français francais",
     .words = "le la les de des du et un une est en que qui dans pour pas plus par sur se ne ce "
              "il elle au aux avec son sa ses ou mais comme nous vous ils elles je tu on me te "
              "lui leur leurs cette ces cet mon ma mes ton ta tes notre votre nos vos être avoir "
              "fait été était sont ont a ai suis es sommes êtes avez avons tout tous toute toutes "
              "bien très aussi si où quand sans sous entre chez deux même encore peut peux veux "
              "faire c' d' l' j' n' s' qu' m' t' jusqu' aujourd' y à déjà rien jamais toujours "
              "pourquoi parce beaucoup quelque quel quelle ça cela voir oui non",
     .letters = "êèçœùëîï",
     .stop_is_no_ordinal = true,
     .quotes = {"« ", " »"},
     .elided = "l d j m t s n c qu jusqu lorsqu puisqu quoiqu",
     .not_elided = "onze onzième onzièmes oui ouistiti un une et ou",
     .abbreviations = "n°:%numéro nº:%numéro no:%numéro p.:%page pp.:%pages tél.:téléphone env.:%environ lun.:lundi mar.:%mardi mer.:%mercredi jeu.:%jeudi "
                      "ven.:%vendredi sam.:%samedi dim.:%dimanche stp:s'il_te_plaît svp:s'il_vous_plaît bcp:beaucoup tkt:ne_t'inquiète_pas "
                      "dsl:désolé slt:salut bjr:bonjour rdv:rendez-vous jsuis:je_suis jsais:je_sais chais:je_sais jvais:je_vais "
                      "jpeux:je_peux jai:j'ai ya:il_y_a qd:quand tjs:toujours mtn:maintenant ptet:peut-être ouais:oui ouaip:oui "
                      "nan:non",
     .magnitudes = "6<million 6<millions 9<milliard 9<milliards",
     .day_parts = "0<du_matin 12<de_l'après-midi 17<du_soir",
     .group = " ", .decimal = ",", .signs_behind = true,
     .ordinals = "0e 0<ème 0<er 0<re", .first_ending = "er",
     .sentence_words = {[WORDS_BEFORE_NAME] = "M MM mme mmes mlle mlles dr drs pr prof mgr Me st ste sts stes "
                               "p.ex c.-à-d c-à-d i.e cf env av bd boul tél tel vs Gal Cal Col "
                               "cdt cne lt sgt n.b",
         [WORDS_BEFORE_NUMBER] = "p pp n no nos nº n° art chap fig vol t tabl al ch h §",
         [WORDS_DOUBTFUL] = "s ex éd ltée inc cie sté hab janv févr fév avr juil juill sept oct "
                            "nov déc apr",
         [WORDS_STARTING] = "le la les l un une des du de il elle ils elles on nous vous je j tu "
                            "ce cet cette ces c ça cela mais et ou donc or ni car si quand comme "
                            "pour dans sur avec sans après avant puis ensuite alors que qui quoi "
                            "où pourquoi comment mon ma mes son sa ses leur leurs notre votre en "
                            "au aux à d n ne y pas non oui tout tous toute toutes plus très voici "
                            "voilà",
         [WORDS_JOINING] = "et mais ou car donc parce quand lorsque si puis alors pendant tandis "
                           "où qui comme",
         [WORDS_PATTERNS] =
             "%d_%m_%Y %d_%m %m_%Y "
             "%H_h/%H_heures/<%Hh/<%I_h_%P/<%Ih_%P/<%I_heures_%P "
             "%H_h_30/<%Hh30/<%H_heures_30/<%I_h_30_%P/<%Ih30_%P/<%I_heures_et_demie_%P/<%I_heures_30_%P "
             "%H_h_%M/<%Hh%M/<%H_heures_%M/<%I_h_%M_%P/<%Ih%M_%P/<%I_heures_%M_%P "
             "%n_h/<%nh %n_h_%M/<%nh%M moins_%n_degrés/%n_degrés_au-dessous_de_zéro "
             "1er/1re/<1ère/>premier/>première %R_siècle/<%o_siècle %o_étage %o",
         [WORDS_BEFORE_TIME] = "à À vers avant dès entre est sera était",
         [WORDS_BEFORE_AFTERNOON] = "de et après",
         [WORDS_BEHIND_DURATION] = "de",
         [WORDS_MONTHS] = "janvier/<janv. février/<févr. mars avril/<avr. mai juin juillet/<juil. août "
                          "septembre/<sept. octobre/<oct. novembre/<nov. décembre/<déc.",
         [WORDS_COUNTED] =
             "euro/euros/>€ dollar/dollars/>$ >livre/>livres/>£ yuan/yuans an/ans/année/années "
             "minute/minutes heure/heures heure/heures/>h heures_et_demie/>demie jour/jours "
             "semaine/semaines mois kilomètre/kilomètres mètre/mètres litre/litres "
             "kilo/kilos/kilogramme/kilogrammes",
         [WORDS_MEASURE] = "ans",
         [WORDS_TITLES] =
             "M./Monsieur/monsieur/Mr/>messieurs/>mari Mme/Madame/madame/>femme/>dame/>épouse "
             "Mlle/Mademoiselle/mademoiselle/>Mme/>madame/>fille/>dames "
             ">chirurgien/>chirurgiens Dr/Docteur/docteur/>médecin/>médecins "
             "Professeur/professeur/>professeure/>professeurs",
         [WORDS_LISTING] = "et ou et",
     }},
    {"de", "German", "deu ger deutsch",
     .words = "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als "
              "auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie "
              "einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein "
              "wurde wenn ihr ihre ich du wir mich dich uns mir dir kann habe hast bin bist was "
              "wo warum weil muss will schon sehr hier immer kein keine mein meine dein deine "
              "seine ihren ihm ihn unser doch alle alles diese dieser dieses heute gibt möchte "
              "können müssen gehen jetzt ja nein wer wurden waren hatte",
     .letters = "ßäöü",
     .nouns_have_capitals = true},
    {"es", "Spanish", "spa español espanol castilian",
     .words = "el la los las de del que y en un una es se no por con para su sus al lo como más o "
              "pero fue ha este esta esto si ya porque muy cuando sin sobre me mi te tu le les "
              "nos yo él ella ellos ellas usted está están estaba son soy eres era ser hay tiene "
              "tengo tienes hacer qué quién cómo dónde todo todos toda también entre hasta desde "
              "donde uno dos ni contra esa ese eso algo nada nunca siempre puede puedo quiero "
              "gusta hoy casa tiempo mucho aquí así bien he han había quiere sabe sé",
     .letters = "ñ¿¡"},
    {"it", "Italian", "ita italiano",
     .words = "il lo la i gli le di del della dei delle dello degli e che un una è in non per con "
              "si da dal dalla al alla ai alle nel nella sono ha ho hai hanno come più ma anche "
              "questo questa questi suo sua suoi mio mia tuo tua nostro io tu lui lei noi voi "
              "loro mi ti ci vi ne se o quando perché cosa chi dove molto era essere stato stata "
              "fare fatto può posso voglio vuole tutto tutti sempre mai oggi qui così bene c' l' "
              "d' un' dell' all' nell' dall' quest' sull' po' ed su sul sulla fra tra abbiamo "
              "avete siamo siete sei piace niente ogni casa anni",
     .letters = "ìò"},
    {"pt", "Portuguese", "por português portugues",
     .words = "o a os as de do da dos das e que um uma é em no na nos nas não para por com se "
              "mais como mas ao aos à às foi ele ela eles elas eu você vocês nós seu sua seus "
              "suas meu minha isso isto este esta esse essa são está estão estou tem tenho têm "
              "ser ter há já muito também quando onde porque quem qual até sem sobre entre pelo "
              "pela me te lhe num numa fazer pode posso quero gosto tudo nada nunca sempre hoje "
              "aqui bem ou nem só depois era eram estava",
     .letters = "ãõâêç"},
    {"nl", "Dutch", "nld dut nederlands flemish",
     .words = "de het een en van ik te dat die in je is niet zijn op aan met voor er maar om hij "
              "ze zij we wij wat als bij naar dan ook was heeft hebben heb had door over uit nog "
              "wel geen kan zou moet mijn jouw uw haar hun ons onze deze dit daar hier waar wie "
              "hoe waarom omdat veel meer worden wordt werd zo nu al alle alles iets niets altijd "
              "nooit vandaag gaan ga gaat wil willen kunnen moeten ben bent u jij jullie hem mij "
              "me tot tegen onder tussen zonder toen want of"},
    {"sv", "Swedish", "swe svenska",
     .words = "och i att det som en på är av för med till den har de inte om ett han hon jag du "
              "vi ni men var sig från så kan när nu eller vad hur där här mycket mer min mitt "
              "mina din ditt dina sin sitt sina vår vara blir blev hade ha ska skulle vill kunde "
              "måste alla allt något ingen aldrig alltid idag efter under över mellan utan mot "
              "också bara finns gör göra mig dig honom henne oss dem detta denna dessa varför vem "
              "vilken upp ut in man två år någon går får"},
    {"da", "Danish", "dan dansk",
     .words = "og i at det som en på er af for med til den har de ikke om et han hun jeg du vi "
              "men var sig fra så kan når nu eller hvad hvor der her meget mere min mit mine din "
              "dit dine sin sit sine vores være bliver blev havde have skal skulle vil kunne må "
              "alle alt noget ingen aldrig altid dag efter under over mellem uden mod også kun "
              "findes gør gøre mig dig ham hende os dem dette denne disse hvorfor hvem hvilken op "
              "ud ind man to år nogen går får hvis selv jo",
     .letters = "æø"},
    {"no", "Norwegian", "nor nb nob nn norsk",
     .words = "og i at det som en på er av for med til den har de ikke om et han hun jeg du vi "
              "men var seg fra så kan når nå eller hva hvor der her mye mer min mitt mine din "
              "ditt dine sin sitt sine vår være blir ble hadde ha skal skulle vil kunne må alle "
              "alt noe ingen aldri alltid etter under over mellom uten mot også bare finnes gjør "
              "gjøre meg deg ham henne oss dem dette denne disse hvorfor hvem hvilken opp ut inn "
              "man to år noen går får hvis selv jo ei",
     .letters = "æø"},
    {"pl", "Polish", "pol polski",
     .words = "i w na z do nie się że to jest o jak ale po co tak za od jego jej ich przez ja ty "
              "on ona my wy oni mnie mi ci go mu czy już tylko może dla przed ma są był była było "
              "być będzie który która które ten ta te tego tej tym tych jeszcze bardzo kiedy "
              "gdzie dlaczego ponieważ wszystko zawsze nigdy dzisiaj mam masz chcę muszę mój moja "
              "twój nasz swój tu tam nic kto bez pod nad przy między lub oraz więc też nas was "
              "sobie jestem jesteś",
     .letters = "ąćęłńśźż"},
    {"cs", "Czech", "ces cze čeština cestina",
     .words = "a v se na je že s z do o to i za ve k si ale jako po jsem jsi jsou jsme byl byla "
              "bylo být bude který která které ten ta tento tato co jak když kde proč protože už "
              "jen ještě velmi také nebo ani pro od při před bez pod nad mezi já ty on ona my vy "
              "oni mě mi ti ho mu jeho její jejich můj moje tvůj náš svůj mám máš má chci musím "
              "může vždy nikdy dnes tady tam nic kdo není ne ano tak by jste aby",
     .letters = "ěřůčžďťň"},
    {"tr", "Turkish", "tur türkçe",
     .words = "ve bir bu da de için ile ne o ben sen biz siz onlar çok daha var yok mı mi mu mü "
              "değil gibi kadar ama en her olarak olan oldu olduğunu sonra önce şimdi bugün hiç "
              "şey bana sana ona bize beni seni onu benim senin onun bizim kim nasıl neden niçin "
              "nerede çünkü ya ki eğer iyi istiyorum gitti geldi dedi zaman tüm bütün hep asla "
              "üzerinde içinde tarafından gün diye mısın musun evet hayır lütfen",
     .letters = "ığş"},
    {"fi", "Finnish", "fin suomi",
     .words = "ja on ei että se hän oli en minä sinä me te he ovat mutta kun niin kuin joka myös "
              "jos mitä mikä missä miksi koska nyt vain ole olen olet olemme olla ollut olisi "
              "tämä tuo nämä minun sinun hänen meidän sen sitä siitä minua sinua minulla sinulla "
              "hänellä tai sekä jo vielä aina koskaan tänään täällä siellä paljon hyvin kaikki "
              "mitään pitää voi voin haluan kanssa jälkeen ennen ilman kuka miten eikä et emme "
              "eivät ettei hyvä"},
    {"hu", "Hungarian", "hun magyar",
     .words = "a az és hogy nem is egy ez volt van de meg csak mint én te ő mi ti ők ha már még "
              "nagyon vagy mert ki mit hol miért hogyan minden soha mindig ma itt ott azt ezt "
              "engem téged őt nekem neked neki nekünk lesz lett kell lehet tud tudom akar akarok "
              "után előtt nélkül között szerint sok jó nincs vagyok vagyunk volna arra erre ezek "
              "azok ami aki amikor el fel le be igen kérem",
     .letters = "őű"},
    {"ro", "Romanian", "ron rum română",
     .words = "și în de la a cu nu este pe o un că ce să din mai pentru care au fost se sunt am "
              "ai are lui ei lor el ea noi voi eu tu mă te îl îi le acest această acesta dar când "
              "unde cum cine tot toate foarte bine sau dacă după până fără între despre mult acum "
              "aici acolo nimic niciodată întotdeauna azi vreau poate trebuie eram era fi fie al "
              "ale mea meu ta tău sa său cea cel prin sub",
     .letters = "șțăţş"},
    {"id", "Indonesian", "ind",
     .words = "yang dan di itu dengan untuk tidak ini dari dalam akan pada juga saya ke karena "
              "tersebut bisa ada mereka lebih kata kamu dia kami kita telah sudah apa siapa mana "
              "kapan mengapa bagaimana sangat oleh atau tetapi seperti hanya sebagai hari orang "
              "banyak harus dapat bukan belum masih lagi setelah sebelum antara semua setiap "
              "selalu tak pernah anda ingin aku mau adalah jika kalau"},
    {"vi", "Vietnamese", "vie",
     .words = "và của là có không được cho trong một người này với tôi đã để những các khi đó anh "
              "chị em bạn nó họ chúng ta rất cũng như từ đến ở ra vào lên làm đi về nhiều phải "
              "thì mà nếu vì sao gì ai đâu bao giờ hôm nay luôn chưa sẽ đang hơn nhất tất cả mọi",
     .letters = "ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ"},
    {"ru", "Russian", "rus русский",
     .words = "и в не на я что он с как это по но они мы все она так его к у ты из за вы же от бы "
              "мне было только меня ещё еще нет о да для когда уже есть если или ни быть был была "
              "были до вас нас их чем где кто там здесь потом очень себя ничего можно тебя тебе "
              "сейчас почему потому который этого том её ее мой моя твой наш сегодня всегда "
              "никогда надо",
     .letters = "ыэёъ", .first = 0x0400, .last = 0x052f},
    {"uk", "Ukrainian", "ukr українська",
     .words = "і в не на я що він з як це по але вони ми все вона так його до у ти із за ви ж від "
              "би мені було тільки мене ще ні та й для коли вже є якщо або бути був була були вас "
              "нас їх ніж де хто там тут потім дуже себе нічого можна тебе тобі зараз чому тому "
              "який цього її мій моя твій наш сьогодні завжди ніколи треба про",
     .letters = "іїєґ", .first = 0x0400, .last = 0x052f},
    {"bg", "Bulgarian", "bul български",
     .words = "и в не на аз че той с как това по но те ние всичко тя така му към у ти от за вие "
              "же са бих ми беше само ме още няма да или ако съм си е сме сте бъде били до вас "
              "нас тях къде кой там тук после много себе нищо може тебе сега защо защото който "
              "този тази негов неин моят твоят днес винаги никога трябва ще се",
     .letters = "ъщ", .first = 0x0400, .last = 0x052f},
    // known by their scripts; Arabic, Hindi and others share theirs with languages that are not here
    {"zh", "Chinese", "zho chi cmn zt 中文 汉语",
     .han = HAN_ALONE, .letters_per_word = 2, .stop_is_no_ordinal = true,
     .scripts = &chinese_scripts,
     .quotes = {"“", "”"},
     .digits = "0零 0〇 1一 2二 2两 2兩 3三 4四 5五 6六 7七 8八 9九 -1几 -1幾 -1数 -1數 -1第",
     .magnitudes = "1十 2百 3千 4万 4<萬 8亿 8<億",
     .day_parts = "0凌晨 0<早上 0<早晨 0<上午 5>早上 9>上午 11<中午 12>中午 12<下午 13>下午 17<晚上 17<傍晚 18>晚上",
     .group = ",", .decimal = ".",
     .units = "$:美元 €:欧元 £:英镑 ¥:元 ￥:元 kg:公斤 g:克 mg:毫克 km:公里 m:米 cm:厘米 mm:毫米 km/h:公里/小时 "
              "l:升 L:升 ml:毫升 mL:毫升 cl:厘升 m²:平方米 km²:平方公里 m³:立方米 min:分钟",
     .sentence_words = {[WORDS_OF_SPEECH] = "说 說 问 問 道 喊 答 嚷 叫",
         [WORDS_NOT_OF_SPEECH] = "知道",
         [WORDS_JOINING] = "因为 因為 所以 但是 可是 不过 不過 然后 然後 而且 如果 虽然 雖然 并且 並且",
         [WORDS_PATTERNS] = "%Y年%m%d日/%Y年%m%d号 %m%d日/%m%d号 %Y年%m "
             "%P%I点/<%P%I点钟 %P%I点半/<%P%I点30/<%P%I点30分/>%P%I:30 "
             "%P%I点%M分/<%P%I点%M/%P%I:%M "
             ">%n小时/>%n个小时 >%n小时%M分钟/>%n:%M 零下%n度 "
             ">第1/>第一/>一 %o世纪/>第%o世纪 %o楼/<%o层 >第%o/<第%o个/<第%o次/<第%o名/<第%o位/<第%o届/<第%o天/<第%o周",
         [WORDS_MONTHS] = "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
         [WORDS_COUNTED] =
             "欧元/歐元/>€ 美元/美金/>元/>$ 英镑/>镑/>£ 元/块钱/>块 岁/歲/>年 分钟/>分 小时/钟头 "
             "点/点钟/>时 点半/点钟半 天/>日 星期/周/礼拜 个月/>月 公里/>千米 米/>公尺 升/>公升 公斤/>千克",
         [WORDS_MEASURE] = "年 月 日 岁 歲 名 个 次 条 种",
         [WORDS_TITLES] = "<先生 <太太/<夫人/<女士 <小姐 <外科医生 <医生/<大夫 <教授",
         [WORDS_LISTING] = "和 或 与",
     }},
    {"ja", "Japanese", "jpn 日本語", .first = 0x3040, .last = 0x30ff, .han = HAN_AMONG_OTHERS,
     .letters_per_word = 2},
    {"ko", "Korean", "kor 한국어", .first = 0xac00, .last = 0xd7a3},
    {"el", "Greek", "ell gre ελληνικά", .first = 0x0370, .last = 0x03ff},
    {"he", "Hebrew", "heb iw עברית", .first = 0x0590, .last = 0x05ff},
    {"ar", "Arabic", "ara العربية", .first = 0x0600, .last = 0x06ff},
    {"hi", "Hindi", "hin", .first = 0x0900, .last = 0x097f},
    {"th", "Thai", "tha", .first = 0x0e00, .last = 0x0e7f, .letters_per_word = 4},
    {"ka", "Georgian", "kat geo", .first = 0x10a0, .last = 0x10ff},
    {"hy", "Armenian", "hye arm", .first = 0x0530, .last = 0x058f},
    {.code = NULL},
};
// clang-format on

_Static_assert(sizeof language_table / sizeof *language_table <= MAX_LANGUAGES + 1,
               "MAX_LANGUAGES is too small");
