import Quantities

/// How far ahead of its clock a cell may work: up to when nothing that comes from outside its activities can happen.
struct Lookahead {
    private let faults: FaultTimeline
    private let measuredFrom: Instant
    private let end: Instant
    /// Whether the cell works ahead at all.
    let isOpen: Bool
    private var bound = Instant.start
    private var holdsUntil = Instant.start

    /// - Parameter isOpen: Whether the cell is to work ahead, where the scenario allows it.
    init(_ world: World, isOpen: Bool) {
        faults = world.faults
        measuredFrom = world.measuredFrom
        end = world.runsThrough
        self.isOpen = isOpen && world.rules.canWorkAhead
        if !self.isOpen { holdsUntil = .never }
    }

    /// The first instant that is out of sight; now or before where nothing can be seen: while a fault lasts, and before the
    /// warm-up is over.
    @inline(__always)
    mutating func limit(at now: Instant) -> Instant {
        if now >= holdsUntil { look(from: now) }
        return bound
    }

    private mutating func look(from now: Instant) {
        guard measuredFrom <= now else {
            holdsUntil = measuredFrom
            return
        }
        let (isCalm, until) = faults.calm(at: now)
        bound = isCalm ? min(until, Instant(microseconds: end.microseconds + 1)) : .start
        holdsUntil = until
    }
}
