internal import Foundation
import LiveActivityModel
import Quantities
import ScenarioLanguage
import Studies

/// The scenario of the everyday run, `experiments/nyc-lyft-day.yaml`, at a constant rate of rides.
///
/// The file is embedded in the program, so the benchmark works in any directory. It differs from the file in three ways:
/// rides arrive at one rate all day, the cells' senders and retry budgets grow with the rides, so that neither is ever the
/// bottleneck, and the driver's photo on cards is not followed.
enum EverydayWorld {
    /// The mean number of live activities on the file's day, for which its senders and budgets are sized.
    static let usualActivities = 3200.0
    /// The approximate number of events per live activity and second of simulated time.
    static let eventsPerSecond = 0.082
    /// The mean time that an activity is in memory [h]: N / R for N activities at a rate of R per hour.
    static let meanHoursInMemory = 0.3652

    /// A world with rides that arrive at a constant rate.
    ///
    /// - Parameters:
    ///   - ridesPerHour: The number of rides requested per hour of simulated time, over all cells.
    ///   - duration: The time in which rides arrive.
    ///   - scale: The ratio of the expected live activities to those on the file's day.
    ///   - cells: The number of cells that rides are hashed to.
    /// - Throws: The errors in the scenario.
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
        scenario.devices.pictures = nil
        // A single window, because the time series is not measured.
        scenario.clock.window = duration
        scenario.rides.arrivals.ratesPerHour = [ridesPerHour]
        scenario.sender.connections = max(1, Int((Double(scenario.sender.connections) * share).rounded(.up)))
        let budget = scenario.monitor.retry.budget
        scenario.monitor.retry.budget?.capacity = ((budget?.capacity ?? 0) * max(1, share)).rounded(.up)
        scenario.monitor.retry.budget?.perSecond = ((budget?.perSecond ?? 0) * max(1, share)).rounded(.up)
        return try ScenarioLoader.world(scenario)
    }
}
