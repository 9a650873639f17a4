# tests of base_text
