/* Everything that a program needs; plugins need only metric.h. */
#pragma once

#include <texgauge/env.h>
#include <texgauge/formula.h>
#include <texgauge/metric.h>
#include <texgauge/option.h>
#include <texgauge/picture.h>
#include <texgauge/registry.h>
#include <texgauge/render.h>
#include <texgauge/result.h>
#include <texgauge/scorer.h>
#include <texgauge/tokens.h>
#include <texgauge/types.h>
