/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/kpi.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>

#include "analysis/discovery.h"

#define POWER 0.8

/* Sides of unequal size tell little of each other's noise: Welch's t instead of the pooled one. */
static void take_welch(const struct judge_metric *m, struct kpi_verdict *v)
{
	double n_a, n_b, of_a = side_variance(m->a, v->difference.scale, &n_a) / n_a;
	double of_b = side_variance(m->b, v->difference.scale, &n_b) / n_b;
	double se = sqrt(of_a + of_b + v->difference.floor2 * v->difference.h);

	if (!(of_a + of_b > 0))
		return;
	v->evidence.se = se;
	v->evidence.df = (of_a + of_b) * (of_a + of_b) / (of_a * of_a / (n_a - 1) + of_b * of_b / (n_b - 1));
	v->evidence.variance = se * se / v->difference.h;
	v->evidence.t = v->difference.d / se;
	v->evidence.p = fmin(1, 2 * student_above(fabs(v->evidence.t), v->evidence.df));
}

static void say(struct kpi_verdict *v)
{
	const struct evidence *e = &v->evidence;
	double half, reach, margin = log1p(KPI_MARGIN);

	if (isnan(v->p_holm)) {
		/* All the same in all runs of both sides is as unchanged as can be, where there are enough to see it.
		 */
		bool constant = !v->difference.varies && v->difference.count_a >= 2 && v->difference.count_b >= 2;

		v->word = constant ? KPI_UNCHANGED : KPI_UNTESTED;
		v->detectable = v->runs_needed = NAN;
		return;
	}
	half = evidence_half_width(e, KPI_ALPHA);
	reach = gsl_cdf_tdist_Pinv(1 - KPI_ALPHA / 2, e->df) + gsl_cdf_tdist_Pinv(POWER, e->df);
	v->detectable = expm1(reach * e->se);
	v->runs_needed = ceil(2 * e->variance * reach * reach / (margin * margin));
	if (v->p_holm <= KPI_ALPHA)
		v->word = KPI_CHANGED;
	else if (v->difference.d - half >= -margin && v->difference.d + half <= margin)
		v->word = KPI_UNCHANGED;
}

int judge_kpis(const struct judge_metric *metrics, size_t count, const struct positions *positions,
	       struct history_sets sets, double unrest, struct kpi_verdict *ret)
{
	size_t runs = count ? metrics[0].a.count + metrics[0].b.count : 0;
	double *scratch = calloc(3 * runs + 1, sizeof(*scratch)), *p = calloc(2 * count + 1, sizeof(*p));
	size_t *order = calloc(count + 1, sizeof(*order));
	int r = scratch && p && order ? 0 : -ENOMEM;

	for (size_t i = 0; i < count && r == 0; i++) {
		struct kpi_verdict *v = &ret[i];

		*v = (struct kpi_verdict){ 0 };
		difference_of(metrics[i].a, metrics[i].b, positions, scratch, &v->difference);
		v->history = history_of(metrics[i].history, sets, v->difference.scale);
		v->history.s02 *= unrest;
		v->evidence = evidence_of(&v->difference, (struct noise){ 0 }, v->history, 0);
		if (v->difference.tested && v->history.d0 == 0 && v->difference.count_a != v->difference.count_b &&
		    !(positions && positions->adjusted))
			take_welch(&metrics[i], v);
		p[i] = v->evidence.p;
	}
	if (r == 0)
		(void)adjust_holm(p, count, order, p + count);
	for (size_t i = 0; i < count && r == 0; i++) {
		ret[i].p_holm = p[count + i];
		say(&ret[i]);
	}
	free(scratch);
	free(p);
	free(order);
	return r;
}
