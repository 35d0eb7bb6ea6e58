#define _GNU_SOURCE
#include "cli/terminal.h"

#include "support/suite.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* What stands at the other end must be `expected`: a terminal may hand it on in subwords, so it is
 * read until there is enough. */
static void expect_written(int descriptor, const char *expected)
{
    char text[256];
    size_t length = 0;
    while (length < strlen(expected)) {
        ssize_t got = read(descriptor, text + length, sizeof text - 1 - length);
        ck_assert_int_gt(got, 0);
        length += (size_t)got;
    }
    text[length] = '\0';
    ck_assert_str_eq(text, expected);
}

// A terminal of so many columns: *master is the end of whoever looks at it.
static FILE *open_terminal(int *master, unsigned short columns)
{
    struct winsize size = {.ws_row = 24, .ws_col = columns};
    *master = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert(*master >= 0 && grantpt(*master) == 0 && unlockpt(*master) == 0);
    int slave = open(ptsname(*master), O_RDWR | O_NOCTTY);
    ck_assert_int_ge(slave, 0);
    ck_assert_int_eq(ioctl(slave, TIOCSWINSZ, &size), 0);
    FILE *stream = fdopen(slave, "w");
    ck_assert_ptr_nonnull(stream);
    return stream;
}

TEST(rewrites_a_line_on_a_terminal)
{
    int master;
    unsetenv("COLUMNS");
    FILE *stream = open_terminal(&master, 12);
    Progress progress = progress_start(stream, 60);
    ck_assert(progress.terminal && progress_due(&progress));
    progress_show(&progress, "epoch 1");
    expect_written(master, "\repoch 1\033[K");
    ck_assert(!progress_due(&progress));

    // eleven columns: one less than there are; a Chinese character is two wide
    progress_show(&progress, "0123456789abcdef");
    expect_written(master, "\r0123456789a\033[K");
    progress_show(&progress, "0123456789中");
    expect_written(master, "\r0123456789\033[K");

    progress_say(&progress, "saved");
    expect_written(master, "\r\033[Ksaved\r\n");
    progress_show(&progress, "epoch 2");
    progress_end(&progress);
    progress_end(&progress);
    expect_written(master, "\repoch 2\033[K\r\033[K");
    fclose(stream);
    close(master);
}

TEST(writes_plain_lines_elsewhere)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    FILE *stream = fdopen(ends[1], "w");
    Progress progress = progress_start(stream, 60);
    ck_assert(!progress.terminal && progress_due(&progress));
    progress_show(&progress, "a line that is longer than eighty columns is no trouble in a file, "
                             "where it stands as it is");
    ck_assert(!progress_due(&progress));
    progress_say(&progress, "saved");
    progress_end(&progress);
    expect_written(ends[0],
                   "a line that is longer than eighty columns is no trouble in a file, where it "
                   "stands as it is\nsaved\n");

    Progress eager = progress_start(stream, 0);
    progress_show(&eager, "1");
    ck_assert(progress_due(&eager));
    fclose(stream);
    close(ends[0]);
}

TEST(lines_are_harmless)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    FILE *stream = fdopen(ends[1], "w");
    Progress progress = progress_start(stream, 0);
    progress_show(&progress, "a\x1b[2Jb\n\u202ec");
    progress_say(&progress, "%s", "done\n\x1b]0;forged\x07");
    expect_written(ends[0], "a?[2Jb????c\ndone??]0;forged?\n");
    fclose(stream);
    close(ends[0]);
}

TEST(terminal_width)
{
    int master;
    FILE *stream = open_terminal(&master, 33);
    unsetenv("COLUMNS");
    ck_assert_uint_eq(terminal_width(fileno(stream)), 33);
    ck_assert_uint_eq(terminal_width(-1), 80);
    setenv("COLUMNS", "50", 1);
    ck_assert_uint_eq(terminal_width(fileno(stream)), 50);
    static const char *const nonsense[] = {"0", "-5", "abc", "", "50x", "99999999999999999999"};
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
        setenv("COLUMNS", nonsense[i], 1);
        ck_assert_uint_eq(terminal_width(fileno(stream)), 33);
    }
    fclose(stream);
    close(master);
}
