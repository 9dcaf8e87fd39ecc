/* Everything that a program needs; plugins need only metric.h. */
#pragma once

#include <texgauge/compare.h>
#include <texgauge/contact_sheet.h>
#include <texgauge/document.h>
#include <texgauge/env.h>
#include <texgauge/eval.h>
#include <texgauge/explain.h>
#include <texgauge/formula.h>
#include <texgauge/metric.h>
#include <texgauge/option.h>
#include <texgauge/picture.h>
#include <texgauge/pictures.h>
#include <texgauge/registry.h>
#include <texgauge/render.h>
#include <texgauge/report.h>
#include <texgauge/result.h>
#include <texgauge/select.h>
#include <texgauge/study.h>
#include <texgauge/summary.h>
#include <texgauge/tokens.h>
#include <texgauge/train.h>
#include <texgauge/types.h>
