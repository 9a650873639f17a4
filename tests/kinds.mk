# tests of kinds
