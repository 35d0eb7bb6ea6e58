#include "language/language_evidence.h"
#include "support/suite.h"

#include <string.h>

static LanguageEvidence evidence_of(const char *text)
{
    LanguageEvidence evidence = {.words = 0};
    assert_ok(language_evidence_add(&evidence, text, strlen(text), NULL));
    return evidence;
}

// What a text is likely to be in, as a code.
static const char *likeliest(const char *text)
{
    LanguageEvidence evidence = evidence_of(text);
    const Language *language = language_likeliest(&evidence);
    language_evidence_free(&evidence);
    return language ? language->code : "";
}

// What a text surely is where `expected` was expected.
static const char *surely(const char *text, const char *expected)
{
    LanguageEvidence evidence = evidence_of(text);
    const Language *language = language_surely(&evidence, language_of(expected));
    language_evidence_free(&evidence);
    return language ? language->code : "";
}

static const struct {
    const char *code, *text;
} sentences[] = {
    {"en", "The old man was sitting in the garden with his dog, and they were both asleep."},
    {"fr", "Nous n'avons pas encore vu le film que vous nous avez conseillé hier soir."},
    {"de", "Ich habe gestern im Park einen kleinen Hund gesehen, der nicht nach Hause wollte."},
    {"es", "No sé por qué mi hermana no quiere venir con nosotros a la playa."},
    {"it", "Non so perché mia sorella non è venuta con noi al mare questa estate."},
    {"pt", "Não sei por que a minha irmã não quer ir com a gente à praia, mas ela está bem."},
    {"nl", "Ik weet niet waarom mijn zus niet met ons naar het strand wil gaan."},
    {"sv", "Jag vet inte varför min syster inte vill följa med oss till stranden."},
    {"da", "Jeg ved ikke, hvorfor min søster ikke vil med os af sted, selv om hun blev spurgt."},
    {"no", "Jeg vet ikke hvorfor søsteren min ikke vil bli med oss, og hva hun gjør nå."},
    {"pl", "Nie wiem, dlaczego moja siostra nie chce iść z nami nad morze, ale już jej nie pytam."},
    {"cs", "Nevím, proč moje sestra nechce jít s námi k moři, ale už se jí neptám."},
    {"tr", "Kız kardeşimin neden bizimle gelmek istemediğini bilmiyorum, ama çok üzüldüm."},
    {"fi", "En tiedä, miksi siskoni ei halua tulla meidän kanssa rannalle, mutta hän on kotona."},
    {"hu", "Nem tudom, hogy a nővérem miért nem akar velünk jönni, de ez nem baj."},
    {"ro", "Nu știu de ce sora mea nu vrea să vină cu noi la mare, dar este bine."},
    {"id", "Saya tidak tahu mengapa dia tidak mau pergi dengan kami ke pantai hari ini."},
    {"vi", "Tôi không biết vì sao chị tôi không muốn đi với chúng tôi ra biển."},
    {"ru", "Я не знаю, почему моя сестра не хочет ехать с нами на море."},
    {"uk", "Я не знаю, чому моя сестра не хоче їхати з нами до моря, але її немає."},
    {"bg", "Не знам защо сестра ми не иска да дойде с нас на морето, но тя е добре."},
    {"zh", "我不知道我姐姐为什么不想和我们一起去海边。"},
    {"ja", "姉がどうして私たちと一緒に海へ行きたくないのか分かりません。"},
    {"ko", "누나가 왜 우리와 함께 바다에 가고 싶어 하지 않는지 모르겠어요."},
    {"el", "Δεν ξέρω γιατί η αδελφή μου δεν θέλει να έρθει μαζί μας στη θάλασσα."},
    {"he", "אני לא יודע למה אחותי לא רוצה לבוא איתנו לים."},
    {"ar", "لا أعرف لماذا لا تريد أختي أن تذهب معنا إلى البحر."},
    {"th", "ฉันไม่รู้ว่าทำไมพี่สาวของฉันไม่อยากไปทะเลกับเรา"},
};

TEST(one_sentence_of_each)
{
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        ck_assert_msg(!strcmp(likeliest(sentences[i].text), sentences[i].code), "%s: %s",
                      sentences[i].code, likeliest(sentences[i].text));
}

TEST(surely)
{
    static const char english[] =
        "The weather was fine when we went to the sea, and the children were happy. They have not "
        "been there since, but they would like to go again with us before it is cold.";
    static const char french[] =
        "Il faisait beau quand nous sommes allés à la mer, et les enfants étaient contents. Ils "
        "n'y "
        "sont pas retournés depuis, mais ils voudraient bien y aller encore avec nous.";
    ck_assert_str_eq(surely(english, NULL), "en");
    ck_assert_str_eq(surely(english, "fr"), "en");
    ck_assert_str_eq(surely(english, "zh"), "en");
    ck_assert_str_eq(surely(english, "en"), ""); // not another one
    ck_assert_str_eq(surely(french, NULL), "fr");
    ck_assert_str_eq(surely(french, "en"), "fr");
    ck_assert_str_eq(
        surely("因为天气很好，我们去了海边，孩子们都很高兴。从那以后他们再也没有去过那里，但是他们"
               "很想再和我们一起去一次，在天气变冷之前。",
               "en"),
        "zh");
}

// What must never make anyone say that a text is in another language than English or Chinese.
TEST(no_false_alarm)
{
    static const char *const texts[] = {
        "",
        "non",
        "Bonjour",
        "C'est la vie!",                                   // short
        "Je ne sais pas pourquoi il est parti sans nous.", // one sentence
        "Jean-Claude Van Damme, Leonardo da Vinci, Ludwig van Beethoven, Vasco da Gama, Charles de "
        "Gaulle, Otto von Bismarck, Oscar de la Renta, Simone de Beauvoir, Marie de France",
        "12 34 56 78 90 1,000.00 3.14 2026-11-22 10:45 +33 1 23 45 67 89",
        "for (int i = 0; i < n; i++) { sum += a[i] * b[i]; } return sum; while (x) do { y(); }",
        "def f(x): if not x: return None; else: print(x) for y in range(10) import os as o",
        "https://www.example.org/le/la/les/des/un/une/est?que=qui&dans=pour",
        "😀 😃 😄 🇫🇷 👩‍👩‍👧‍👦 ♥ ✓ → ∑ ∫ α β γ",
        "ok lol haha hmm pfff aaah ooh mmm brr tsk zzz uh huh nah yep nope yay wow oops ugh eh ah",
        "Paris London Berlin Madrid Roma Lisboa Amsterdam Stockholm København Oslo Warszawa Praha "
        "Ankara Helsinki Budapest București Jakarta Hanoi Moskva Kyiv Sofia Beijing Tokyo Seoul",
        "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt "
        "ut labore et dolore magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation.",
        "\xff\xfe\x80\xff\xfe\x80 \xc3( \xe2\x82",
        "IBM NASA BBC USB HTML CSS PDF CPU GPU RAM ROM LED DVD GPS SMS URL SQL XML PHP AWK SED VIM",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ck_assert_msg(!*surely(texts[i], "en"), "%s: %s", texts[i], surely(texts[i], "en"));
        ck_assert_msg(!*surely(texts[i], "zh"), "%s: %s", texts[i], surely(texts[i], "zh"));
    }
}

TEST(tags)
{
    static const char *const french[] = {"fr",  "FR",  "fr-CA",  "fr_FR",
                                         "fra", "fre", "French", "français"};
    for (size_t i = 0; i < sizeof french / sizeof *french; i++)
        ck_assert_str_eq(language_of(french[i])->name, "French");
    ck_assert_str_eq(language_of("zh-Hant-TW")->code, "zh");
    ck_assert_ptr_null(language_of("eo"));
    ck_assert_ptr_null(language_of(""));
    ck_assert_ptr_null(language_of("f"));
    ck_assert_ptr_null(language_of("frx"));
    ck_assert(language_is_tag("en") && language_is_tag("zh-Hant_TW") && language_is_tag("es-419"));
    ck_assert(!language_is_tag("") && !language_is_tag("e n") && !language_is_tag("\033[m"));
}

TEST(table)
{
    for (const Language *row = language_table; row->code; row++) {
        bool by_script = row->last || row->han == HAN_ALONE;
        ck_assert_ptr_eq(language_of(row->code), row);
        ck_assert_ptr_eq(language_of(row->name), row);
        ck_assert_msg(row->words || by_script, "%s: words or a script", row->code);
        ck_assert_msg(!row->words || !strstr(row->words, "  "), "%s: two blanks", row->code);
        ck_assert(row == language_table || row[-1].words || !row->words); // scripts come last
        ck_assert(!row->sentence_words[0] == !row->sentence_words[WORDS_STARTING]);
    }
    ck_assert_ptr_null(language_of(NULL));
}

TEST(words)
{
    const Language *english = language_of("en"), *french = language_of("fr");
    ck_assert(language_has_word(english, WORDS_BEFORE_NAME, "Mr", 2));
    ck_assert(language_has_word(english, WORDS_DOUBTFUL, "INC", 3));
    ck_assert(language_has_word(english, WORDS_DOUBTFUL, "Jan", 3));
    ck_assert(!language_has_word(english, WORDS_DOUBTFUL, "jan", 3)); // listed with a capital
    ck_assert(!language_has_word(french, WORDS_OF_SPEECH, "said", 4));
    ck_assert(!language_has_word(english, WORDS_BEFORE_NAME, "mme", 3));
    // without words of its own a language has those of all
    ck_assert(language_has_word(language_of("de"), WORDS_BEFORE_NAME, "mme", 3));
    ck_assert(language_has_word(NULL, WORDS_OF_SPEECH, "said", 4));
}

TEST(speech)
{
    ck_assert(language_ends_in_speech(text_view_of("小明问")));
    ck_assert(!language_ends_in_speech(text_view_of("我知道")));
    ck_assert(!language_ends_in_speech(text_view_of("")));
    ck_assert(!language_ends_in_speech(text_view_of("said"))); // has blanks between its words
}
