/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Perf counters that count what the test says; for programs linked with --wrap=pmu_event_open,pmu_event_read. */
#ifndef ASSAY_TESTS_SUPPORT_FAKE_PMU_H
#define ASSAY_TESTS_SUPPORT_FAKE_PMU_H

#include <errno.h>
#include <fcntl.h>

#include "collectors/pmu.h"

#define FAKE_COUNTERS 64

static struct {
	uint32_t type;
	uint64_t config;
	unsigned cpu;
	int fd;
	uint64_t value;
} fake_counters[FAKE_COUNTERS];
static size_t fake_count;
static int fake_refusal; /* errno of the next openings; 0: none */

int __wrap_pmu_event_open(const struct pmu_event *event, unsigned cpu);
int __wrap_pmu_event_read(int fd, uint64_t *ret);

int __wrap_pmu_event_open(const struct pmu_event *event, unsigned cpu)
{
	int fd = fake_refusal ? -fake_refusal : open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && fake_count < FAKE_COUNTERS) {
		fake_counters[fake_count].type = event->type;
		fake_counters[fake_count].config = event->config;
		fake_counters[fake_count].cpu = cpu;
		fake_counters[fake_count].value = 0;
		fake_counters[fake_count++].fd = fd;
	}
	return fd;
}

int __wrap_pmu_event_read(int fd, uint64_t *ret)
{
	for (size_t i = fake_count; i-- > 0;)
		if (fake_counters[i].fd == fd) {
			*ret = fake_counters[i].value;
			return 0;
		}
	return -EBADF;
}

static inline void fake_add(uint32_t type, uint64_t config, unsigned cpu, uint64_t more)
{
	for (size_t i = fake_count; i-- > 0;)
		if (fake_counters[i].type == type && fake_counters[i].config == config && fake_counters[i].cpu == cpu) {
			fake_counters[i].value += more;
			return;
		}
	fail_msg("nobody counts event 0x%llx of type %u on CPU %u", (unsigned long long)config, type, cpu);
}

#endif
