BASE_JSON = src/base/json.h
