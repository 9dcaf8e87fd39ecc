/* The picture of a detail: which element has which partner, and which have none. */
#pragma once

#include <texgauge/picture.h>

/**
 * Put what a detail says on the drawings of a picture: a box around each element with ink, green
 * when it was accepted and else red; lines between partners; headings and the legend. Where a
 * side's drawing has as many tokens as the detail has elements, they are the same.
 *
 * @detail: of tg_cdm_detail_new(); its boxes are in pixels of the drawings
 */
void tg_cdm_show(TgPairPicture *picture, GVariant *detail);
