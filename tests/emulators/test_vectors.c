/*
 * tests/emulators/test_vectors.c - single outputs of real devices, and what wrong models of them
 * give.
 *
 * Against recorded outputs of V100, A100, Ada, L40S, H100, H200 and B200 [KM25]; the figures of
 * wrong models come from an emulator that shares no code with this project. A wrong model that a
 * line can say must give exactly the figure listed for it.
 */
#include "tests/emulators/problem.h"
#include "tests/emulators/table_file.h"

/* Fill operand i of a tensor from a binary32 word; the format must hold it exactly. */
static void put(ulp_tensor_t *t, size_t i, uint64_t word)
{
    unsigned flags;
    uint64_t code = ulp_number_convert(word, t->format, format_of("f32"), NULL, &flags);
    cr_assert_eq(flags, 0u, "%08jx is not a value of %s", (uintmax_t)word, t->format->name);
    ulp_tensor_set(t, i, code);
}

static void put_list(const table_t *table, ulp_tensor_t *t, char *list)
{
    size_t i = 0;
    for (char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        cr_assert(i < t->nelems);
        put(t, i++, table_hex(table, at));
    }
    cr_assert_eq(i, t->nelems);
}

static uint64_t run(const problem_t *p, const char *line)
{
    ulp_tensor_t out = emulate(p, line, ULP_PATH_PLAIN, 1);
    uint64_t word =
        ulp_number_convert(ulp_tensor_get(&out, 0), format_of("f32"), out.format, NULL, NULL);
    ulp_tensor_free(&out);
    return word;
}

/* The line of a wrong model; 0 if no line says it. */
static int wrong_line(char line[ULP_MODEL_LINE_MAX], const ulp_named_model_t *row, const char *how)
{
    ulp_model_t m = ulp_named_model_parse(row);
    ulp_stage_t *s = &m.stage[0];
    while (s->kind != ULP_STAGE_FDPA) {
        s++;
    }
    int half = s->acc && s->acc->bits == 16;
    const char *acc = half ? ",acc=f16" : "", *out = half ? "f16" : "f32";
    if (strcmp(how, "Fm1") == 0) {
        s->f--;
    } else if (strcmp(how, "Fp1") == 0) {
        s->f++;
    } else if (strcmp(how, "rnd") == 0) {
        s->final_mode = half ? ULP_ROUND_TOWARD_ZERO : ULP_ROUND_NEAREST_EVEN;
    } else if (strcmp(how, "Lhalf") == 0) {
        s->l /= 2;
    } else if (strcmp(how, "native32F25") == 0) {
        snprintf(line, ULP_MODEL_LINE_MAX, "fdpa(l=32,f=25,final=%s,e0=-133%s)",
                 half ? "rne11" : "rz24", acc);
        return 1;
    } else if (strcmp(how, "native32F13") == 0) {
        snprintf(line, ULP_MODEL_LINE_MAX, "fdpa(l=32,f=13,final=%s,e0=-133%s)",
                 half ? "rne11" : "rz14", acc);
        return 1;
    } else if (strcmp(how, "Cfirst") == 0) {
        m.nstages = 2;
    } else if (strcmp(how, "seqhalves") == 0) {
        snprintf(line, ULP_MODEL_LINE_MAX,
                 "fdpa(l=16,f=25,final=%s,e0=-133%s) | promote(32,%s,rne)", half ? "rne11" : "rz24",
                 acc, out);
        return 1;
    } else {
        cr_assert(strcmp(how, "floor") == 0 || strcmp(how, "normprod") == 0, "%s?", how);
        return 0;
    }
    ulp_model_print(line, &m);
    return 1;
}

static void check_wrong(const table_t *t, const problem_t *p, const ulp_named_model_t *row,
                        uint64_t d, size_t *killed)
{
    for (char *at = t->word[8]; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char how[32], line[ULP_MODEL_LINE_MAX];
        cr_assert_eq(sscanf(at, "%31[^=]", how), 1);
        uint64_t listed = table_hex(t, strchr(at, '=') + 1);
        *killed += listed != d;
        if (wrong_line(line, row, how)) {
            uint64_t got = run(p, line);
            cr_expect_eq(got, listed, "%s:%d: %s: %s gives %08jx, listed %08jx", t->path, t->line,
                         how, line, (uintmax_t)got, (uintmax_t)listed);
        }
    }
}

Test(vectors, devices_and_wrong_models_give_what_is_recorded)
{
    table_t t;
    size_t killed = 0;
    table_open(&t, ULP_TEST_DATA_DIR "/emulators/vectors.txt");
    while (table_next(&t, 9)) {
        const ulp_named_model_t *row = ulp_named_model_find(t.word[2]);
        cr_assert(row, "%s:%d: no model %s", t.path, t.line, t.word[2]);
        size_t k = 1;
        for (const char *at = t.word[6]; *at; at++) {
            k += *at == ',';
        }
        problem_t p = problem_new(t.word[3], row->out, 1, k);
        put(&p.c, 0, table_hex(&t, t.word[4]));
        put_list(&t, &p.a, t.word[6]);
        put_list(&t, &p.b, t.word[7]);
        problem_connect(&p, 1, k, 0);
        uint64_t d = table_hex(&t, t.word[5]), got = run(&p, row->name);
        cr_expect_eq(got, d, "%s:%d: %s line %s: %s gives %08jx, the device %08jx", t.path, t.line,
                     t.word[0], t.word[1], row->name, (uintmax_t)got, (uintmax_t)d);
        check_wrong(&t, &p, row, d, &killed);
        problem_free(&p);
    }
    cr_expect(killed > 4 * t.rows, "%zu wrong results among %zu rows", killed, t.rows);
}
