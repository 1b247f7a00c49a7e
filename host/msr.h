/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The model-specific registers of each CPU of an x86, 64 bits at each address:
 *
 *   dev/cpu/<N>/msr     the device: a pread of 8 bytes at the register's address, answered by that CPU
 *   msr/msr.txt         a recording's: lines "1b0:0|6 1|6 2|a", address:cpu|value, hexadecimal but for the CPU
 *
 * The device is asked first, wherever the root is. A register that a CPU does not have is -EIO (the instruction
 * faults): it says nothing of other registers, nor of other CPUs. -ENXIO is a CPU that is off.
 *
 * Cost: a read is one system call that interrupts the CPU which is asked, some microseconds.
 * Threads: a `struct msr` is used by one thread at a time.
 */
#ifndef ASSAY_HOST_MSR_H
#define ASSAY_HOST_MSR_H

#include <stdint.h>

#include "host/cpulist.h"
#include "host/host.h"

struct msr_recorded;

struct msr {
	const struct host *host;
	struct cpulist cpus; /* those online; without a list of them, those that have a device or stand in the recording */
	int *devices;        /* [nth of cpus]; -1: opened at each read, because there are more than descriptors */
	size_t spare;        /* whose device was opened last in that way: the next read is likely to be of it, too */
	int spare_device;
	struct msr_recorded *recorded; /* ascending by address and CPU; NULL: there is the device */
	size_t recorded_count;
};

/*
 * -ENOENT, -EPERM, -EACCES ...: there are no registers to be read here; `err` says in words why (no such processor, the
 * driver is missing, CAP_SYS_RAWIO, lockdown) and what to do. `cpus` is filled all the same. Close follows in any case.
 */
int msr_open(struct msr *m, const struct host *host, struct err *err);

/* Can it be opened here? The same words; nothing is kept. */
int msr_probe(const struct host *host, struct err *err);

/* One register of the nth CPU of `cpus`. 0 or -errno, without words; allocates nothing. */
int msr_read(struct msr *m, size_t nth, uint32_t address, uint64_t *ret);

void msr_close(struct msr *m); /* takes a zeroed one, too */

#endif
