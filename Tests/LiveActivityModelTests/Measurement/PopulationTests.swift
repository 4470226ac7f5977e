import Quantities
import Studies
import TestSupport
import Testing

@testable import LiveActivityModel

@Suite("The number of activities on screens")
struct PopulationTests {
    /// Two cities, a warm-up of 10 s, ten windows of 10 s.
    private static func world() throws -> World {
        var scenario = Scenario.ride(1, 1)
        scenario.clock.duration = .seconds(95)
        scenario.clock.drain = .seconds(5)
        scenario.clock.window = .seconds(10)
        scenario.clock.warmUp = .seconds(10)
        scenario.rides.arrivals.process = .poisson
        scenario.rides.arrivals.ratesPerHour = [1]
        scenario.rides.arrivals.cities = ["one", "two"].map { Scenario.City(name: $0, share: Probability(0.5)) }
        return try ScenarioLoader.world(scenario)
    }

    /// The reference: the levels at each second.
    private struct Plain {
        var levels = [[Int64]](repeating: [0, 0], count: 101)

        mutating func changed(by change: Int, inSegment segment: Int, at second: Int64) {
            for later in Int(second)..<101 { levels[later][segment] += Int64(change) }
        }

        var measured: [Int64] { (10..<100).map { levels[$0][0] + levels[$0][1] } }

        /// The level at the beginning of a window, before the changes at that instant.
        func level(before second: Int, inSegment segment: Int) -> Int64 {
            second == 0 ? 0 : levels[second - 1][segment]
        }
    }

    @Test("Changes that are known ahead of time count in order", arguments: 0..<32 as Range<UInt64>)
    func order(seed: UInt64) throws {
        var stream = TestStream(seed: seed)
        let world = try Self.world()
        var population = Population(world)
        var recorder = Recorder(world)
        var plain = Plain()
        for now in 0..<96 as Range<Int64> {
            if stream.next() % 2 == 0 { population.advance(to: .start + .seconds(now), &recorder) }
            for _ in 0..<stream.next() % 4 {
                let (city, change) = (Int(stream.next() % 2), stream.next() % 3 == 0 ? -1 : 1)
                let at = now + Int64(stream.next() % UInt64(min(12, 100 - now)))
                population.changed(by: change, inSegment: city, at: .start + .seconds(at))
                plain.changed(by: change, inSegment: city, at: at)
            }
        }
        population.advance(to: .start + .seconds(100), &recorder)
        let found = recorder.measurements
        #expect(found[.populationTime] == plain.measured.reduce(0, +) * 1_000_000)
        #expect(found[.population] == max(0, plain.measured.max() ?? 0))
        for window in 1..<10 {
            let levels = (0...1).map { plain.level(before: 10 * window, inSegment: $0) }
            #expect(found.series[window, .liveAtStart] == levels.reduce(0, +))
        }
        let atWarmUp = (0...1).reduce(0) { $0 + plain.level(before: 10, inSegment: $1) }
        #expect(found[.liveAtWarmUp] == atWarmUp)
    }

    @Test("A level that lasts no time is not a maximum")
    func noTime() throws {
        let world = try Self.world()
        for changes in [[1, -1, 1], [1, 1, -1]] {
            var population = Population(world)
            var recorder = Recorder(world)
            for change in changes { population.changed(by: change, inSegment: 0, at: .start + .seconds(50)) }
            population.advance(to: .start + .seconds(60), &recorder)
            let most = recorder.measurements[.population]
            #expect(most == 1)
        }
    }
}
