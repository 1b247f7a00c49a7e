/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/change_points.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/noise.h"

#define MAD_TO_SIGMA   1.4826
#define CUT_PRICE      3 /* times ln of the number of points */
#define SPIKE_SIGMAS   4
#define SPIKE_NEAR     3   /* points on each side that a spike is held against */
#define PHI_MOST       0.8 /* correlation of neighbours that is believed */
#define DEARER_FROM    1.05
#define POSITION_SHARE 0.95
#define LEVEL_LEAST    5 /* points that the last value is held against */

/* Sums up to each point, about the mean of all: the squares of any segment in three subtractions. */
struct sums {
	double *w, *wy, *wyy;
	double center;
};

int series_sigma(const double *y, const double *weights, size_t count, double *ret)
{
	double *d = calloc(count + 1, sizeof(*d)), median;

	*ret = 0;
	if (!d)
		return -ENOMEM;
	for (size_t i = 0; i + 1 < count; i++)
		d[i] = (y[i + 1] - y[i]) / sqrt(1 / weights[i] + 1 / weights[i + 1]);
	if (count > 1) {
		median = values_median(d, count - 1);
		for (size_t i = 0; i + 1 < count; i++)
			d[i] = fabs(d[i] - median);
		*ret = MAD_TO_SIGMA * values_median(d, count - 1);
	}
	free(d);
	return 0;
}

static int sums_open(struct sums *s, const double *y, const double *weights, size_t count)
{
	double *all = calloc(3 * (count + 1), sizeof(*all)), weight = 0;

	*s = (struct sums){ 0 };
	if (!all)
		return -ENOMEM;
	s->w = all;
	s->wy = all + count + 1;
	s->wyy = all + 2 * (count + 1);
	for (size_t i = 0; i < count; i++) {
		s->center += weights[i] * y[i];
		weight += weights[i];
	}
	s->center = weight > 0 ? s->center / weight : 0;
	for (size_t i = 0; i < count; i++) {
		double at = y[i] - s->center;

		s->w[i + 1] = s->w[i] + weights[i];
		s->wy[i + 1] = s->wy[i] + weights[i] * at;
		s->wyy[i + 1] = s->wyy[i] + weights[i] * at * at;
	}
	return 0;
}

/* Squares about the mean of the points [from, to). */
static double squares(const struct sums *s, size_t from, size_t to)
{
	double w = s->w[to] - s->w[from], wy = s->wy[to] - s->wy[from];

	return fmax(0, s->wyy[to] - s->wyy[from] - wy * wy / w);
}

static double mean_of(const struct sums *s, size_t from, size_t to)
{
	return s->center + (s->wy[to] - s->wy[from]) / (s->w[to] - s->w[from]);
}

static int cut(const struct sums *s, size_t count, double sigma2, double price, size_t *cuts, size_t *ret_count,
	       double *ret_cost)
{
	double *best = calloc(count + 1, sizeof(*best));
	size_t *from = calloc(count + 1, sizeof(*from)), n = 0;

	*ret_count = 0;
	*ret_cost = 0;
	if (!best || !from) {
		free(best);
		free(from);
		return -ENOMEM;
	}
	for (size_t end = 1; end <= count; end++) {
		best[end] = squares(s, 0, end) / sigma2;
		for (size_t start = SEGMENT_LEAST; start + SEGMENT_LEAST <= end; start++) {
			double cost = best[start] + price + squares(s, start, end) / sigma2;

			if (cost < best[end]) {
				best[end] = cost;
				from[end] = start;
			}
		}
	}
	for (size_t end = count; from[end] > 0; end = from[end])
		n++;
	*ret_count = n;
	for (size_t end = count; from[end] > 0; end = from[end])
		cuts[--n] = from[end];
	*ret_cost = best[count];
	free(best);
	free(from);
	return 0;
}

int series_cut(const double *y, const double *weights, size_t count, double sigma2, double price, size_t *cuts,
	       size_t *ret_count, double *ret_cost)
{
	struct sums s;
	int r = sums_open(&s, y, weights, count);

	if (r == 0)
		r = cut(&s, count, sigma2, price, cuts, ret_count, ret_cost);
	free(s.w);
	return r;
}

/* ---- a history ---- */

struct history {
	const double *values, *weights;
	double *y, *kept; /* on the scale; `kept`: spikes replaced */
	size_t count;
	struct scale scale;
	size_t *cuts, cut_count;
	struct sums sums; /* of kept */
};

/* A point far from both its neighbourhoods is one thing that went wrong, not a level. */
static void set_spikes_aside(struct history *h, double sigma, bool *outlier)
{
	double near[2 * SPIKE_NEAR];

	memcpy(h->kept, h->y, h->count * sizeof(*h->y));
	for (size_t i = 1; i + 1 < h->count; i++) {
		size_t before = i < SPIKE_NEAR ? i : SPIKE_NEAR;
		size_t after = h->count - 1 - i < SPIKE_NEAR ? h->count - 1 - i : SPIKE_NEAR;
		double far = SPIKE_SIGMAS * sigma / sqrt(h->weights[i]), earlier, later;

		memcpy(near, h->y + i - before, before * sizeof(*near));
		earlier = values_median(near, before);
		memcpy(near, h->y + i + 1, after * sizeof(*near));
		later = values_median(near, after);
		outlier[i] = fabs(h->y[i] - earlier) > far && fabs(h->y[i] - later) > far;
		if (!outlier[i])
			continue;
		memcpy(near, h->y + i - before, before * sizeof(*near));
		memcpy(near + before, h->y + i + 1, after * sizeof(*near));
		h->kept[i] = values_median(near, before + after);
	}
}

static size_t segment_end(const struct history *h, size_t segment)
{
	return segment < h->cut_count ? h->cuts[segment] : h->count;
}

static size_t segment_start(const struct history *h, size_t segment)
{
	return segment ? h->cuts[segment - 1] : 0;
}

/* How much more a level wanders than points that know nothing of each other would. */
static double wandering(const struct history *h, double sigma2)
{
	double own = 0, with_next = 0, last = 0, count = (double)h->count, segments = (double)h->cut_count + 1, phi, u;

	for (size_t s = 0; s <= h->cut_count; s++) {
		double mean = mean_of(&h->sums, segment_start(h, s), segment_end(h, s));

		for (size_t i = segment_start(h, s); i < segment_end(h, s); i++) {
			double e = sqrt(h->weights[i]) * (h->kept[i] - mean);

			own += e * e;
			with_next += i ? last * e : 0;
			last = e;
		}
	}
	if (!(own > 0) || count <= segments)
		return 1;
	phi = fmin(fmax(with_next / own + segments / count + 1 / count, 0), PHI_MOST);
	u = own / (count - segments) / sigma2;
	return fmax(1, u) * (1 + phi) / (1 - phi);
}

/* The fewest positions between the neighbouring cuts that hold most of the likelihood. */
static int bound_position(const struct history *h, size_t which, double sigma2, struct change_point *ret)
{
	size_t from = segment_start(h, which), to = segment_end(h, which + 1), count = to - from, taken = 0;
	double *likely = calloc(count, sizeof(*likely)), least = HUGE_VAL, sum = 0, held = 0;

	if (!likely)
		return -ENOMEM;
	for (size_t at = from + 1; at < to; at++) {
		likely[at - from] = squares(&h->sums, from, at) + squares(&h->sums, at, to);
		least = fmin(least, likely[at - from]);
	}
	for (size_t i = 1; i < count; i++) {
		likely[i] = exp((least - likely[i]) / (2 * sigma2));
		sum += likely[i];
	}
	ret->first = ret->last = ret->at;
	while (held < POSITION_SHARE * sum && taken++ < count) {
		size_t most = 1;

		for (size_t i = 2; i < count; i++)
			if (likely[i] > likely[most])
				most = i;
		held += likely[most];
		likely[most] = -1;
		if (from + most < ret->first)
			ret->first = from + most;
		if (from + most > ret->last)
			ret->last = from + most;
	}
	free(likely);
	return 0;
}

static double raw_mean(const struct history *h, const bool *outlier, size_t from, size_t to, double *ret, size_t *count)
{
	double sum = 0, weight = 0;

	*count = 0;
	for (size_t i = from; i < to; i++)
		if (!outlier[i]) {
			sum += h->weights[i] * h->values[i];
			weight += h->weights[i];
			ret[(*count)++] = h->values[i];
		}
	return sum / weight;
}

/* The two levels at a cut, set against each other as two sides of a comparison. */
static int describe(const struct history *h, size_t which, const bool *outlier, double sigma2, struct change_point *ret)
{
	size_t from = segment_start(h, which), at = h->cuts[which], to = segment_end(h, which + 1), a, b;
	double *side = calloc(to - from + 1, sizeof(*side)), *scratch = calloc(3 * (to - from) + 1, sizeof(*scratch));
	struct difference d;
	struct evidence e;
	int r = side && scratch ? 0 : -ENOMEM;

	*ret = (struct change_point){ .at = at, .percent = NAN, .low = NAN, .high = NAN, .p = NAN };
	if (r == 0) {
		ret->before = raw_mean(h, outlier, from, at, side, &a);
		ret->after = raw_mean(h, outlier, at, to, side + a, &b);
		difference_of((struct values){ side, a }, (struct values){ side + a, b }, NULL, scratch, &d);
		e = evidence_of(&d, (struct noise){ 0 }, (struct noise){ 0 }, 0);
		ret->p = e.p;
		if (ret->before > 0 && ret->after > 0) {
			ret->percent = 100 * (ret->after - ret->before) / ret->before;
			if (!isnan(e.p)) {
				ret->low = 100 * expm1(d.d - evidence_half_width(&e, 1 - POSITION_SHARE));
				ret->high = 100 * expm1(d.d + evidence_half_width(&e, 1 - POSITION_SHARE));
			}
		}
		r = bound_position(h, which, sigma2, ret);
	}
	free(side);
	free(scratch);
	return r;
}

/* The last value against the points of the level before it. */
static double judge_last(const struct history *h)
{
	size_t end = h->count - 1, from = 0, m;
	double mean, spread = 0, weight = 0;

	for (size_t c = 0; c < h->cut_count; c++)
		if (h->cuts[c] < end)
			from = h->cuts[c];
	m = end - from;
	if (h->count < LEVEL_LEAST + 1 || m < LEVEL_LEAST)
		return NAN;
	mean = mean_of(&h->sums, from, end);
	for (size_t i = from; i < end; i++) {
		spread += h->weights[i] * (h->kept[i] - mean) * (h->kept[i] - mean);
		weight += h->weights[i];
	}
	spread = sqrt(spread / (double)(m - 1));
	if (!(spread > 0))
		return NAN;
	return fmin(1, 2 * student_above(fabs(h->y[end] - mean) / (spread * sqrt(1 / h->weights[end] + 1 / weight)),
					 (double)(m - 1)));
}

static int find(struct history *h, struct change_history *ret)
{
	double price = CUT_PRICE * log((double)h->count), cost, sigma2, scratch;
	int r = series_sigma(h->y, h->weights, h->count, &ret->sigma);

	if (r < 0)
		return r;
	if (!(ret->sigma > 0)) /* all alike, or nearly: a step of the resolution is the noise */
		ret->sigma = h->scale.resolution > 0 && h->values[0] != 0
				     ? fabs(scale_apply(h->scale, h->values[0] + h->scale.resolution) - h->y[0])
				     : 1e-9;
	sigma2 = ret->sigma * ret->sigma;
	set_spikes_aside(h, ret->sigma, ret->outlier);
	r = sums_open(&h->sums, h->kept, h->weights, h->count);
	if (r == 0)
		r = cut(&h->sums, h->count, sigma2, price, h->cuts, &h->cut_count, &cost);
	ret->dearer = 1;
	if (r == 0 && (scratch = wandering(h, sigma2)) > DEARER_FROM) {
		ret->dearer = scratch;
		r = cut(&h->sums, h->count, sigma2, price * scratch, h->cuts, &h->cut_count, &cost);
	}
	ret->points = calloc(h->cut_count + 1, sizeof(*ret->points));
	if (!ret->points)
		r = -ENOMEM;
	for (size_t c = 0; c < h->cut_count && r == 0; c++)
		r = describe(h, c, ret->outlier, sigma2 * ret->dearer, &ret->points[ret->count++]);
	ret->last_p = r == 0 ? judge_last(h) : NAN;
	return r;
}

int find_change_points(const double *values, const double *runs, size_t count, struct change_history *ret)
{
	struct history h = { .values = values, .weights = runs, .count = count };
	int r = -ENOMEM;

	*ret = (struct change_history){ .dearer = 1, .last_p = NAN };
	ret->outlier = calloc(count + 1, sizeof(*ret->outlier));
	h.y = calloc(count + 1, sizeof(*h.y));
	h.kept = calloc(count + 1, sizeof(*h.kept));
	h.cuts = calloc(count / SEGMENT_LEAST + 1, sizeof(*h.cuts));
	if (ret->outlier && h.y && h.kept && h.cuts) {
		h.scale = scale_of((struct values){ values, count }, h.y);
		for (size_t i = 0; i < count; i++)
			h.y[i] = scale_apply(h.scale, values[i]);
		r = count > 1 ? find(&h, ret) : 0;
	}
	free(h.y);
	free(h.kept);
	free(h.cuts);
	free(h.sums.w);
	if (r < 0)
		change_history_free(ret);
	return r;
}

void change_history_free(struct change_history *h)
{
	free(h->points);
	free(h->outlier);
	*h = (struct change_history){ .dearer = 1 };
}
