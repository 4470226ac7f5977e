import Experiments
internal import Foundation
import LiveActivityModel
import Quantities

/// The scenario of the everyday run, `experiments/nyc-lyft-day.yaml`, at a constant rate of rides.
///
/// The file is part of the program, so that the benchmark works wherever that is run. What differs from the file: rides
/// arrive at one rate all day, and the cells' senders and retry budgets grow with the rides, so that neither is ever the
/// bottleneck.
enum EverydayWorld {
    /// The mean number of live activities of the file's day, for which its senders and budgets are made.
    static let usualActivities = 3200.0
    /// How many events each live activity has in a second of simulated time, about.
    static let eventsPerSecond = 0.082
    /// How long an activity is in memory on average [h]: what N activities at rate R an hour come to, N / R.
    static let meanHoursInMemory = 0.3652

    /// A world with rides that arrive at a constant rate.
    ///
    /// - Parameters:
    ///   - ridesPerHour: How many rides are requested in an hour of simulated time, over all cells.
    ///   - duration: How long rides arrive.
    ///   - scale: How many times as many activities as on the file's day are expected to be live.
    ///   - cells: How many cells they are hashed to.
    /// - Throws: What is wrong with the scenario.
    static func world(
        ridesPerHour: Double,
        duration: TimeSpan,
        scale: Double,
        cells: Int
    ) throws -> World {
        let yaml = String(decoding: PackageResources.everyday_yaml, as: UTF8.self)
        var scenario = try ScenarioReader.read(yaml: yaml, named: "everyday.yaml").scenario
        let share = scale * Double(scenario.cells) / Double(cells)
        scenario.name = "everyday"
        scenario.cells = cells
        scenario.clock.duration = duration
        scenario.clock.drain = .zero
        // One window: a time series is not what is measured.
        scenario.clock.window = duration
        scenario.rides.arrivals.ratesPerHour = [ridesPerHour]
        scenario.sender.connections = max(1, Int((Double(scenario.sender.connections) * share).rounded(.up)))
        let budget = scenario.monitor.retry.budget
        scenario.monitor.retry.budget?.capacity = ((budget?.capacity ?? 0) * max(1, share)).rounded(.up)
        scenario.monitor.retry.budget?.perSecond = ((budget?.perSecond ?? 0) * max(1, share)).rounded(.up)
        return try ScenarioLoader.world(scenario)
    }
}
