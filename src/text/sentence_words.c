#include "text/sentence_words.h"

#include "base/ascii.h"
#include "text/word_list.h"

enum { LISTS = WORDS_OF_SPEECH + 1, LANGUAGES = 2 };

// Without the last full stop; by language: English, French.
static const char *const lists[LISTS][LANGUAGES] = {
    [WORDS_BEFORE_NAME] =
        {"mr mrs ms mx messrs mmes dr drs prof rev hon pres gov gen Col maj capt cmdr lt "
         "sgt cpl pvt adm sen rep supt mt e.g i.e eg ie viz v vs cf approx",
         "M MM mme mmes mlle mlles dr drs pr prof mgr Me st ste sts stes p.ex c.-à-d c-à-d "
         "i.e cf env av bd boul tél tel vs Gal Cal Col cdt cne lt sgt n.b"},
    [WORDS_BEFORE_NUMBER] =
        {"no nos p pp vol vols fig figs ch chap sec sect art eq par para pt ref ver ed nr "
         "tel ext",
         "p pp n no nos nº n° art chap fig vol t tabl al ch h §"},
    [WORDS_DOUBTFUL] =
        {"a.m p.m jr sr inc ltd co corp bros llc plc dept asst assoc univ est ave blvd rd "
         "st ft oz lb lbs tsp tbsp hr hrs al ca ph.d m.d Jan Feb Mar Apr Jun Jul Aug Sep "
         "Sept Oct Nov Dec Mon Tue Tues Wed Thu Thurs Fri Sat Sun",
         "s ex éd ltée inc cie sté hab janv févr fév avr juil juill sept oct nov déc apr"},
    [WORDS_STARTING] =
        {"the a an i he she it we they you this that these those there here in on at but "
         "and so if when then what why how who where which my his her our their your its "
         "no yes one some many most all after before as for from with by to not now do "
         "does did is are was were can could will would should may must have has had "
         "please let thank however never perhaps maybe also everyone everybody nobody "
         "someone nothing everything each both other others only just even still today "
         "tomorrow yesterday",
         "le la les l un une des du de il elle ils elles on nous vous je j tu ce cet cette "
         "ces c ça cela mais et ou donc or ni car si quand comme pour dans sur avec sans "
         "après avant puis ensuite alors que qui quoi où pourquoi comment mon ma mes son "
         "sa ses leur leurs notre votre en au aux à d n ne y pas non oui tout tous toute "
         "toutes plus très voici voilà"},
    [WORDS_OF_SPEECH] =
        {"said says asked asks cried replied shouted whispered answered exclaimed yelled "
         "thought wondered added murmured called repeated",
         ""},
};

// Only the case of ASCII letters is ignored: abbreviations hardly have others.
bool sentence_word(SentenceWords list, unsigned languages, const char *word, size_t length)
{
    for (size_t i = 0; i < LANGUAGES; i++) {
        if (!(languages >> i & 1)) continue;
        const char *listed = word_list_find(lists[list][i], word, length);
        if (listed && (*listed == *word || !ascii_is_capital(*listed))) return true;
    }
    return false;
}
