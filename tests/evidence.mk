# tests of evidence
