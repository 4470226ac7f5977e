/// The desired direction of a metric.
public enum MetricDirection: String, Hashable, Sendable {
    /// More is better.
    case higher
    /// Less is better.
    case lower
    /// Neither: a count of the world, a belief, or one side of a trade-off.
    case neutral
}
