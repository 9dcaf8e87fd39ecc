/* The formats, one per file reader_<name>.c, for the table in readers.c. */
#pragma once

#include "datasets/readers/reader.h"

extern const TgReaderClass tg_reader_jsonl;
extern const TgReaderClass tg_reader_json;
extern const TgReaderClass tg_reader_csv;
extern const TgReaderClass tg_reader_tsv;
extern const TgReaderClass tg_reader_captions;
extern const TgReaderClass tg_reader_list;
