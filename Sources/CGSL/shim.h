#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>
#include <gsl/gsl_qrng.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_roots.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sf_psi.h>
#include <gsl/gsl_vector.h>
#include <gsl/gsl_version.h>

/* GSL keeps its algorithms in mutable global pointers, which Swift takes for shared state; these are their values. */
static inline const gsl_multimin_fminimizer_type *cgsl_nelder_mead(void) {
    return gsl_multimin_fminimizer_nmsimplex2;
}
static inline const gsl_root_fsolver_type *cgsl_brent(void) {
    return gsl_root_fsolver_brent;
}
static inline const gsl_qrng_type *cgsl_sobol(void) {
    return gsl_qrng_sobol;
}
