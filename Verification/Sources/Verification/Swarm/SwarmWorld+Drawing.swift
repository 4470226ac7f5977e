import Evaluation
import LiveActivityModel
import ModelChecks
import Quantities
import ScenarioLanguage

extension SwarmWorld {
    /// Creates the small world of a seed: its scenario, with a ride trace for one seed in eight, and with measured
    /// values for one seed in eight.
    ///
    /// Half of the worlds with an ETA have recorded estimates.
    ///
    /// Every fourth seed has a world of constants on a grid; those seeds are even, because odd seeds may draw mutants.
    init(seed: UInt64) {
        guard seed % 4 != 2 else {
            self.init(ScenarioSwarm.gridScenario(seed: seed))
            return
        }
        self.init(ScenarioSwarm.scenario(seed: seed))
        let draws = SwarmDraws(seed: seed).inner("data")
        addTrace(draws.inner("trace"))
        addMeasuredValues(draws.inner("values"))
        addEstimates(draws.inner("estimates"))
        if !files.isEmpty { scenario = scenario.keepingRules() }
    }

    /// The sizes of large worlds, in thousandths of the requested size, which is their mean; 0 leaves a world small.
    ///
    /// They reveal both faults that need many events and faults that need many worlds.
    private static let sizes: [Int64] = [0, 50, 100, 200, 500, 1000, 2000, 4150]

    /// Draws the world of a seed with a given mean number of events.
    ///
    /// The small world of the seed is run once to count its events, and then enlarged. If a large world has more than
    /// twice the intended number of events, its size is halved, and so on.
    ///
    /// - Parameters:
    ///   - events: The mean number of events; nil for the small world.
    ///   - count: Runs a world, and returns the number of its events; nil if a cell exceeds the limit.
    /// - Returns: The world, and the maximum number of events of each of its cells.
    static func drawn(
        seed: UInt64,
        events: Int64?,
        count: (_ world: SwarmWorld, _ mostEvents: Int) throws -> Int64?
    ) rethrows -> (world: SwarmWorld, mostEvents: Int) {
        let small = SwarmWorld(seed: seed)
        var draws = SwarmDraws(seed: seed).inner("size")
        guard let events, let wanted = Optional(events * draws.one(of: sizes) / 1000), wanted > 0,
            let found = try count(small, WorldCheck.mostEventsOfSmall), found > 0, found < wanted
        else { return (small, WorldCheck.mostEventsOfSmall) }
        let mostEvents = max(Int(wanted) * 2, WorldCheck.mostEventsOfSmall)
        var factor = min(wanted / found, 20_000)
        // Longer, denser, or some of both.
        let shape = draws.one(of: [Shape.longer, .denser, .both])
        while factor > 1 {
            let large = small.grown(by: factor, shape)
            if let found = try count(large, mostEvents), found <= mostEvents { return (large, mostEvents) }
            factor /= 2
        }
        return (small, WorldCheck.mostEventsOfSmall)
    }

    /// Draws a mutant of a world with a given mean number of events.
    ///
    /// Its size is adjusted by fewer or more rides, in half of the mutants also by a shorter time. If it has more than
    /// four times the intended number of events, the rides are reduced to a quarter, and so on.
    ///
    /// - Parameters:
    ///   - events: The mean number of events; nil for some thousands.
    ///   - count: Runs a world, and returns the number of its events; nil if a cell exceeds the limit.
    /// - Returns: The world, and the maximum number of events of each of its cells.
    static func mutant(
        of base: SwarmWorld,
        seed: UInt64,
        events: Int64?,
        count: (_ world: SwarmWorld, _ mostEvents: Int) throws -> Int64?
    ) rethrows -> (world: SwarmWorld, mostEvents: Int) {
        var draws = SwarmDraws(seed: seed).inner("size")
        let wanted = max((events ?? 10_000) * draws.one(of: sizes) / 1000, 2000)
        let mostEvents = max(Int(wanted) * 4, WorldCheck.mostEventsOfSmall)
        var world = base
        world.scenario = ScenarioSwarm.mutant(of: base.scenario, seed: seed)
        // The rides of a trace are not read yet; one has about fifty events.
        let tracedRides = Double(world.files.reduce(0) { $0 + $1.lines.count }) * world.scenario.rides.scale
        var factor = Double(wanted) / max(RunEstimate(world.scenario).events, tracedRides * 50, 1)
        if factor < 1, world.scenario.rides.trace == nil, draws.coin() {
            factor.formSquareRoot()
            world.scenario.shorten(to: factor)
        }
        let scale = world.scenario.rides.scale
        for _ in 0..<20 {
            world.scenario.rides.scale = min(max(scale * factor, 1e-6), 1e6)
            world.scenario = world.scenario.keepingRules()
            if let found = try count(world, mostEvents), found <= mostEvents { break }
            factor /= 4
        }
        return (world, mostEvents)
    }

    private enum Shape { case longer, denser, both }

    /// Returns the world with a multiple of the rides, over a longer time, or at a higher rate with more requests at a
    /// time.
    private func grown(by factor: Int64, _ shape: Shape) -> SwarmWorld {
        var large = self
        let length: Int64
        switch shape {
        case .longer where scenario.rides.trace == nil: length = factor
        case .both where scenario.rides.trace == nil: length = Int64(Double(factor).squareRoot())
        default: length = 1
        }
        large.scenario.grow(length: length, density: factor / length)
        large.scenario = large.scenario.keepingRules()
        return large
    }
}

extension Scenario {
    /// Shortens the run, and all times that have a place in it.
    fileprivate mutating func shorten(to share: Double) {
        func part(_ span: TimeSpan) -> TimeSpan { .seconds(Int64(Double(span.microseconds) * share / 1e6)) }
        clock.duration = max(part(clock.duration), .minutes(1))
        clock.warmUp = part(clock.warmUp)
        clock.window = max(part(clock.window), .seconds(1))
        rides.arrivals.at = part(rides.arrivals.at)
        rides.arrivals.spread = part(rides.arrivals.spread)
        for index in faults.indices { faults[index].at = part(faults[index].at) }
    }

    fileprivate mutating func grow(length: Int64, density: Int64) {
        let oldDuration = clock.duration
        clock.duration = clock.duration * length
        // The queue after a multiple of the rides takes that much longer to empty.
        clock.drain = min(clock.drain * (length * density), .hours(50_000))
        clock.window = clock.window * (length * density)
        rides.arrivals.spread = rides.arrivals.spread * length
        rides.arrivals.count = min(rides.arrivals.count * Int(length * density), 1_000_000)
        if rides.trace == nil {
            rides.arrivals.ratesPerHour = rides.arrivals.ratesPerHour.map { min($0 * Double(density), 1e9) }
        } else {
            rides.scale = min(rides.scale * Double(density), 1e6)
        }
        sender.streams = min(sender.streams * Int(density), max(10_000_000 / sender.connections, 1))
        for index in faults.indices {
            let at = faults[index].at
            faults[index].at = at < oldDuration ? at * length : at + (clock.duration - oldDuration)
        }
    }
}
