import Quantities

/// The safe horizon of a cell: the instant up to which nothing from outside its activities can happen.
struct Lookahead {
    private let faults: FaultTimeline
    private let measuredFrom: Instant
    private let end: Instant
    /// `true` if the cell runs ahead.
    let isOpen: Bool
    private var bound = Instant.start
    private var holdsUntil = Instant.start

    /// - Parameter isOpen: `true` if the cell should run ahead if the scenario allows it.
    init(_ world: World, isOpen: Bool) {
        faults = world.faults
        measuredFrom = world.measuredFrom
        end = world.runsThrough
        self.isOpen = isOpen && world.all.allSatisfy(\.rules.canSpeculate)
        if !self.isOpen { holdsUntil = .never }
    }

    /// The first instant beyond the safe horizon; not after now while a fault is active or before the end of the
    /// warm-up.
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
        let (isFaultFree, until) = faults.faultFree(at: now)
        bound = isFaultFree ? min(until, Instant(microseconds: end.microseconds + 1)) : .start
        holdsUntil = until
    }
}
