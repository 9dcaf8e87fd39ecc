/* Structural similarity of two pictures. */
#pragma once

#include "metrics/image/image.h"

/**
 * The mean structural similarity index, in [-1, 1]; 1 for equal pictures.
 *
 * The window is the paper's: 11 x 11 pixels with Gaussian weights of standard deviation 1.5, at
 * every place where it lies wholly in the picture; K1 = 0.01, K2 = 0.03, L = 255, no downsampling.
 * Pictures of different size are put at the top left of a common white ground, which is at least
 * 11 x 11.
 *
 * Source: Wang, Bovik, Sheikh and Simoncelli (2004), IEEE Trans. Image Process. 13(4), eq. 13-17.
 */
double tg_ssim(TgGrey a, TgGrey b);
