# tests of lang
