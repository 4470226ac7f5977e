/// Why a design of experiments cannot be made.
public enum DesignError: Error, Hashable, Sendable {
    /// A number of points that is not possible.
    case pointCount(Int, allowed: ClosedRange<Int>)
    /// A number of factors that is not possible.
    case dimensionCount(Int, allowed: ClosedRange<Int>)
}

extension DesignError: CustomStringConvertible {
    /// What is wrong: what was asked for, and what is allowed.
    public var description: String {
        switch self {
        case .pointCount(let count, let allowed):
            "a design must have \(allowed.lowerBound) to \(allowed.upperBound) points, got \(count)"
        case .dimensionCount(let count, let allowed):
            "a design must have \(allowed.lowerBound) to \(allowed.upperBound) factors, got \(count)"
        }
    }
}

extension DesignError {
    static func check(points: Int, allowed: ClosedRange<Int>) throws(DesignError) {
        guard allowed.contains(points) else { throw .pointCount(points, allowed: allowed) }
    }

    static func check(dimensions: Int, allowed: ClosedRange<Int>) throws(DesignError) {
        guard allowed.contains(dimensions) else { throw .dimensionCount(dimensions, allowed: allowed) }
    }
}
