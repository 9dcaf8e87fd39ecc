/* Mean squared error of two pictures. */
#pragma once

#include "metrics/image/image.h"

/**
 * The mean of squared differences in 0 (black) to 1 (white), over the common size: both pictures
 * lie at the top left and are white beyond their edges. 0 for two empty pictures.
 */
double tg_image_mse(TgGrey a, TgGrey b);
