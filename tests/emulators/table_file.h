/*
 * tests/emulators/table_file.h - tables of expected values: words by rows, with their count.
 *
 * A file that is absent, has a row of the wrong length or another count than it says fails the
 * test.
 */
#ifndef ULP_TESTS_EMULATORS_TABLE_FILE_H
#define ULP_TESTS_EMULATORS_TABLE_FILE_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_LINE_MAX = 8192, TABLE_WORDS_MAX = 80 };

typedef struct {
    FILE *file;
    const char *path;
    int line;    /* of the file */
    size_t rows; /* read so far */
    size_t said; /* by the head */
    size_t nwords;
    char *word[TABLE_WORDS_MAX];
    char text[TABLE_LINE_MAX];
} table_t;

static inline void table_open(table_t *t, const char *path)
{
    memset(t, 0, sizeof *t);
    t->path = path;
    t->file = fopen(path, "r");
    cr_assert(t->file, "%s: cannot open", path);
}

/* 1 and the words of the next row; 0 at the end, where the count must be what the head says. */
static inline int table_next(table_t *t, size_t least_words)
{
    while (fgets(t->text, sizeof t->text, t->file)) {
        t->line++;
        cr_assert(strchr(t->text, '\n'), "%s:%d: line too long or cut", t->path, t->line);
        if (t->text[0] == '#') {
            sscanf(t->text, "# rows: %zu", &t->said);
            continue;
        }
        t->nwords = 0;
        for (char *at = strtok(t->text, " \n"); at && at[0] != '#'; at = strtok(NULL, " \n")) {
            cr_assert(t->nwords < TABLE_WORDS_MAX, "%s:%d: too many words", t->path, t->line);
            t->word[t->nwords++] = at;
        }
        cr_assert(t->nwords >= least_words, "%s:%d: %zu words", t->path, t->line, t->nwords);
        t->rows++;
        return 1;
    }
    cr_assert(t->said > 0 && t->rows == t->said, "%s: %zu rows, its head says %zu", t->path,
              t->rows, t->said);
    fclose(t->file);
    return 0;
}

static inline uint64_t table_hex(const table_t *t, const char *word)
{
    char *end;
    uint64_t value = strtoull(word, &end, 16);
    cr_assert(end != word && (*end == '\0' || strchr(":*,=", *end)), "%s:%d: '%s' is no hex number",
              t->path, t->line, word);
    return value;
}

#endif
