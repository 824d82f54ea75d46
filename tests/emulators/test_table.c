/*
 * tests/emulators/test_table.c - the rows of named models: complete, parsable, found by their
 * names, fitting what their instructions take.
 *
 * Against the names and parameters of the published tables, written here by hand.
 */
#include "tests/emulators/problem.h"

typedef struct {
    const char *name, *line;
} known_t;

/* Parameters as the sources state them: [KM25], [MMASIM], [FPY] for e0. */
static const known_t known[] = {
    {"volta.f16.f32", "fdpa(l=4,f=23,final=rz24,e0=-131)"},
    {"volta.f16.f16", "fdpa(l=4,f=23,final=rne11,e0=-19,acc=f16)"},
    {"turing.f16.f16", "fdpa(l=8,f=24,final=rne11,e0=-20,acc=f16)"},
    {"ampere.tf32.f32", "in(tf32,rz) | fdpa(l=4,f=24,final=rz24,e0=-132)"},
    {"ampere.tf32_rna.f32", "in(tf32,rna) | fdpa(l=4,f=24,final=rz24,e0=-132)"},
    {"ampere.f64.f64", "fma(f64,rne)"},
    {"ada.f8.f32", "fdpa(l=16,f=13,final=rz14,e0=-132)"},
    {"ada.f8.f16", "fdpa(l=16,f=13,final=rne11,e0=-20,acc=f16)"},
    {"hopper.bf16", "fdpa(l=16,f=25,final=rz24,e0=-133)"},
    {"hopper.f16.f16", "fdpa(l=16,f=25,final=rne11,e0=-21,acc=f16)"},
    {"hopper.f16.f16.wgmma", "fdpa(l=16,f=25,final=rne11,e0=-21,acc=f16)"},
    {"hopper.f8.f32.wgmma", "fdpa(l=32,f=13,final=rz14,e0=-133)"},
    {"hopper.f8.f32.mma",
     "order(pairs,block=32) | fdpa(l=16,f=25,final=rz24,e0=-133) | promote(32,f32,rne)"},
    {"blackwell.f8.f16.mma",
     "order(pairs,block=32) | fdpa(l=16,f=25,final=rne11,e0=-21,acc=f16) | promote(32,f16,rne)"},
    {"blackwell.f8f6f4.f32.tcgen05", "fdpa(l=32,f=25,final=rz24,e0=-133)"},
    {"blackwell.mxf8f6f4.f32.tcgen05", "scale(32) | fdpa(l=32,f=25,final=rz24,e0=-133)"},
    {"blackwell.mxf4nvf4.f32.tcgen05", "scale(16) | gdpa(l=64,g=16,f=35,final=rz24,e0=-139)"},
    {"rtxblackwell.mxf4.f32", "scale(32) | gdpa(l=64,g=16,f=35,final=rz24,e0=-139)"},
    {"rtxblackwell.f8.f32.k16", "fdpa(l=16,f=25,final=rz24,e0=-133)"},
    {"cdna1.f16.f32", "fdpa(l=4,f=inf,final=rne24)"},
    {"cdna2.bf16_1k.f32", "in(flush=zero) | pairwise(l=4,final=rne24,flush=signed)"},
    {"cdna3.f16.f32", "trfdpa(l=8,f=24,f2=31)"},
    {"cdna3.xf32.f32", "in(tf32,rz) | trfdpa(l=4,f=24,f2=31)"},
    {"cdna3.f8.f32", "gtrfdpa(l=16,f=24,f2=31)"},
    {"turing.i8.i32", "imac(wrap)"},
    {"ampere.i8.i32.satfinite", "imac(sat,l=32)"},
    {"fma.f32.f32", "fma(f32,rne)"},
};

Test(table, parameters_are_those_of_the_sources)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const ulp_named_model_t *row = ulp_named_model_find(known[i].name);
        cr_expect(row, "no %s", known[i].name);
        if (row) {
            cr_expect_str_eq(row->line, known[i].line, "%s: %s", known[i].name, row->line);
        }
    }
}

static void check_formats(const ulp_named_model_t *row, const char *list)
{
    char copy[256];
    snprintf(copy, sizeof copy, "%s", list);
    for (char *at = strtok(copy, " "); at; at = strtok(NULL, " ")) {
        const ulp_format_t *format = ulp_format_find(at, NULL);
        cr_expect(format && strcmp(format->name, at) == 0, "%s: '%s' is no format", row->name, at);
    }
}

Test(table, every_row_is_complete_and_prints_its_line)
{
    cr_assert(ulp_named_model_count() > 100);
    for (size_t i = 0; i < ulp_named_model_count(); i++) {
        const ulp_named_model_t *row = ulp_named_model_at(i);
        char line[ULP_MODEL_LINE_MAX];
        ulp_model_t model = ulp_named_model_parse(row);
        ulp_model_print(line, &model);
        cr_expect_str_eq(line, row->line, "%s prints %s", row->name, line);
        cr_expect_str_eq(ulp_model_output(&model)->name, row->out, "%s gives %s", row->name,
                         ulp_model_output(&model)->name);
        cr_expect(row->k >= 1 && row->source[0] == '[' && row->open && row->device[0], "%s",
                  row->name);
        check_formats(row, row->inputs);
        check_formats(row, row->scales);
        check_formats(row, row->c);
        check_formats(row, row->out);
        cr_expect_eq(ulp_named_model_find(row->name), row, "%s is there twice", row->name);
        cr_expect(!ulp_named_model_at(ulp_named_model_count()));
    }
}

Test(table, names_may_be_short_or_spelt_out)
{
    cr_expect_eq(ulp_named_model_find("ampere.f16"), ulp_named_model_find("ampere.f16.f32"));
    cr_expect_eq(ulp_named_model_find("ampere.f16.f32.mma"),
                 ulp_named_model_find("ampere.f16.f32"));
    cr_expect_eq(ulp_named_model_find("rtxblackwell.mxf4nvf4.ue4m3.block16.f32"),
                 ulp_named_model_find("rtxblackwell.mxf4nvf4.f32"));
    cr_expect(!ulp_named_model_find("hopper.f8")); /* two instructions: say which */
    cr_expect(!ulp_named_model_find("ampere"));
    cr_expect(!ulp_named_model_find(""));
    cr_expect(!ulp_named_model_find("cdna1.f16.f32.mma"));
    cr_expect(!ulp_named_model_find("ampere.f16.f16.f16"));
}

static int fits(const char *name, const char *a, const char *b, const char *c, const char *scale,
                const char *out)
{
    return ulp_named_model_fits(ulp_named_model_find(name), format_of(a), format_of(b),
                                c ? format_of(c) : NULL, scale ? format_of(scale) : NULL,
                                format_of(out));
}

Test(table, rows_fit_what_their_instructions_take)
{
    cr_expect(fits("hopper.f8.f32.wgmma", "f8e4m3fn", "f8e5m2", "f32", NULL, "f32"));
    cr_expect(fits("hopper.f8.f32.wgmma", "f8e4m3fn", "f8e5m2", NULL, NULL, "f32"));
    cr_expect(!fits("hopper.f8.f32.wgmma", "f8e4m3", "f8e5m2", "f32", NULL, "f32"));
    cr_expect(!fits("hopper.f8.f32.wgmma", "f8e4m3fn", "f8e5m2", "f32", NULL, "f16"));
    cr_expect(!fits("hopper.f8.f32.wgmma", "f8e4m3fn", "f8e5m2", "f32", "f8e8m0fnu", "f32"));
    cr_expect(fits("volta.f16.f32", "f16", "f16", "f16", NULL, "f32"));
    cr_expect(!fits("ampere.f16.f32", "f16", "f16", "f16", NULL, "f32"));
    cr_expect(!fits("ampere.f16.f32", "f16", "bf16", "f32", NULL, "f32"));
    cr_expect(
        fits("blackwell.mxf4.f32.tcgen05", "f4e2m1fn", "f4e2m1fn", "f32", "f8e8m0fnu", "f32"));
    cr_expect(!fits("blackwell.mxf4.f32.tcgen05", "f4e2m1fn", "f4e2m1fn", "f32", NULL, "f32"));
    cr_expect(fits("ampere.i8.i32", "i8", "u8", "i32", NULL, "i32"));
    cr_expect(!fits("ampere.i8.i32", "i8", "f16", "i32", NULL, "i32"));
    cr_expect(fits("cdna3.f8.f32", "f8e4m3fnuz", "f8e5m2fnuz", "f32", NULL, "f32"));
}
