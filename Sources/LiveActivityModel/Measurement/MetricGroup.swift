/// The groups of the catalogue, in which metrics are listed.
public enum MetricGroup: Sendable {
    /// Rides, and the activities that they get.
    case rides
    /// Ages of what screens show.
    case ages
    /// Pushes, what APNs says to them, what becomes of them, and the tokens that they need.
    case pushes
    /// What is offered to the sender, how long it takes, what it holds.
    case sender
    /// Episodes of staleness, as the monitor sees them, and what it does about them.
    case episodes
}
