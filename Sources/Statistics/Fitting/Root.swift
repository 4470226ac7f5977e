import CGSL

/// A root finder, by GSL's `brent`.
///
/// R. P. Brent, "Algorithms for Minimization without Derivatives", 1973.
enum Root {
    private final class Body {
        let value: (Double) -> Double

        init(_ value: @escaping (Double) -> Double) {
            self.value = value
        }
    }

    /// The root above 0 of a monotonic function, to twelve digits.
    ///
    /// The search begins around a guess and spreads by factors of two.
    ///
    /// - Parameter bounds: The limits of the search.
    /// - Returns: Nil if the sign does not change within the bounds.
    static func near(
        _ guess: Double,
        within bounds: ClosedRange<Double>,
        of value: @escaping (Double) -> Double
    ) -> Double? {
        var low = max(bounds.lowerBound, min(guess, bounds.upperBound) / 2)
        var high = min(bounds.upperBound, max(guess, bounds.lowerBound) * 2)
        while (value(low) < 0) == (value(high) < 0) {
            guard low > bounds.lowerBound || high < bounds.upperBound else { return nil }
            low = max(bounds.lowerBound, low / 2)
            high = min(bounds.upperBound, high * 2)
        }
        let body = Body(value)
        return withExtendedLifetime(body) {
            GSL.call {
                guard let solver = gsl_root_fsolver_alloc(cgsl_brent()) else { return nil }
                defer { gsl_root_fsolver_free(solver) }
                var function = gsl_function(
                    function: { argument, context in
                        guard let context else { return .nan }
                        return Unmanaged<Body>.fromOpaque(context).takeUnretainedValue().value(argument)
                    },
                    params: Unmanaged.passUnretained(body).toOpaque()
                )
                return withUnsafeMutablePointer(to: &function) { function in
                    guard gsl_root_fsolver_set(solver, function, low, high) == GSL.success else { return nil }
                    for _ in 0..<200 {
                        guard gsl_root_fsolver_iterate(solver) == GSL.success else { break }
                        let (left, right) = (gsl_root_fsolver_x_lower(solver), gsl_root_fsolver_x_upper(solver))
                        if gsl_root_test_interval(left, right, 0, 1e-12) == GSL.success { break }
                    }
                    return gsl_root_fsolver_root(solver)
                }
            }
        }
    }
}
