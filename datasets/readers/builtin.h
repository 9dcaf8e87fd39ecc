/* The formats, each in a file of its name, for the table in formats.c. */
#pragma once

#include "datasets/readers/reader.h"

extern const TgReaderClass tg_reader_jsonl;
extern const TgReaderClass tg_reader_json;
extern const TgReaderClass tg_reader_csv;
extern const TgReaderClass tg_reader_tsv;
extern const TgReaderClass tg_reader_captions;
extern const TgReaderClass tg_reader_list;
