/// How large a difference must be to be worth talking about.
public enum NoiseBand: Hashable, Sendable {
    /// A difference in the response's unit, 0 or more.
    case absolute(Double)
    /// A difference as a share of what is compared with, 0 or more: 0.01 for one per cent.
    case relative(Double)
}
