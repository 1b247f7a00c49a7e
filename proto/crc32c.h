/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CRC-32C (Castagnoli, reflected polynomial 0x82f63b78, as in RFC 3720 appendix B.4): "123456789" gives 0xe3069283.
 * The processor's instruction where it has one.
 */
#ifndef ASSAY_PROTO_CRC32C_H
#define ASSAY_PROTO_CRC32C_H

#include <stddef.h>
#include <stdint.h>

uint32_t crc32c(const void *data, size_t length);

/* The same, by table, on any processor. */
uint32_t crc32c_by_table(const void *data, size_t length);

#endif
