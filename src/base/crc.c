/*
 * crc.c - four bits at a time: the 16 entries are computed by the compiler
 * from the polynomial, so there are no constants to mistype and nothing to do
 * at start. Answers are at most 2 MiB; speed is not the point.
 */
#include "base/crc.h"

#define CRC_BIT(c) (((c) >> 1) ^ (0xEDB88320u & (0u - ((c) & 1u))))
#define CRC_BIT2(c) CRC_BIT(CRC_BIT(c))
#define CRC_ROW(c) CRC_BIT2(CRC_BIT2(c))

static const uint32_t crc_table[16] = {
	CRC_ROW(0u), CRC_ROW(1u), CRC_ROW(2u), CRC_ROW(3u),
	CRC_ROW(4u), CRC_ROW(5u), CRC_ROW(6u), CRC_ROW(7u),
	CRC_ROW(8u), CRC_ROW(9u), CRC_ROW(10u), CRC_ROW(11u),
	CRC_ROW(12u), CRC_ROW(13u), CRC_ROW(14u), CRC_ROW(15u),
};

uint32_t crc32_ieee(uint32_t crc, const void *p, size_t n)
{
	const uint8_t *u = p;

	crc = ~crc;
	for (size_t i = 0; i < n; i++) {
		crc ^= u[i];
		crc = (crc >> 4) ^ crc_table[crc & 15];
		crc = (crc >> 4) ^ crc_table[crc & 15];
	}
	return ~crc;
}
