/// A small world in which something is appointed, with everything that may be done to it.
protocol AppointmentWorld {
    /// How many operations there are.
    static var operationCount: Int { get }
    /// How many events are pending.
    var pendingCount: Int { get }
    /// Whether all that happened so far was right.
    var isSound: Bool { get }
    /// Whether nothing is appointed.
    var isSettled: Bool { get }
    /// A world in which nothing has happened.
    init()
    mutating func perform(_ operation: Int)
    /// Lets the events of the current instant come up, then time pass.
    mutating func elapse()
}

/// Tries all sequences of operations up to a length, each followed by the rest of time.
///
/// - Returns: How many sequences were tried, and the first after which something was wrong or still appointed.
func exploreShortSequences<World: AppointmentWorld>(
    of world: World.Type,
    upTo length: Int
) -> (count: Int, counterexample: [Int]?) {
    var count = 0
    var counterexample: [Int]?
    func explore(_ world: World, _ trail: [Int]) {
        guard counterexample == nil else { return }
        var end = world
        while end.pendingCount > 0 { end.elapse() }
        count += 1
        if !end.isSound || !end.isSettled {
            counterexample = trail
            return
        }
        guard trail.count < length else { return }
        for operation in 0..<World.operationCount {
            var next = world
            next.perform(operation)
            explore(next, trail + [operation])
        }
    }
    explore(World(), [])
    return (count, counterexample)
}
