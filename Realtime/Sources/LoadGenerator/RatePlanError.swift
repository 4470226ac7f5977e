public import Quantities

/// What is wrong with a plan of load.
public enum RatePlanError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A plan needs a beginning and an end.
    case tooFewPoints(got: Int)
    /// The rate of a point, counted from 0, is not a number of arrivals that anybody can make.
    case rateOutOfRange(index: Int, got: Double)
    /// The first point does not lie at 0, or another one before its predecessor.
    case timeOutOfOrder(index: Int, got: TimeSpan)

    /// What, got, allowed.
    public var description: String {
        switch self {
        case .tooFewPoints(let got):
            "a rate profile needs at least 2 points, got \(got)"
        case .rateOutOfRange(let index, let got):
            "the rate of point \(index + 1) must be within 0...\(Int(RatePlan.highestRate))/s, got \(got)/s"
        case .timeOutOfOrder(let index, let got):
            "point \(index + 1) must "
                + (index == 0 ? "be at 0 s" : "not be before its predecessor, nor after 3650 days")
                + ", got \(got.microseconds) µs"
        }
    }
}
