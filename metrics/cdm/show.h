/* The picture of a detail: which element has which partner, and which have none. */
#pragma once

#include <texgauge/picture.h>

/**
 * Put what a detail says on the drawings of a picture: a box around each element with ink, green
 * when it was accepted, amber when it was at the cost of another style, and else red; lines between
 * partners; headings and the legend. The tokens of the drawings are the detail's elements.
 *
 * @detail: of tg_cdm_detail_new(); its boxes are in pixels of the drawings
 * @recall, @precision: NaN where the pair has no score
 */
void tg_cdm_show(TgPairPicture *picture, GVariant *detail, double recall, double precision);
