/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of a running server share. Private to the room. */
#ifndef ASSAY_SERVER_STATE_H
#define ASSAY_SERVER_STATE_H

#include <stdatomic.h>

#include "server/deadlines.h"
#include "server/ingest.h"
#include "server/readers.h"
#include "server/server.h"

struct server {
	struct server_options options; /* every 0 replaced */
	struct MHD_Daemon *daemon;
	int listener;                  /* the daemon's to close once it is started */
	uint16_t port;
	struct ingest ingest;
	struct readers readers;
	struct deadlines deadlines;
	atomic_bool stopping;
	pthread_mutex_t lock;          /* of `active` */
	pthread_cond_t idle;
	unsigned active;               /* requests begun and not over */
};

#endif
