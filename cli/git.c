/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/git.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARGUMENTS_MOST 16

extern char **environ;

static int read_all(int fd, struct buf *ret)
{
	char part[4096];
	ssize_t n;

	while ((n = read(fd, part, sizeof(part))) > 0 || (n < 0 && errno == EINTR))
		if (n > 0)
			(void)buf_add(ret, part, (size_t)n);
	return ret->failed;
}

int git_read(const char *folder, const char *const *arguments, struct buf *ret, struct err *err)
{
	const char *argv[ARGUMENTS_MOST + 4] = { "git", "-C", folder };
	posix_spawn_file_actions_t actions;
	int ends[2], status = 0, r;
	pid_t pid;

	for (size_t i = 0; arguments[i] && i < ARGUMENTS_MOST; i++)
		argv[3 + i] = arguments[i];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_set(err, -errno, "git: no pipe: %s", strerror(errno));
	(void)posix_spawn_file_actions_init(&actions);
	(void)posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	r = posix_spawnp(&pid, "git", &actions, NULL, (char *const *)argv, environ);
	(void)posix_spawn_file_actions_destroy(&actions);
	(void)close(ends[1]);
	if (r != 0) {
		(void)close(ends[0]);
		return err_set(err, -r, "git cannot be started: %s", strerror(r));
	}
	r = read_all(ends[0], ret);
	(void)close(ends[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (r < 0)
		return err_set(err, r, "git printed too much");
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return err_set(err, -EINVAL, "git %s in %s failed", arguments[0], folder);
	while (ret->len && ret->data[ret->len - 1] == '\n')
		ret->data[--ret->len] = '\0';
	return 0;
}
