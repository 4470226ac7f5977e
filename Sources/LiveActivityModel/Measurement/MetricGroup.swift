/// The groups of the metric catalogue.
public enum MetricGroup: Sendable {
    /// Rides and their activities.
    case rides
    /// The ages of the content on screens.
    case ages
    /// Pushes, APNs' responses, the fates of pushes, and tokens.
    case pushes
    /// The sender's offered load, latencies and levels.
    case sender
    /// Episodes of staleness as the monitor sees them, and its reactions.
    case episodes
}
