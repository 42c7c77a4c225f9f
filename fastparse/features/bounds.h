/* Bounds of templates that memory depends on, in C and in Cython (plan.pxd). */
#ifndef FASTPARSE_BOUNDS_H
#define FASTPARSE_BOUNDS_H

#define FP_MAX_KEYS 512     /* templates of a group, hence keys that are looked up at once */
#define FP_MAX_ATOMS 256    /* different values that the templates of a group read */
#define FP_MAX_PARTS 6      /* values that a template reads */
#endif
