/// The speculation of a cell: the events that it may process before their time.
///
/// It has no effect on the history. A cell that is searched for activities never speculates. A cell that records
/// histories of rides speculates by handlers alone: the lines of each ride are then in order, the rides are not.
public enum Speculation: CaseIterable, Sendable {
    /// Event by event.
    case none
    /// Ahead of time, by the handlers of the events alone.
    case handlersOnly
    /// Ahead of time, with one loop for the plain refresh; event by event if histories are recorded.
    case accelerated
}
