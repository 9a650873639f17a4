# tests of ui
