import CGSL

/// A minimiser without derivatives, by GSL's `nmsimplex2`.
///
/// The simplex method of J. A. Nelder and R. Mead (The Computer Journal 7, 1965). It is deterministic: the first
/// simplex is the start and one step along each axis. A simplex can collapse before it reaches the minimum, so the
/// search is restarted at its result until that gains nothing.
enum NelderMead {
    /// The mean distance from the centre below which a simplex is small enough, for more digits than are printed.
    private static let tolerance = 1e-7
    /// The length of the first simplex along each axis.
    private static let step = 0.1
    /// The maximum number of restarts.
    private static let restarts = 8

    /// The maximum number of steps in each search, far more than needed.
    private static let mostSteps = 3000

    /// The objective function in a form that C can point to.
    private final class Objective {
        let body: ([Double]) -> Double
        let count: Int

        init(count: Int, _ body: @escaping ([Double]) -> Double) {
            self.count = count
            self.body = body
        }
    }

    /// The lowest point found; nil if GSL fails.
    ///
    /// A value that is not finite counts as very high.
    static func minimum(from start: [Double], of body: @escaping ([Double]) -> Double) -> [Double]? {
        guard var best = search(from: start, step: step, of: body) else { return nil }
        for _ in 0..<restarts {
            guard let next = search(from: best.point, step: step / 4, of: body) else { break }
            let gain = best.value - next.value
            if gain > 0 { best = next }
            if gain <= 1e-9 * (1 + best.value.magnitude) { break }
        }
        return best.point
    }

    private static func search(
        from start: [Double],
        step: Double,
        of body: @escaping ([Double]) -> Double
    ) -> (point: [Double], value: Double)? {
        let count = start.count
        let objective = Objective(count: count, body)
        return withExtendedLifetime(objective) {
            GSL.call {
                guard let minimizer = gsl_multimin_fminimizer_alloc(cgsl_nelder_mead(), count) else { return nil }
                defer { gsl_multimin_fminimizer_free(minimizer) }
                guard let origin = gsl_vector_alloc(count), let steps = gsl_vector_alloc(count) else { return nil }
                defer {
                    gsl_vector_free(origin)
                    gsl_vector_free(steps)
                }
                for (index, value) in start.enumerated() { gsl_vector_set(origin, index, value) }
                gsl_vector_set_all(steps, step)
                var function = gsl_multimin_function(
                    f: { point, context in
                        guard let point, let context else { return .greatestFiniteMagnitude }
                        let objective = Unmanaged<Objective>.fromOpaque(context).takeUnretainedValue()
                        let value = objective.body((0..<objective.count).map { gsl_vector_get(point, $0) })
                        return value.isFinite ? value : 1e300
                    },
                    n: count,
                    params: Unmanaged.passUnretained(objective).toOpaque()
                )
                return withUnsafeMutablePointer(to: &function) { function in
                    guard gsl_multimin_fminimizer_set(minimizer, function, origin, steps) == GSL.success else {
                        return nil
                    }
                    for _ in 0..<mostSteps {
                        guard gsl_multimin_fminimizer_iterate(minimizer) == GSL.success else { break }
                        if gsl_multimin_fminimizer_size(minimizer) < tolerance { break }
                    }
                    let point = gsl_multimin_fminimizer_x(minimizer)
                    return ((0..<count).map { gsl_vector_get(point, $0) }, gsl_multimin_fminimizer_minimum(minimizer))
                }
            }
        }
    }
}
