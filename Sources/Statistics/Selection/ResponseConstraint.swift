/// A limit on the mean of a response that is known only through replications.
public struct ResponseConstraint: Hashable, Sendable {
    /// The side of the limit on which the mean is allowed.
    public enum Side: Hashable, Sendable, CaseIterable {
        case atMost
        case atLeast
    }

    /// The side of the limit on which the mean is allowed.
    public let side: Side
    /// The limit, in the response's unit.
    public let limit: Double
    /// The distance from the limit within which a mean may be judged either way, in the response's unit; above 0.
    ///
    /// Andradóttir and Kim's ε: a mean at least that far inside is *desirable* and must be found feasible, a mean at
    /// least that far outside is *unacceptable* and must be found infeasible. Means between are *acceptable*, with
    /// either result.
    public let tolerance: Double

    /// The minimum probability with which a system whose mean is on the wrong side is found infeasible; nil if the
    /// tolerance decides.
    public let confidence: Double?

    /// Creates a constraint; its numbers are validated where it is used.
    public init(_ side: Side, _ limit: Double, tolerance: Double, confidence: Double? = nil) {
        self.side = side
        self.limit = limit
        self.tolerance = tolerance
        self.confidence = confidence
    }

    /// The centre of the *acceptable* range: the limit itself or, with a confidence, inside the limit by the tolerance.
    ///
    /// With a confidence, *unacceptable* begins at the limit itself, and the guarantee of the procedure applies to
    /// every mean beyond it.
    public var target: Double {
        guard confidence != nil else { return limit }
        return side == .atMost ? limit - tolerance : limit + tolerance
    }

    /// Returns the distance of a value from a bound such as ``limit``: negative on the allowed side, positive on the
    /// other.
    public func excess(_ value: Double, over bound: Double) -> Double {
        switch side {
        case .atMost: value - bound
        case .atLeast: bound - value
        }
    }
}
