/* A study as JSON: every number. */
#pragma once

#include "eval/study/study.h"

/** The parts asked for, as one object. (transfer full) */
json_t *tg_study_json(const TgStudy *study, TgStudyParts parts);
