/* kernels_builds.h - the tables that kernels.c chooses from. KERNELS_WIDE: 8 and 16 were built. */
#ifndef NUM_KERNELS_BUILDS_H
#define NUM_KERNELS_BUILDS_H

#include "num/kernels.h"

extern const struct kernels kernels_plain, kernels_vec4, kernels_vec8, kernels_vec16;

#endif
