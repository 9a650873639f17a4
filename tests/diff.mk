# tests of diff
