/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Its header has a struct perf_event_attr of its own: no other header of that may be included here. */
#include "collectors/perf_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <perfmon/pfmlib_perf_event.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define FILE_NAME "libpfm.so.4"

static struct {
	pfm_err_t (*initialize)(void);
	const char *(*strerror)(int);
	pfm_err_t (*encode)(const char *, int, pfm_os_t, void *);
	pfm_err_t (*event_info)(int, pfm_os_t, pfm_event_info_t *);
	pfm_err_t (*pmu_info)(pfm_pmu_t, pfm_pmu_info_t *);
} library;
static char problem[200];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const struct {
	const char *name;
	void *at;
} functions[] = {
	{ "pfm_initialize", &library.initialize },	  { "pfm_strerror", &library.strerror },
	{ "pfm_get_os_event_encoding", &library.encode }, { "pfm_get_event_info", &library.event_info },
	{ "pfm_get_pmu_info", &library.pmu_info },
};

static void complain(const char *what)
{
	(void)snprintf(problem, sizeof(problem), "%s", what);
}

static void load(void)
{
	void *file = dlopen(FILE_NAME, RTLD_NOW | RTLD_LOCAL), *at;

	if (!file) {
		complain(dlerror());
		return;
	}
	/* A pointer to an object becomes one to a function by its bytes: POSIX has it so, ISO C has no cast for it. */
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		at = dlsym(file, functions[i].name);
		if (!at) {
			complain(functions[i].name);
			return;
		}
		memcpy(functions[i].at, &at, sizeof(at));
	}
	if (library.initialize() != PFM_SUCCESS)
		complain("pfm_initialize failed");
}

/* The library's answer for one name of one PMU. */
static int encode(const char *name, struct perf_code *ret, int *event)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t ask = { .attr = &attr, .size = sizeof(ask) };
	int r = library.encode(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &ask);

	if (r != PFM_SUCCESS)
		return r;
	*ret = (struct perf_code){
		.type = attr.type,
		.config = { attr.config, attr.config1, attr.config2 },
		.exclude_user = attr.exclude_user,
		.exclude_kernel = attr.exclude_kernel,
	};
	*event = ask.idx;
	return r;
}

static size_t without_digits(const char *name)
{
	size_t length = strlen(name);

	while (length > 0 && name[length - 1] >= '0' && name[length - 1] <= '9')
		length--;
	return length;
}

/* The event of the other boxes of an uncore PMU: "skx_unc_imc0" and all "skx_unc_imc*" that are there. */
static size_t each_box(const char *name, const pfm_pmu_info_t *first, struct perf_code *ret, size_t room)
{
	size_t kind = without_digits(first->name), count = 0;
	int event;

	for (pfm_pmu_t pmu = PFM_PMU_NONE; pmu < PFM_PMU_MAX && count < room; pmu++) {
		pfm_pmu_info_t box = { .size = sizeof(box) };
		char whole[512];

		if (library.pmu_info(pmu, &box) != PFM_SUCCESS || !box.is_present || without_digits(box.name) != kind ||
		    strncmp(box.name, first->name, kind) != 0)
			continue;
		if (snprintf(whole, sizeof(whole), "%s::%s", box.name, name) < (int)sizeof(whole))
			count += encode(whole, &ret[count], &event) == PFM_SUCCESS;
	}
	return count;
}

int perf_library_find(const char *name, struct perf_code *ret, size_t room, struct err *err)
{
	pfm_event_info_t info = { .size = sizeof(info) };
	pfm_pmu_info_t pmu = { .size = sizeof(pmu) };
	struct perf_code one;
	size_t count = 0;
	int r, event;

	(void)pthread_once(&once, load);
	if (problem[0])
		return err_set(err, -ELIBACC, "%s, which knows events by name, cannot be used (Debian: libpfm4): %s",
			       FILE_NAME, problem);
	r = encode(name, &one, &event);
	if (r == PFM_ERR_NOTFOUND)
		return err_set(err, -ENOENT, "libpfm4 knows no such event of this machine's PMUs");
	if (r != PFM_SUCCESS)
		return err_set(err, r == PFM_ERR_NOTSUPP ? -ENOENT : -EINVAL, "libpfm4: %s", library.strerror(r));
	if (!strstr(name, "::") && library.event_info(event, PFM_OS_NONE, &info) == PFM_SUCCESS &&
	    library.pmu_info(info.pmu, &pmu) == PFM_SUCCESS && pmu.type == PFM_PMU_TYPE_UNCORE)
		count = each_box(name, &pmu, ret, room);
	if (count == 0 && room > 0)
		ret[count++] = one;
	return (int)count;
}
