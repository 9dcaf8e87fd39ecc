#!/usr/bin/env python3
"""Prints what tests/metrics/test_image_metrics.c expects of SSIM, computed by scikit-image.

Made with scikit-image 0.19.3, scipy 1.10.1 and numpy 1.24.2, whose settings below are those of the
2004 paper.
"""
import numpy as np
from skimage.metrics import structural_similarity


def image(seed, width, height, levels):
    """Row by row from Knuth's linear congruential generator."""
    pixels, state = [], seed
    for _ in range(width * height):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        pixels.append((state >> 33) % levels * 255 // (levels - 1))
    return np.array(pixels, dtype=float).reshape(height, width)


def white(pixels, width, height):
    out = np.full((height, width), 255.0)
    out[: pixels.shape[0], : pixels.shape[1]] = pixels
    return out


for one, other in (((1, 30, 20, 2), (2, 30, 20, 2)), ((3, 40, 13, 256), (3, 40, 13, 2)),
                   ((5, 25, 30, 4), (5, 18, 35, 4)), ((7, 5, 4, 2), (8, 6, 3, 2))):
    a, b = image(*one), image(*other)
    width = max(a.shape[1], b.shape[1], 11)
    height = max(a.shape[0], b.shape[0], 11)
    print(one, other, repr(float(structural_similarity(
        white(a, width, height), white(b, width, height), gaussian_weights=True, sigma=1.5,
        use_sample_covariance=False, data_range=255))))
