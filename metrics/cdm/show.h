/* The picture of a detail: which element has which partner, and which have none. */
#pragma once

#include <texgauge/picture.h>

/**
 * Put what a detail says on the drawings of a picture: a box around each element with ink, green
 * when it was accepted, amber when it was at the cost of another style, and else red; lines between
 * partners; headings and the legend. Marks are numbered as the elements with ink. Which tokens of
 * a drawing are an element's is the caller's to say (tg_pair_picture_own_token()).
 *
 * @metric: what the title calls it
 * @f1, @recall, @precision: NaN where the pair has no score
 * @detail: of tg_cdm_detail_new(); its boxes are in pixels of the drawings
 */
void tg_cdm_show(TgPairPicture *picture, GVariant *detail, const char *metric, double f1,
                 double recall, double precision);
