# tests of gate
