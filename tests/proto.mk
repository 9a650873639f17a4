# tests of proto
