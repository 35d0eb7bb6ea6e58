// Completions of verbs with awkward texts; tests/tools/test_manual.sh uses those of the true ones in a shell.

#include "tools/completion.h"

#include "support/failing_malloc.h"
#include "support/suite.h"

#include "nasty_verbs.h"

#include <string.h>

typedef Status (*Completion)(const Verb *const *list, Bytes *out, Error *error);

static void expect_parts(Completion completion, const char *const *parts, size_t count)
{
    Bytes script = {0};
    ck_assert_int_eq(completion(nasty_verbs, &script, NULL), STATUS_OK);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(strstr(script.data, parts[i]) != NULL, "\"%s\" is missing in\n%s", parts[i],
                      script.data);
    bytes_free(&script);
}

START_TEST(test_files)
{
    static const char *const files[] = {"FILE", "FILE.jsonl", "FOLDER", "MODEL", "PAIRS", "PATH"};
    static const char *const others[] = {NULL, "", "N", "FILES", "file", ".FILE", "A SENTENCE"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        ck_assert_msg(completion_is_file(files[i]), "%s", files[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_msg(!completion_is_file(others[i]), "%s", others[i]);
}
END_TEST

START_TEST(test_quote)
{
    Bytes out = {0};
    ck_assert_int_eq(completion_quote(&out, "it's $HOME \\", NULL), STATUS_OK);
    ck_assert_str_eq(out.data, "'it'\\''s $HOME \\'");
    bytes_free(&out);
}
END_TEST

START_TEST(test_bash)
{
    static const char *const parts[] = {
        "    'nasty --size' | 'nasty --size=') return ;;\n",
        "    'nasty --text=') compopt -o default; return ;;\n",
        "    'nasty --choice' | 'nasty --choice=') COMPREPLY=($(compgen -W 'one two-b three' -- ",
        "    'nasty --kind=') COMPREPLY=($(",
        "words='nasty bare help --help --version'\n",
        "    nasty)\n        words='--a-flag --size --real --text --texts ",
        " --texts --choice --kind --help'\n        operands+=files\n        ;;\n",
        "    bare)\n        words='--help'\n        ;;\n",
    };
    expect_parts(completion_bash, parts, sizeof parts / sizeof *parts);
}
END_TEST

START_TEST(test_zsh)
{
    static const char *const parts[] = {
        "#compdef regard\n",
        "        'nasty:.'\\''tis\\: a \"quoted\" summary'\n",
        " '--a-flag[.it'\\''s \\\\fBno\\\\fR request, and [a\\] bracket]' \\\n",
        " '--size=['\\''tis a ratio 1:2; x-y 1-2 -z `q`]:N: ' \\\n",
        " '--text=-[a file. Two sentences]::FILE.x:_files' \\\n",
        " '*--texts=[several]:A\\:B: ' \\\n",
        " '--choice=[one of them]:choice:(one two-b three)' \\\n",
        " '--kind=-[the same]::kind:(one two-b three)' \\\n",
        " '*:PAIRS:_files' \\\n            '--help[show the options and stop]'\n        ;;\n",
        "    bare)\n        _arguments -S \\\n            ':WORD: ' \\\n",
    };
    expect_parts(completion_zsh, parts, sizeof parts / sizeof *parts);
}
END_TEST

START_TEST(test_out_of_memory)
{
    static const Completion completions[] = {completion_bash, completion_zsh};
    for (size_t i = 0; i < sizeof completions / sizeof *completions; i++)
        for (size_t n = 1;; n++) {
            Bytes script = {0};
            failing_malloc_at(n);
            Status status = completions[i](nasty_verbs, &script, NULL);
            bool failed = failing_malloc_stop();
            ck_assert_int_eq(status, failed ? STATUS_MEMORY : STATUS_OK);
            bytes_free(&script);
            if (!failed) break;
        }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("completion");
    suite_add(suite, "files", test_files);
    suite_add(suite, "quote", test_quote);
    suite_add(suite, "bash", test_bash);
    suite_add(suite, "zsh", test_zsh);
    suite_add(suite, "out of memory", test_out_of_memory);
    return suite_run(suite);
}
