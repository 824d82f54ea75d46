/* emulators/plan.c - does the model take these operands, and with which parameters? */
/* SPDX-License-Identifier: Apache-2.0 */
#include "emulators/plan.h"

#include <stdlib.h>

#include "emulators/emulate.h"
#include "emulators/stage_table.h"

/* Products and their sums are held in 64 bits. */
enum { PRODUCT_BITS_MAX = 62, INTEGER_BITS_MAX = 16 };

static const char *word_of(const ulp_stage_t *stage)
{
    return ulp_stage_row_find(stage->kind)->word;
}

static void find_stages(ulp_plan_t *plan, const ulp_model_t *model)
{
    for (size_t i = 0; i < model->nstages; i++) {
        const ulp_stage_t *stage = &model->stage[i];
        switch (stage->kind) {
        case ULP_STAGE_NONE:
            break;
        case ULP_STAGE_IN:
            plan->in = stage;
            break;
        case ULP_STAGE_ORDER:
            plan->order = stage;
            break;
        case ULP_STAGE_SCALE:
            plan->scale = stage;
            break;
        case ULP_STAGE_PROMOTE:
            plan->promote = stage;
            break;
        case ULP_STAGE_SPLITK:
            plan->splitk = stage;
            break;
        case ULP_STAGE_OUT:
            plan->out = stage;
            break;
        default:
            plan->kernel = stage;
        }
    }
}

/* Formats along the way. */
static void find_formats(ulp_plan_t *plan)
{
    const ulp_stage_t *kernel = plan->kernel;
    plan->acc = ulp_format_find("f32", NULL);
    if (kernel->kind == ULP_STAGE_IMAC) {
        plan->acc = ulp_format_find("i32", NULL);
    } else if (kernel->kind == ULP_STAGE_FMA) {
        plan->acc = kernel->format;
    } else if (kernel->acc) {
        plan->acc = kernel->acc;
    }
    plan->sum = plan->acc;
    if (plan->promote) {
        const ulp_format_t *format = plan->promote->format;
        plan->sum = format ? format : ulp_format_find("f32", NULL);
    }
    plan->output = plan->out ? plan->out->format : plan->sum;
}

const ulp_format_t *ulp_model_output(const ulp_model_t *model)
{
    ulp_plan_t plan = {0};
    find_stages(&plan, model);
    find_formats(&plan);
    return plan.output;
}

/* Kernels of NVIDIA's datapath give 0x7FFFFFFF and 0x7FFF [MMASIM]; others the usual quiet NaN. */
static uint64_t nan_code(const ulp_plan_t *plan)
{
    const ulp_format_t *format = plan->output;
    int nvidia = (plan->kernel->kind == ULP_STAGE_FDPA && plan->kernel->f != ULP_STAGE_F_INF) ||
                 plan->kernel->kind == ULP_STAGE_GDPA;
    if (nvidia && format->kind == ULP_KIND_FLOAT && format->has_sign &&
        (format->nan == ULP_NAN_IEEE || format->nan == ULP_NAN_ALL_ONES)) {
        return ((UINT64_C(1) << (format->bits - 1)) - 1) &
               ~((UINT64_C(1) << format->padding_bits) - 1);
    }
    return ulp_format_nan(format);
}

static void find_step(ulp_plan_t *plan)
{
    const ulp_stage_t *kernel = plan->kernel;
    ulp_step_t *step = &plan->step;
    step->stage = kernel;
    step->target = ulp_target_make(plan->acc, kernel->final_p, kernel->final_mode);
    step->c_fraction = plan->acc->p - 1;
    plan->unit = (size_t)kernel->l;
    switch (kernel->kind) {
    case ULP_STAGE_FDPA:
        step->run = kernel->f == ULP_STAGE_F_INF ? ulp_step_exact : ulp_step_fdpa;
        /* A sum of 2^128 or more is infinite although rounding is toward zero [MMASIM]. */
        step->target.ieee_overflow = kernel->f == ULP_STAGE_F_INF;
        step->target.zero_plus = kernel->f != ULP_STAGE_F_INF && kernel->zero == 0;
        break;
    case ULP_STAGE_GDPA:
        step->run = ulp_step_gdpa;
        step->target.ieee_overflow = 0;
        step->target.zero_plus = kernel->zero == 0;
        break;
    case ULP_STAGE_PAIRWISE:
        step->run = ulp_step_pairwise;
        step->target.flush = (uint8_t)kernel->flush;
        break;
    case ULP_STAGE_TRFDPA:
        step->run = ulp_step_trfdpa;
        break;
    case ULP_STAGE_GTRFDPA:
        step->run = ulp_step_gtrfdpa;
        break;
    case ULP_STAGE_FMA:
        step->run = ulp_step_fma;
        step->target = ulp_target_make(plan->acc, 0, kernel->mode);
        break;
    default:
        step->run = ulp_step_imac;
        step->c_fraction = 0;
    }
}

/* 1 if every value of `from` is one of `to`. */
static int contains(const ulp_format_t *to, const ulp_format_t *from)
{
    if (to->kind != from->kind) {
        return 0;
    }
    if (to->kind != ULP_KIND_FLOAT) {
        return to == from;
    }
    return to->p >= from->p && to->emax >= from->emax && to->emin - to->p <= from->emin - from->p;
}

static ulp_status_t check_formats(const ulp_plan_t *plan, const ulp_contraction_t *x,
                                  ulp_error_t *err)
{
    const char *word = word_of(plan->kernel);
    int integers = plan->kernel->kind == ULP_STAGE_IMAC;
    if (integers && (plan->promote || plan->splitk || plan->in || plan->scale)) {
        return ulp_error_set(err, ULP_ERROR_UNSUPPORTED,
                             "imac goes with order and out, with no other stage");
    }
    const ulp_format_t *operand[] = {plan->a, plan->b};
    for (int i = 0; i < 2; i++) {
        const ulp_format_t *format = operand[i];
        if (integers ? format->kind == ULP_KIND_FLOAT || format->bits > INTEGER_BITS_MAX
                     : format->kind != ULP_KIND_FLOAT) {
            return ulp_error_set(err, ULP_ERROR_UNSUPPORTED, "%s takes %s, %s is %s", word,
                                 integers ? "integers of up to 16 bits" : "floating-point operands",
                                 i ? "b" : "a", format->name);
        }
    }
    if (x->c && !contains(plan->sum, x->c->format)) {
        return ulp_error_set(err, ULP_ERROR_UNSUPPORTED,
                             "c is %s, which the accumulator of the model, %s, cannot hold exactly",
                             x->c->format->name, plan->sum->name);
    }
    if (x->shape.alpha != 1.0 || x->shape.beta != 1.0) {
        return ulp_error_set(err, ULP_ERROR_UNSUPPORTED,
                             "alpha = %g, beta = %g: a matrix instruction has neither; emulate "
                             "with both 1",
                             x->shape.alpha, x->shape.beta);
    }
    return ULP_OK;
}

static ulp_status_t check_scales(ulp_plan_t *plan, const ulp_contraction_t *x, ulp_error_t *err)
{
    const ulp_stage_t *kernel = plan->kernel;
    if (!plan->scale != !x->a_scale) {
        return ulp_error_set(err, ULP_ERROR_UNSUPPORTED,
                             plan->scale ? "scale(%d) needs block scales, which the case has not"
                                         : "the case has block scales, the model no scale()",
                             plan->scale ? plan->scale->n : 0);
    }
    if (!plan->scale) {
        return ULP_OK;
    }
    if (x->shape.scale_block != (size_t)plan->scale->n) {
        return ulp_error_set(err, ULP_ERROR_UNSUPPORTED,
                             "scale(%d) but the case has one scale per %zu", plan->scale->n,
                             x->shape.scale_block);
    }
    if (x->a_scale->format->kind != ULP_KIND_FLOAT || x->b_scale->format->kind != ULP_KIND_FLOAT) {
        return ulp_error_set(err, ULP_ERROR_UNSUPPORTED, "block scales are floating-point numbers");
    }
    if (kernel->kind == ULP_STAGE_GDPA) {
        int whole = !plan->order && plan->scale->n % kernel->g == 0 &&
                    (!plan->promote || plan->promote->n % kernel->l == 0);
        return whole ? ULP_OK
                     : ulp_error_set(err, ULP_ERROR_UNSUPPORTED,
                                     "gdpa: scale(n) and promote(n) hold whole groups, and k is in "
                                     "ascending order");
    }
    return ULP_OK;
}

/* Bits of an aligned group: f below its scales' exponents; above them the largest product, both
 * scales' significands, and the count of products. */
static int group_bits(ulp_plan_t *plan, int product_bits)
{
    const ulp_stage_t *kernel = plan->kernel;
    const ulp_format_t *a = plan->a, *b = plan->b;
    int count = 0;
    while (1 << count < kernel->l) {
        count++;
    }
    plan->step.a_emin = a->emin;
    plan->step.b_emin = b->emin;
    int exact = product_bits + a->emax - a->emin + b->emax - b->emin + count;
    int aligned = kernel->f + a->emax + b->emax + 4 + count;
    return exact > aligned ? exact : aligned;
}

/* Fractions, and whether exact products stay within the 64 bits of the kernels that need it. */
static ulp_status_t check_widths(ulp_plan_t *plan, const ulp_contraction_t *x, ulp_error_t *err)
{
    const ulp_stage_t *kernel = plan->kernel;
    ulp_step_t *step = &plan->step;
    int bits = plan->a->p + plan->b->p;
    if (kernel->kind == ULP_STAGE_IMAC) {
        return ULP_OK;
    }
    step->a_fraction = plan->a->p - 1;
    step->b_fraction = plan->b->p - 1;
    int one_operand = PRODUCT_BITS_MAX;
    if (plan->scale) {
        const int sa = x->a_scale->format->p, sb = x->b_scale->format->p;
        bits += sa + sb;
        if (kernel->kind == ULP_STAGE_GDPA) {
            step->a_scale_fraction = sa - 1;
            step->b_scale_fraction = sb - 1;
        } else {
            step->a_fraction += sa - 1;
            step->b_fraction += sb - 1;
            one_operand = plan->a->p + sa > plan->b->p + sb ? plan->a->p + sa : plan->b->p + sb;
        }
    }
    if (kernel->kind == ULP_STAGE_GDPA) {
        bits = group_bits(plan, bits);
    }
    int any = kernel->kind == ULP_STAGE_PAIRWISE || kernel->kind == ULP_STAGE_FMA ||
              kernel->f == ULP_STAGE_F_INF;
    if (any ? plan->scale && one_operand > 53 : bits > PRODUCT_BITS_MAX) {
        return ulp_error_set(err, ULP_ERROR_UNSUPPORTED,
                             "%s takes products of up to %d bits; %s times %s%s needs %d",
                             word_of(kernel), PRODUCT_BITS_MAX, plan->a->name, plan->b->name,
                             plan->scale ? " with scales" : "", bits);
    }
    return ULP_OK;
}

ulp_status_t ulp_plan_make(ulp_plan_t *out, const ulp_model_t *model, const ulp_contraction_t *x,
                           ulp_error_t *err)
{
    ulp_plan_t plan = {0};
    find_stages(&plan, model);
    ULP_ASSERT(plan.kernel);
    find_formats(&plan);
    plan.a = plan.in && plan.in->format ? plan.in->format : x->a->format;
    plan.b = plan.in && plan.in->format ? plan.in->format : x->b->format;
    find_step(&plan);
    plan.nan = nan_code(&plan);
    if (plan.sum->kind == ULP_KIND_FLOAT) {
        plan.c_target = ulp_target_make(plan.sum, 0, ULP_ROUND_NEAREST_EVEN);
        plan.sum_target = ulp_target_make(plan.sum, 0, plan.promote ? plan.promote->mode : 0);
    }
    if (plan.in && plan.in->format &&
        (x->a->format->kind != ULP_KIND_FLOAT || x->b->format->kind != ULP_KIND_FLOAT)) {
        return ulp_error_set(err, ULP_ERROR_UNSUPPORTED, "in converts floating-point operands");
    }
    ulp_status_t status = check_formats(&plan, x, err);
    if (status == ULP_OK) {
        status = check_scales(&plan, x, err);
    }
    if (status == ULP_OK) {
        status = check_widths(&plan, x, err);
    }
    if (status == ULP_OK) {
        status = ulp_plan_sequence(&plan, x->shape.k, err);
    }
    if (status == ULP_OK) {
        *out = plan;
    }
    return status;
}

void ulp_plan_free(ulp_plan_t *plan)
{
    free(plan->place);
    free(plan->segment);
    *plan = (ulp_plan_t){0};
}
