/// Runs worlds for a swarm, one at a time.
protocol WorldJudge: AnyObject, Sendable {
    /// Runs the world of a seed.
    ///
    /// - Returns: nil where the judge was stopped.
    func judge(seed: UInt64) -> WorldAnswer?

    /// Runs a given world; a cell with more events than allowed is broken off.
    ///
    /// - Returns: nil where the judge was stopped.
    func judge(_ world: SwarmWorld, mostEvents: Int) -> WorldAnswer?

    /// Ends what is under way; called from another thread.
    func stop()
}

/// What a judge says of a world.
struct WorldAnswer: Hashable, Sendable {
    /// What came of it.
    var verdict: WorldCheck.Verdict
    /// The world, where something is wrong with it.
    var world: SwarmWorld?
    /// Whether it took too long, so that to try it again takes as long.
    var isHang = false
}
