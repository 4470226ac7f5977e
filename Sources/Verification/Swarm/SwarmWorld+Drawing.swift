import Experiments
import LiveActivityModel
import Quantities

extension SwarmWorld {
    /// The small world of a seed: its scenario, one time in eight with a ride trace, one time in eight with measured values.
    ///
    /// Every fourth seed has a world of constants on a grid; it is even, because odd seeds may draw mutants.
    init(seed: UInt64) {
        guard seed % 4 != 2 else {
            self.init(ScenarioSwarm.gridScenario(seed: seed))
            return
        }
        self.init(ScenarioSwarm.scenario(seed: seed))
        let draws = SwarmDraws(seed: seed).inner("data")
        addTrace(draws.inner("trace"))
        addMeasuredValues(draws.inner("values"))
        if !files.isEmpty { scenario = scenario.keepingRules() }
    }

    /// The sizes of large worlds, in thousandths of the size asked for, which is their mean; 0 leaves a world small.
    ///
    /// What needs many events and what needs many worlds are both found.
    private static let sizes: [Int64] = [0, 50, 100, 200, 500, 1000, 2000, 4150]

    /// Draws the world of a seed, in which a given number of events happen on average.
    ///
    /// The small world of the seed is run once to count its events; then it is made larger. Where a larger one has more
    /// than twice the events it should have, it is made half as large, and so on.
    ///
    /// - Parameters:
    ///   - events: The mean number of events; nil for the small world.
    ///   - note: Is given each world before it is run.
    ///   - count: How many events a world has; nil for more than a limit.
    /// - Returns: The world, and how many events each of its cells may have.
    static func drawn(
        seed: UInt64,
        events: Int64?,
        note: (SwarmWorld) throws -> Void,
        count: (_ mostEvents: Int) throws -> Int64?
    ) rethrows -> (world: SwarmWorld, mostEvents: Int) {
        let small = SwarmWorld(seed: seed)
        try note(small)
        var draws = SwarmDraws(seed: seed).inner("size")
        guard let events, let wanted = Optional(events * draws.one(of: sizes) / 1000), wanted > 0,
            let found = try count(WorldCheck.mostEventsOfSmall), found > 0, found < wanted
        else { return (small, WorldCheck.mostEventsOfSmall) }
        let mostEvents = max(Int(wanted) * 2, WorldCheck.mostEventsOfSmall)
        var factor = min(wanted / found, 20_000)
        // Longer, denser, or some of both.
        let shape = draws.one(of: [Shape.longer, .denser, .both])
        while factor > 1 {
            let large = small.grown(by: factor, shape)
            try note(large)
            if let found = try count(mostEvents), found <= mostEvents { return (large, mostEvents) }
            factor /= 2
        }
        try note(small)
        return (small, WorldCheck.mostEventsOfSmall)
    }

    /// Draws a mutant of a world, in which a given number of events happen on average.
    ///
    /// Fewer or more rides make it of its size, in half of the mutants over a shorter time too. Where it has more than four times the
    /// events it should have, it gets a quarter of the rides, and so on.
    ///
    /// - Parameters:
    ///   - events: The mean number of events; nil for some thousands.
    ///   - note: Is given each world before it is run.
    ///   - count: How many events a world has; nil for more than a limit.
    /// - Returns: The world, and how many events each of its cells may have.
    static func mutant(
        of base: SwarmWorld,
        seed: UInt64,
        events: Int64?,
        note: (SwarmWorld) throws -> Void,
        count: (_ mostEvents: Int) throws -> Int64?
    ) rethrows -> (world: SwarmWorld, mostEvents: Int) {
        var draws = SwarmDraws(seed: seed).inner("size")
        let wanted = max((events ?? 10_000) * draws.one(of: sizes) / 1000, 2000)
        let mostEvents = max(Int(wanted) * 4, WorldCheck.mostEventsOfSmall)
        var world = base
        world.scenario = ScenarioSwarm.mutant(of: base.scenario, seed: seed)
        // The rides of a trace are not read yet; one has some fifty events.
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
            try note(world)
            if let found = try count(mostEvents), found <= mostEvents { break }
            factor /= 4
        }
        return (world, mostEvents)
    }

    private enum Shape { case longer, denser, both }

    /// The world with a multiple of the rides, over a longer time, or at a higher rate with more requests at a time.
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
    /// Makes the run shorter, with all that has its place in it.
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
        // What a queue holds after a multiple of the rides takes that much longer to be sent.
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
