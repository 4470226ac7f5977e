/// A setting that says what counts as fresh, or as given up: two runs that differ in it measure by two rulers.
public enum Ruler: String, CaseIterable, Hashable, Sendable {
    /// How long content is fresh.
    case ttl = "content.ttl"
    /// How long after its stale date an instance still counts as fresh.
    case freshLimit = "monitor.fresh_limit"
    /// How long after that the monitor tries to recover it before it gives up.
    case recoveryWindow = "monitor.recovery_window"
}
