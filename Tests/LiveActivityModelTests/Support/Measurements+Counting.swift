import Quantities
import Studies

@testable import LiveActivityModel

/// Returns increasing numbers instead of the ones that it is given.
struct CountingTransfer: NumberTransfer {
    /// The next number.
    var next: Int64

    mutating func transfer(_ number: inout Int64) {
        number = next
        next += 1
    }
}

extension Measurements {
    /// Larger than any number of buckets, so that as a number of buckets it means all of them.
    static let large: Int64 = 1 << 20

    /// A world whose measurements have every part: stages, windows, cities, and two thresholds of each kind.
    static func fullWorld() throws -> World {
        var scenario = Scenario.ride(1, 1)
        scenario.clock.duration = .seconds(20)
        scenario.clock.drain = .seconds(5)
        scenario.clock.window = .seconds(10)
        scenario.measure.ageOver = [.seconds(1), .seconds(2)]
        scenario.measure.waitOver = [.seconds(1), .seconds(2)]
        scenario.content.eta = Scenario.ETA()
        scenario.rides.arrivals.cities = ["a", "b"].map { Scenario.City(name: $0, share: Probability(0.5)) }
        return try ScenarioLoader.world(scenario)
    }

    /// `true` if the stored number is not a measurement, but follows from the world and is constant.
    static func isFixed(_ path: String) -> Bool {
        ["series.windowCount", "segmentSeries.segmentCount", "senderCourse.windowLength"].contains(path)
            || path.hasPrefix("shape.")
    }

    /// Measurements whose numbers are `first`, `first + 1` and so on, in the order of `transfer`.
    static func counting(from first: Int64, in world: World) -> Measurements {
        var numbers = CountingTransfer(next: first)
        var measurements = Measurements(emptyFor: world)
        measurements.transfer(through: &numbers)
        return measurements
    }
}
