# tests of config
