# tests of base_json
