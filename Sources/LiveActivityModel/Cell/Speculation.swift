/// The distance by which a cell may work ahead of its clock; no effect on the history.
///
/// A cell whose stories are told, or whose activities are searched, never works ahead.
public enum Speculation: CaseIterable, Sendable {
    /// Event by event.
    case none
    /// Works out a push when it begins, if nothing can disturb it. Activities may be ahead of the clock by as long as a phone is
    /// offline.
    case certain
    /// Also works minutes ahead, on the assumption that the sender has free streams. If the assumption fails, the cell
    /// ``CellSimulation/hasErred`` and must be run again as ``certain``.
    case optimistic
}
