/*
 * kernels_builds.h - the tables that kernels.c chooses from. Files that are compiled with -DVEC=8
 * define their kernels as KERNEL(name), which is name_vec8: one table of functions from several
 * files.
 */
#ifndef NUM_KERNELS_BUILDS_H
#define NUM_KERNELS_BUILDS_H

#include "num/kernels.h"

extern const struct kernels kernels_plain, kernels_vec4, kernels_vec8, kernels_vec16;

#ifdef VEC
#define KERNEL_NAME(name, width)     name##_vec##width
#define KERNEL_OF_WIDTH(name, width) KERNEL_NAME(name, width)
#define KERNEL(name)		     KERNEL_OF_WIDTH(name, VEC)

#define K(type, name, args) type KERNEL(name) args;
#include "num/kernels.def"
#undef K
#endif

#endif
