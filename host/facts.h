/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the machine is: facts by name, set once per run. What cannot be known has no entry.
 *
 *   host.name  host.boot_id  kernel.release  kernel.version  kernel.cmdline  arch
 *   cpu.vendor cpu.family cpu.model cpu.stepping cpu.name   libcpuid on the live x86 host, else proc/cpuinfo
 *   cpu.code_name                                           "Cascade Lake": host/processor.h
 *   cpu.base_mhz cpu.tsc_mhz                                of the base clock, of the time-stamp counter
 *   cpu.microcode  cpu.smt  cpu.governor  cpu.driver  cpu.driver_mode  cpu.preference (energy or performance)
 *   cpu.no_turbo cpu.boost                                  "0" or "1", as the driver has it
 *   cpu.idle_driver  cpu.idle_governor
 *   mitigation.<name>                                       what the kernel does against that fault of the processor
 *   cpu.threads cpu.cores cpu.sockets                       those online; from sysfs topology, else proc/cpuinfo
 *   cpu.online                                              the kernel's list: "0-47"
 *   cpu.cache.l1d cpu.cache.l1i cpu.cache.l2 cpu.cache.l3   KiB of one such cache, as the first online CPU has it
 *   node.count  node.distances                              "10 21; 21 10", a row a node
 *   kernel.config_hash                                      16 digits of proc/config.gz's bytes, else of boot/config-*'s
 *   kernel.clocksource  kernel.nmi_watchdog
 *   memory.total_kib  memory.thp  page.size  ticks
 *
 * `tbox_group` is derived from the host's name by spec C.1 and is an axis, not a fact.
 */
#ifndef ASSAY_HOST_FACTS_H
#define ASSAY_HOST_FACTS_H

#include "base/pairs.h"
#include "host/host.h"

/* 0 or -ENOMEM. A recorded host's name and release are taken from its proc/sys/kernel/{hostname,osrelease}. */
int host_facts(const struct host *host, struct pairs *ret, struct err *err);

/* Patterns (host_glob) of the files that host_facts() reads; ends at NULL. */
extern const char *const host_facts_sources[];

/* "x86_64": of uname(), or of the line "arch x86_64" in a recording's file `host`; empty when that does not tell. In
 * `content`, which it replaces. 0 or -ENOMEM. */
int host_arch(const struct host *host, struct buf *content, struct text *ret);

/* "lkp-csl-2sp3" stays; "box-12" is "box"; "lkp-7-hsw" is "lkp-hsw". Written to `ret` of `size` bytes. */
void tbox_group(const char *host_name, char *ret, size_t size);

#endif
