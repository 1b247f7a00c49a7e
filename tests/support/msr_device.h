/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file system in user space that stands for dev/cpu/<N>/msr: 8 bytes at each register's address, by CPU, with faults
 * where the test wants them. A plain file cannot: registers are one byte apart.
 */
#ifndef ASSAY_TESTS_SUPPORT_MSR_DEVICE_H
#define ASSAY_TESTS_SUPPORT_MSR_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

/* Mounts it on `root`/dev/cpu, which is made. False: this machine does not let it. One at a time. */
bool msr_device_mount(const char *root, unsigned cpus);
void msr_device_unmount(void); /* also when nothing is mounted */

/* A register that nobody set faults with EIO, as one that the model does not have. */
void msr_device_set(unsigned cpu, uint32_t address, uint64_t value);
void msr_device_add(unsigned cpu, uint32_t address, uint64_t more);
/* Reading it fails with `error` from now on; 0: no longer. */
void msr_device_fault(unsigned cpu, uint32_t address, int error);
/* Opening that CPU's device fails with `error`; 0: no longer. */
void msr_device_refuse(unsigned cpu, int error);

#endif
