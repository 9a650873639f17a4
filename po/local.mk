# Catalogues: po/LL.po becomes po/LL/LC_MESSAGES/obstat.mo, where a program
# finds it both installed and, with the folder po bound, from the build tree.
# A language is one po file, one xx_DATA pair below and one word in PO_LANGS.
PO_LANGS = de
podedir = $(localedir)/de/LC_MESSAGES
nodist_pode_DATA = po/de/LC_MESSAGES/obstat.mo
CLEANFILES += $(nodist_pode_DATA) po/obstat.pot
EXTRA_DIST += po/de.po

po/de/LC_MESSAGES/obstat.mo: po/de.po
	$(AM_V_GEN)$(MKDIR_P) po/de/LC_MESSAGES && \
	  $(MSGFMT) --check --check-format -o $@ $(srcdir)/po/de.po

# Brings the catalogues of the source tree up to the strings of the source.
.PHONY: update-po
update-po:
	XGETTEXT='$(XGETTEXT)' MSGMERGE='$(MSGMERGE)' MSGFMT='$(MSGFMT)' \
	  $(srcdir)/tools/check-po --update $(PO_LANGS)
