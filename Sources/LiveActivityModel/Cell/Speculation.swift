/// The speculation of a cell: the events that it may process before their time.
///
/// It has no effect on the history. A cell that records histories of rides, or is searched for activities, never
/// speculates.
public enum Speculation: CaseIterable, Sendable {
    /// Event by event.
    case none
    /// Processes a push to its end when it begins, if nothing can disturb it.
    ///
    /// Activities can be ahead of the clock by as long as a phone is offline.
    case certain
    /// Also processes refreshes of the next minutes, on the assumption that the sender has free streams.
    ///
    /// If the assumption fails, the cell ``CellSimulation/hasErred`` and must be run again as ``certain``.
    case optimistic
}
