/* SPDX-License-Identifier: GPL-3.0-or-later */
#define FUSE_USE_VERSION 31
#include "tests/support/msr_device.h"

#include <errno.h>
#include <fuse3/fuse.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REGISTERS 2048
#define CPUS	  8

struct one {
	unsigned cpu;
	uint32_t address;
	uint64_t value;
	int error;
};

static struct {
	pthread_mutex_t lock;
	pthread_t thread;
	struct fuse *fuse;
	char folder[600];
	unsigned cpus;
	int refused[CPUS];
	struct one at[REGISTERS];
	size_t count;
} device = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- the file system: /<N>/msr ---- */

static int cpu_of(const char *path, bool *is_file)
{
	char *end;
	unsigned long cpu = strtoul(path + 1, &end, 10);

	*is_file = strcmp(end, "/msr") == 0;
	return end == path + 1 || cpu >= device.cpus || (*end && !*is_file) ? -ENOENT : (int)cpu;
}

static int on_getattr(const char *path, struct stat *st, struct fuse_file_info *file)
{
	bool is_file = false;
	int cpu = strcmp(path, "/") == 0 ? 0 : cpu_of(path, &is_file);

	if (cpu < 0)
		return cpu;
	*st = (struct stat){ .st_mode = is_file ? S_IFREG | 0600 : S_IFDIR | 0755, .st_nlink = 1 };
	return 0;
}

static int on_readdir(const char *path, void *buf, fuse_fill_dir_t fill, off_t offset, struct fuse_file_info *file,
		      enum fuse_readdir_flags flags)
{
	bool is_file = false;

	if (strcmp(path, "/") != 0)
		return cpu_of(path, &is_file) < 0 ? -ENOENT : fill(buf, "msr", NULL, 0, 0);
	for (unsigned cpu = 0; cpu < device.cpus; cpu++) {
		char name[16];

		(void)snprintf(name, sizeof(name), "%u", cpu);
		(void)fill(buf, name, NULL, 0, 0);
	}
	return 0;
}

static int on_open(const char *path, struct fuse_file_info *file)
{
	bool is_file;
	int cpu = cpu_of(path, &is_file);

	if (cpu < 0 || device.refused[cpu])
		return cpu < 0 ? cpu : -device.refused[cpu];
	file->direct_io = 1; /* each read is asked of us, at its own place */
	return 0;
}

static struct one *find(unsigned cpu, uint32_t address)
{
	for (size_t i = 0; i < device.count; i++)
		if (device.at[i].cpu == cpu && device.at[i].address == address)
			return &device.at[i];
	return NULL;
}

static int on_read(const char *path, char *buf, size_t size, off_t offset, struct fuse_file_info *file)
{
	bool is_file;
	int cpu = cpu_of(path, &is_file), r = -EIO;
	const struct one *one;

	pthread_mutex_lock(&device.lock);
	one = cpu < 0 ? NULL : find((unsigned)cpu, (uint32_t)offset);
	if (one && one->error) {
		r = -one->error;
	} else if (one && size >= sizeof(one->value)) {
		memcpy(buf, &one->value, sizeof(one->value));
		r = sizeof(one->value);
	}
	pthread_mutex_unlock(&device.lock);
	return r;
}

static const struct fuse_operations operations = {
	.getattr = on_getattr, .readdir = on_readdir, .open = on_open, .read = on_read
};

/* ---- what the test says ---- */

static void *serve(void *fuse)
{
	(void)fuse_loop(fuse);
	return NULL;
}

bool msr_device_mount(const char *root, unsigned cpus)
{
	char program[] = "msr-device", *argv[] = { program, NULL };
	struct fuse_args arguments = FUSE_ARGS_INIT(1, argv);

	device.count = 0;
	device.cpus = cpus;
	memset(device.refused, 0, sizeof(device.refused));
	(void)snprintf(device.folder, sizeof(device.folder), "%s/dev", root);
	(void)mkdir(device.folder, 0755);
	(void)snprintf(device.folder, sizeof(device.folder), "%s/dev/cpu", root);
	(void)mkdir(device.folder, 0755);
	if (access("/dev/fuse", R_OK | W_OK) < 0)
		return false;
	device.fuse = fuse_new(&arguments, &operations, sizeof(operations), NULL);
	fuse_opt_free_args(&arguments);
	if (!device.fuse)
		return false;
	if (fuse_mount(device.fuse, device.folder) < 0) {
		fuse_destroy(device.fuse);
		device.fuse = NULL;
		return false;
	}
	if (pthread_create(&device.thread, NULL, serve, device.fuse) != 0)
		abort();
	return true;
}

void msr_device_unmount(void)
{
	if (!device.fuse)
		return;
	fuse_exit(device.fuse);
	fuse_unmount(device.fuse);
	(void)pthread_join(device.thread, NULL);
	fuse_destroy(device.fuse);
	device.fuse = NULL;
}

static struct one *take_one(unsigned cpu, uint32_t address)
{
	struct one *one = find(cpu, address);

	if (!one && device.count == REGISTERS)
		abort();
	if (!one) {
		one = &device.at[device.count++];
		*one = (struct one){ .cpu = cpu, .address = address };
	}
	return one;
}

void msr_device_set(unsigned cpu, uint32_t address, uint64_t value)
{
	pthread_mutex_lock(&device.lock);
	take_one(cpu, address)->value = value;
	pthread_mutex_unlock(&device.lock);
}

void msr_device_add(unsigned cpu, uint32_t address, uint64_t more)
{
	pthread_mutex_lock(&device.lock);
	take_one(cpu, address)->value += more;
	pthread_mutex_unlock(&device.lock);
}

void msr_device_fault(unsigned cpu, uint32_t address, int error)
{
	pthread_mutex_lock(&device.lock);
	take_one(cpu, address)->error = error;
	pthread_mutex_unlock(&device.lock);
}

void msr_device_refuse(unsigned cpu, int error)
{
	device.refused[cpu] = error;
}
