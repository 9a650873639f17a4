# tests of base_core
