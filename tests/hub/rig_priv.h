/*
 * rig_priv.h - what rig.c and rig_gate.c call of each other.
 */
#ifndef OBSTAT_TESTS_HUB_RIG_PRIV_H
#define OBSTAT_TESTS_HUB_RIG_PRIV_H

#include "tests/hub/rig.h"

void rig_wait_fd(int fd, short events);  /* the live gate is served meanwhile */
void rig_send_all(int fd, const void *p, size_t n);
int gate_lives(void);                    /* -1 none */
void gate_live_serve(void);

#endif
