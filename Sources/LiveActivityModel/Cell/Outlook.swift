import Quantities

/// How far ahead of its clock a cell may work: up to when nothing that comes from outside its activities can happen.
struct Outlook {
    private let faults: FaultTimeline
    private let measuredFrom: Instant
    private let end: Instant
    private var bound = Instant.start
    private var holdsUntil = Instant.start

    /// - Parameter isOpen: Whether the cell works ahead at all, where the scenario allows it.
    init(_ world: World, isOpen: Bool) {
        faults = world.faults
        measuredFrom = world.measuredFrom
        end = world.runsThrough
        if !isOpen || !world.rules.canWorkAhead { holdsUntil = .never }
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
