/*
 * crc.h - CRC-32 of IEEE 802.3, for the gate's framing: finds a torn or
 * mangled answer, and is no defence against a forger.
 *
 * Must not include: anything.
 */
#ifndef OBSTAT_BASE_CRC_H
#define OBSTAT_BASE_CRC_H

#include <stddef.h>
#include <stdint.h>

/* Start with crc 0; pass the last result to go on. Reflected, polynomial
 * 0xEDB88320, as zlib's crc32(): "123456789" gives 0xCBF43926. */
uint32_t crc32_ieee(uint32_t crc, const void *p, size_t n);

#endif
