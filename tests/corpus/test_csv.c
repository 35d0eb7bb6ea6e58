// CSV and TSV as rows of cells: quotation marks, separators, line breaks, and what is wrong with them.

#include "corpus/csv.h"
#include "support/scratch.h"
#include "support/suite.h"

#include <string.h>

/* All rows of a text: cells in brackets, the line's number before each row, a fault's first word
 * instead of the cells. */
static Bytes rows_of(const char *text, size_t length, CsvForm form)
{
    const char *path = scratch_path("table");
    scratch_write(path, text, length);
    LineReader *lines;
    Csv *csv;
    assert_ok(line_reader_open(&lines, path, NULL));
    assert_ok(csv_open(&csv, lines, form, NULL));
    Bytes out = {0};
    CsvRow row;
    bool more = true;
    assert_ok(bytes_append_string(&out, "", NULL));
    while (csv_next(csv, &row, &more, NULL) == STATUS_OK && more) {
        bytes_append_format(&out, NULL, "%zu", row.line);
        if (row.fault) bytes_append_format(&out, NULL, "!%.10s", row.fault);
        for (size_t i = 0; i < row.count && !row.fault; i++)
            bytes_append_format(&out, NULL, "[%.*s]", (int)row.cells[i].length, row.cells[i].data);
        bytes_append_string(&out, "\n", NULL);
    }
    ck_assert(!more);
    csv_close(csv);
    line_reader_close(lines);
    return out;
}

static void expect_rows(const char *text, CsvForm form, const char *expected)
{
    Bytes rows = rows_of(text, strlen(text), form);
    ck_assert_str_eq(rows.data, expected);
    bytes_free(&rows);
}

#define EXPECT_CSV(text, expected) expect_rows(text, CSV_FORM_CSV, expected)
#define EXPECT_TSV(text, expected) expect_rows(text, CSV_FORM_TSV, expected)

// The cases of RFC 4180, section 2.
TEST(rfc_4180)
{
    EXPECT_CSV("aaa,bbb\r\nzzz,yyy\r\n", "1[aaa][bbb]\n2[zzz][yyy]\n");
    EXPECT_CSV("aaa,bbb\nzzz,yyy", "1[aaa][bbb]\n2[zzz][yyy]\n");
    EXPECT_CSV("\"aaa\",\"bbb\"\nzzz,yyy\n", "1[aaa][bbb]\n2[zzz][yyy]\n");
    EXPECT_CSV("\"a\r\nb\",\"c,d\"\nzzz,yyy\n", "1[a\nb][c,d]\n3[zzz][yyy]\n");
    EXPECT_CSV("\"a\"\"b\",\"\"\"\"\n\"\",x\n", "1[a\"b][\"]\n2[][x]\n");
    EXPECT_CSV("a, b \n,\n", "1[a][ b ]\n2[][]\n"); // spaces are part of a cell
    EXPECT_CSV("\xef\xbb\xbf\"a\",b\n", "1[a][b]\n");
    EXPECT_CSV("", "");
    EXPECT_CSV("a,b\n\n", "1[a][b]\n2[]\n");
    EXPECT_CSV("a,5\" pipe\n", "1[a][5\" pipe]\n"); // a mark inside a cell is text
}

// A separator with which nearly all rows are faulty is none, though it divides the first.
TEST(wrong_separator)
{
    EXPECT_CSV("a;b,c\n\"x\",y\n\"z\",w\n", "1[a;b][c]\n2[x][y]\n3[z][w]\n");
}

TEST(separators)
{
    EXPECT_CSV("a;b\nc, d;e\nf;g, h\n", "1[a][b]\n2[c, d][e]\n3[f][g, h]\n");
    EXPECT_CSV("Yes, sir;Oui, monsieur\n", "1[Yes, sir][Oui, monsieur]\n");
    EXPECT_CSV("a\tb\nc, d\te; f\n", "1[a][b]\n2[c, d][e; f]\n");
    EXPECT_CSV("a,b\nc; d,e\n", "1[a][b]\n2[c; d][e]\n");
    EXPECT_CSV("\"a;b\",c\n\"d;e\",f\n", "1[a;b][c]\n2[d;e][f]\n");
    EXPECT_CSV("sep=;\na,b;c\n", "2[a,b][c]\n");
    EXPECT_CSV("sep=|\na,b|c\n", "2[a,b][c]\n");
    EXPECT_CSV("one\ntwo\n", "1[one]\n2[two]\n");
}

TEST(faults)
{
    // the row after a fault is the next line, whatever the marks have swallowed
    EXPECT_CSV("a,b\n\"c\" d,e\nf,g\n", "1[a][b]\n2!has text b\n3[f][g]\n");
    EXPECT_CSV("a,b\n\"c,d\ne,f\ng,h\n", "1[a][b]\n2!has a quot\n3[e][f]\n4[g][h]\n");
    EXPECT_CSV("a,b\n\"c,d\ne,\"f\"\ng,h\n", "1[a][b]\n2!has text b\n3[e][f]\n4[g][h]\n");
    EXPECT_CSV("a,\"", "1!has a quot\n");
}

TEST(excel_s_tsv)
{
    // Excel: cells with a mark, a comma or a line break are quoted
    EXPECT_TSV("a\tb\n\"Say \"\"no\"\".\"\tx\n", "1[a][b]\n2[Say \"no\".][x]\n");
    EXPECT_TSV("\"Yes, sir.\"\t\"Oui, monsieur.\"\na\tb\n",
               "1[Yes, sir.][Oui, monsieur.]\n2[a][b]\n");
    EXPECT_TSV("a\t\"b\nc\"\nd\te\n", "1[a][b\nc]\n3[d][e]\n");
    // all cells
    EXPECT_TSV("\"a\"\t\"b\"\n\"c\"\t\"d\"\n\"e\"\t\"f\"\n", "1[a][b]\n2[c][d]\n3[e][f]\n");
}

// Sentences may begin with quotation marks, and be quotations.
TEST(plain_tsv)
{
    EXPECT_TSV("\"Go!\"\t\"Va !\"\na\tb\n", "1[\"Go!\"][\"Va !\"]\n2[a][b]\n");
    EXPECT_TSV("\"Go!\" he said.\tx\n", "1[\"Go!\" he said.][x]\n");
    EXPECT_TSV("\"Go!\tx\na\tb\n", "1[\"Go!][x]\n2[a][b]\n");
    EXPECT_TSV("\"Yes, sir.\"\tOui, monsieur.\n", "1[\"Yes, sir.\"][Oui, monsieur.]\n");
    EXPECT_TSV("\"a, b\"\tc\n\"d\"\te\n", "1[\"a, b\"][c]\n2[\"d\"][e]\n");
    EXPECT_TSV("\"Say \"\"no\"\".\"\tx\na \"b\"\tc\n",
               "1[\"Say \"\"no\"\".\"][x]\n2[a \"b\"][c]\n");
    EXPECT_TSV("a\tb\tc\n\n", "1[a][b][c]\n2[]\n");
}

TEST(limits)
{
    // more cells than are kept
    Bytes text = {0};
    for (int i = 0; i < 3 * MAX_CSV_CELLS; i++) bytes_append_string(&text, "\"x\",", NULL);
    Bytes rows = rows_of(text.data, text.length, CSV_FORM_CSV);
    ck_assert_uint_eq(rows.length, 1 + 3 * MAX_CSV_CELLS + 1);
    bytes_free(&rows);
    // a mark that is never closed: the lines after it are not lost
    bytes_clear(&text);
    bytes_append_string(&text, "a,b\n\"c,d\n", NULL);
    for (int i = 0; i < MAX_CSV_ROW / 16; i++)
        bytes_append_string(&text, "0123456,01234567\n", NULL);
    rows = rows_of(text.data, text.length, CSV_FORM_CSV);
    static const char begins[] = "1[a][b]\n2!has a quot\n3[0123456][01234567]\n4[";
    ck_assert_int_eq(strncmp(rows.data, begins, strlen(begins)), 0);
    static const char ends[] = "65538[0123456][01234567]\n";
    ck_assert_str_eq(rows.data + rows.length - strlen(ends), ends);
    bytes_free(&rows);
    bytes_free(&text);
}

TEST(only_needed_cells)
{
    const char *path = scratch_text("a.tsv", "a\tb\tc\n");
    LineReader *lines;
    Csv *csv;
    CsvRow row;
    bool more;
    assert_ok(line_reader_open(&lines, path, NULL));
    assert_ok(csv_open(&csv, lines, CSV_FORM_TSV, NULL));
    csv_need(csv, 2);
    assert_ok(csv_next(csv, &row, &more, NULL));
    ck_assert_uint_eq(row.count, 2);
    ck_assert_uint_eq(row.cells[1].length, 1);
    ck_assert_uint_eq(row.text.length, 5);
    ck_assert_int_eq(csv_separator(csv), '\t');
    ck_assert(!csv_is_quoted(csv));
    csv_close(csv);
    csv_close(NULL);
    line_reader_close(lines);
}

// Cells that go on behind what is looked at: they say nothing, and are read all the same.
TEST(long_cells)
{
    static char text[100000];
    for (int quoted = 0; quoted < 2; quoted++) {
        memset(text, 'x', sizeof text - 1);
        memcpy(text, "\"a;b\n", 5);
        memcpy(text + 90000, quoted ? "\",c\nd,e\n" : "yy,c\nd,e\n", 8);
        text[90008] = '\0';
        Bytes rows = rows_of(text, strlen(text), CSV_FORM_CSV);
        ck_assert_int_eq(strncmp(rows.data, quoted ? "1[a;b\nxxx" : "1!has a quo\n2[xx", 9), 0);
        assert_contains(rows.data, quoted ? "xxx][c]\n3[d][e]\n" : "xxxyy][c]\n3[d][e]\n");
        bytes_free(&rows);
    }
    memcpy(text, "\"a\tb\n", 5); // and such a mark of a TSV is text
    memcpy(text + 90000, "yy\tc\nd\te\n", 9);
    Bytes rows = rows_of(text, 90009, CSV_FORM_TSV);
    ck_assert_int_eq(strncmp(rows.data, "1[\"a][b]\n2[xx", 13), 0);
    bytes_free(&rows);
}

// More rows than are looked at: those behind do not count.
TEST(many_rows)
{
    Bytes text = {0};
    for (int i = 0; i < 1000; i++) assert_ok(bytes_append_string(&text, "a;b,c\n", NULL));
    for (int i = 0; i < 3000; i++) assert_ok(bytes_append_string(&text, "a,b;c,d,e\n", NULL));
    Bytes rows = rows_of(text.data, text.length, CSV_FORM_CSV);
    assert_contains(rows.data, "1000[a][b,c]\n1001[a,b][c,d,e]\n");
    bytes_free(&rows);
    bytes_free(&text);
}

TEST(few_letters)
{
    EXPECT_CSV("abcde\nf\n", "1[abcde]\n2[f]\n"); // as long as a line sep=;
    EXPECT_CSV("a,b\nsep=;\n", "1[a][b]\n2[sep=;]\n");
    EXPECT_TSV("\"a\tb\"\tc\nd\te\n", "1[a\tb][c]\n2[d][e]\n"); // quoted for its TAB
}
