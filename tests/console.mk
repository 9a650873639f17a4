# tests of console
