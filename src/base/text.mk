BASE_TEXT = src/base/text.h
