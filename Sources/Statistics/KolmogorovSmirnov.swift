import CGSL

/// The one-sample test of Kolmogorov and Smirnov.
public enum KolmogorovSmirnov {
    /// The maximum distance between the values' distribution function and the uniform one on 0...1.
    ///
    /// For another continuous distribution, pass its distribution function of each value.
    ///
    /// - Precondition: There is a value.
    public static func distance(uniform values: [Double]) -> Double {
        precondition(!values.isEmpty, "a test needs values")
        let count = Double(values.count)
        var distance = 0.0
        for (index, value) in values.sorted().enumerated() {
            distance = max(distance, Double(index + 1) / count - value, value - Double(index) / count)
        }
        return distance
    }

    /// The probability that as many uniform values on 0...1 have a distance at least as large as these.
    ///
    /// - Precondition: There is a value.
    public static func pValue(uniform values: [Double]) -> Double {
        pValue(distance: distance(uniform: values), count: values.count)
    }

    /// The probability of a distance at least as large.
    ///
    /// Exact up to 1,000 values, by the matrix power of G. Marsaglia, W. W. Tsang and J. Wang (Journal of Statistical
    /// Software 8, 2003), with their formula for the far tail, accurate to seven digits of 1 - p. For more values it
    /// uses the limit distribution with the correction of M. A. Stephens (JRSS B 32, 1970), accurate to three digits.
    ///
    /// - Precondition: There is a value; the distance is within 0...1.
    public static func pValue(distance: Double, count: Int) -> Double {
        precondition(count > 0 && distance >= 0 && distance <= 1, "a distance of distribution functions")
        if distance >= 1 { return 0 }
        let n = Double(count)
        let root = n.squareRoot()
        guard count <= mostExact else { return limit(distance * (root + 0.12 + 0.11 / root)) }
        let scaled = distance * distance * n
        if scaled > 7.24 || (scaled > 3.76 && count > 99) {
            return 2 * exponential((2.000071 + 0.331 / root + 1.409 / n) * scaled)
        }
        return min(1, max(0, 1 - exact(distance: distance, count: count)))
    }

    private static let mostExact = 1000

    /// exp(-x), as the upper tail of the exponential distribution.
    private static func exponential(_ value: Double) -> Double {
        GSL.call { gsl_cdf_exponential_Q(value, 1) }
    }

    /// Kolmogorov's limit: 2 Σ (-1)^(k-1) exp(-2 k² x²).
    private static func limit(_ value: Double) -> Double {
        // Below this value the alternating sum does not converge within its terms, and the probability is 1 to fifteen
        // digits.
        guard value > 0.2 else { return 1 }
        var sum = 0.0
        for term in 1...100 {
            sum += (term % 2 == 1 ? 2 : -2) * exponential(2 * Double(term * term) * value * value)
        }
        return min(max(sum, 0), 1)
    }

    /// The probability of a smaller distance: n! / n^n times the middle element of the n-th power of a matrix.
    private static func exact(distance: Double, count: Int) -> Double {
        let n = Double(count)
        let k = Int(n * distance) + 1
        let size = 2 * k - 1
        let h = Double(k) - n * distance
        var matrix = SquareMatrix(size: size)
        for row in 0..<size {
            for column in 0..<size where row - column + 1 >= 0 {
                matrix[row, column] = 1
            }
        }
        var power = 1.0
        for index in 0..<size {
            power *= h
            matrix[index, 0] -= power
            matrix[size - 1, size - 1 - index] -= power
        }
        if 2 * h - 1 > 0 {
            matrix[size - 1, 0] += (0..<size).reduce(1.0) { product, _ in product * (2 * h - 1) }
        }
        for row in 0..<size {
            for column in 0..<size where row - column + 1 > 0 {
                for factor in 1...(row - column + 1) {
                    matrix[row, column] /= Double(factor)
                }
            }
        }
        let result = matrix.power(count)
        var chance = result.matrix[k - 1, k - 1]
        var exponent = result.exponent
        for factor in 1...count {
            chance *= Double(factor) / n
            if chance < 1e-140 {
                chance *= 1e140
                exponent -= 140
            }
        }
        // A value below 10^-140 is negligible compared with 1.
        return exponent < 0 ? 0 : chance
    }

    /// A square matrix of numbers, row by row.
    private struct SquareMatrix {
        let size: Int
        private var elements: [Double]

        init(size: Int) {
            self.size = size
            elements = [Double](repeating: 0, count: size * size)
        }

        subscript(row: Int, column: Int) -> Double {
            get { elements[row * size + column] }
            set { elements[row * size + column] = newValue }
        }

        /// A power, divided by a power of ten to avoid overflow.
        func power(_ number: Int) -> (matrix: SquareMatrix, exponent: Int) {
            if number == 1 { return (self, 0) }
            let half = power(number / 2)
            var result = half.matrix * half.matrix
            var exponent = 2 * half.exponent
            if number % 2 == 1 { result = self * result }
            if result[size / 2, size / 2] > 1e140 {
                for index in result.elements.indices {
                    result.elements[index] *= 1e-140
                }
                exponent += 140
            }
            return (result, exponent)
        }

        static func * (left: SquareMatrix, right: SquareMatrix) -> SquareMatrix {
            var product = SquareMatrix(size: left.size)
            for row in 0..<left.size {
                for inner in 0..<left.size {
                    let factor = left[row, inner]
                    for column in 0..<left.size {
                        product[row, column] += factor * right[inner, column]
                    }
                }
            }
            return product
        }
    }
}
