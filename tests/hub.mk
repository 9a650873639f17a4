# tests of hub
