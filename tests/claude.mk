# tests of claude
