# src/cli: the program obstat, a file a subcommand. Others add their files and
# the rooms they need here, upper rooms before lower ones.
noinst_LIBRARIES += libcli.a
libcli_a_SOURCES = src/cli/cli.h src/cli/cmds_table.c src/cli/args.c \
  src/cli/out.c src/cli/act.h \
  src/cli/act.c src/cli/rec_json.c src/cli/cmd_log.c src/cli/cmd_show.c \
  src/cli/cmd_verify.c
libcli_a_SOURCES += src/cli/hubline.h src/cli/hubline.c src/cli/self.h \
  src/cli/self.c src/cli/cmd_hub.c src/cli/cmd_console.c src/cli/cmd_rules.c \
  src/cli/cmd_setup.c src/cli/cmd_doctor.c \
  src/cli/setup_claude.h src/cli/setup_claude.c
libcli_a_SOURCES += src/cli/demo.h src/cli/demo_actions_table.c \
  src/cli/demo_agent.c src/cli/demo_person.c src/cli/demo_print.c \
  src/cli/cmd_demo.c
CLI_ROOMS = libcli.a libconsole.a libui.a libtermcurses.a libhub.a libevidence.a libkinds.a libstore.a libpolicy.a \
  libproto.a libconfig.a libdiff.a liblang.a libmodel.a libbase.a

bin_PROGRAMS += obstat
obstat_SOURCES = src/cli/main.c
obstat_LDADD = $(CLI_ROOMS) $(NCURSES_LIBS) $(OB_EXTLIBS)
