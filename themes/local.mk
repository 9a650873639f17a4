# Themes: one file each, installed where the console looks for them.
themedir = $(pkgdatadir)/themes
dist_theme_DATA = themes/dark.theme
