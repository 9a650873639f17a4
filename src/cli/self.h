/*
 * self.h - where this program lies.
 */
#ifndef OBSTAT_CLI_SELF_H
#define OBSTAT_CLI_SELF_H

/* Absolute path of this program, for starting the hub and the evidence
 * process: the running file, whatever argv[0] said. Fatal when unknown. */
const char *cli_self(void);
/* The directory it lies in (where obstat-gate is too). */
const char *cli_self_dir(void);

#endif
