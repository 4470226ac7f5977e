/// A limit on the mean of a response, known only through replications.
public struct ResponseConstraint: Hashable, Sendable {
    /// On which side of the limit the mean is allowed.
    public enum Side: Hashable, Sendable, CaseIterable {
        case atMost
        case atLeast
    }

    /// On which side of the limit the mean is allowed.
    public let side: Side
    /// The limit, in the response's unit.
    public let limit: Double
    /// How far to either side of the limit a mean may lie and be judged either way, in the response's unit; above 0.
    ///
    /// Andradóttir and Kim's ε: a mean at least that far inside is *desirable* and to be found feasible, one at least that
    /// far outside *unacceptable* and to be found infeasible; what lies between is *acceptable* and not told apart.
    public let tolerance: Double

    /// The chance, at the least, with which a system whose mean is on the wrong side is found infeasible; nil for what is
    /// left to the tolerance.
    public let confidence: Double?

    /// A constraint; whether its numbers make sense is checked where it is used.
    public init(_ side: Side, _ limit: Double, tolerance: Double, confidence: Double? = nil) {
        self.side = side
        self.limit = limit
        self.tolerance = tolerance
        self.confidence = confidence
    }

    /// The middle of what is not told apart: the limit; with a confidence it lies inside by the tolerance.
    ///
    /// Then *unacceptable* begins at the limit itself, and the procedure's promise is about every mean beyond it.
    public var target: Double {
        guard confidence != nil else { return limit }
        return side == .atMost ? limit - tolerance : limit + tolerance
    }

    /// How far a value is on the wrong side: negative inside, positive outside.
    func excess(_ value: Double) -> Double {
        switch side {
        case .atMost: value - target
        case .atLeast: target - value
        }
    }
}
