/// A small world with a timer and all operations on it.
protocol AppointmentWorld {
    /// The number of operations.
    static var operationCount: Int { get }
    /// The number of pending events.
    var pendingCount: Int { get }
    /// `true` if all results so far were correct.
    var isSound: Bool { get }
    /// `true` if no timer is set.
    var isSettled: Bool { get }
    /// Creates a world without events.
    init()
    mutating func perform(_ operation: Int)
    /// Brings up the events of the current instant, then lets time pass.
    mutating func elapse()
}

/// Tries all sequences of operations up to a length, each followed by the rest of time.
///
/// - Returns: The number of sequences, and the first one with an error or with a timer left.
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
