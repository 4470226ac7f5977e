#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_qrng.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_version.h>

/* GSL keeps its algorithms in mutable global pointers, which Swift takes for shared state; this is the value of one. */
static inline const gsl_qrng_type *cgsl_sobol(void) {
    return gsl_qrng_sobol;
}
