/// A setting that defines what counts as fresh or as given up; two runs in which it differs have different metric
/// bases.
public enum MetricBasis: String, CaseIterable, Hashable, Sendable {
    /// The time for which content is fresh.
    case ttl = "content.ttl"
    /// The time after its stale date for which an instance still counts as fresh.
    case freshLimit = "monitor.fresh_limit"
    /// The time after that in which the monitor tries to recover the instance before it gives up.
    case recoveryWindow = "monitor.recovery_window"
}
