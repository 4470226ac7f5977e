/// A protocol for running the worlds of a swarm, one at a time.
protocol WorldJudge: AnyObject, Sendable {
    /// Runs the world of a seed.
    ///
    /// - Returns: nil if the judge was stopped.
    func judge(seed: UInt64) -> WorldAnswer?

    /// Runs a given world; a cell with more events than allowed is aborted.
    ///
    /// - Returns: nil if the judge was stopped.
    func judge(_ world: SwarmWorld, mostEvents: Int) -> WorldAnswer?

    /// Aborts the current world; called from another thread.
    func stop()
}

/// A judge's response about a world.
struct WorldAnswer: Hashable, Sendable {
    /// The verdict on the world.
    var verdict: WorldCheck.Verdict
    /// The world, if it has violations.
    var world: SwarmWorld?
    /// `true` if it took too long, so that another trial would take as long.
    var isHang = false
}
