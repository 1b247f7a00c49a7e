/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the collector turbostat, for its two files: what is found when it is opened, and what is read of it. */
#ifndef ASSAY_COLLECTORS_TURBOSTAT_H
#define ASSAY_COLLECTORS_TURBOSTAT_H

#include "collectors/collector.h"
#include "collectors/watch.h"
#include "host/msr.h"
#include "host/places.h"
#include "host/processor.h"
#include "host/procfile.h"

#define CPU_FOLDER "sys/devices/system/cpu/"

/* The last two are other collectors. */
enum source { BY_REGISTER, BY_EVENT, BY_FILE, OF_ENERGY, OF_POWERCAP, SOURCES };

/* One number, and where it is from. Those of a CPU stand together. */
struct reading {
	enum source source;
	size_t metric, instance;
	size_t nth; /* BY_REGISTER: of msr.cpus */
	uint32_t address;
	int counter; /* BY_EVENT: a descriptor */
	struct procfile file; /* BY_FILE */
};

struct fixed {
	size_t metric, instance;
	uint64_t value;
};

struct turbostat {
	const struct collector *collector;
	const struct host *host;
	struct msr msr;
	struct err no_msr; /* why there is none; code 0: there is */
	struct err no_event; /* why the last event that is there was not counted */
	struct processor processor;
	struct place_of *places; /* [nth of msr.cpus] */
	struct reading *readings;
	size_t count, room;
	struct fixed *fixed;
	size_t fixed_count, fixed_room;
	size_t places_told; /* so many of `fixed` are no registers */
	struct names names, instances;
	struct metric *metrics;
	size_t *instance_of; /* [nth of msr.cpus] */
	struct watch online;
	struct buf columns[SOURCES], missing; /* for the notes */
	struct shape shape;
};

extern const struct hint turbostat_hints[];

/* Find the best source of each number; `host` is set. What is found is the caller's to close, also after a failure. */
int turbostat_learn(struct turbostat *t, struct err *err);

/* Note which source gives the watts that no register tells. 0 or -ENOMEM. */
int turbostat_watts(struct turbostat *t);

/* Note that these columns, if any, are of that source. 0 or -ENOMEM. */
int turbostat_note(struct turbostat *t, enum source source, const char *columns);

#endif
