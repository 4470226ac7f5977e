internal import Foundation
import LiveActivityModel
import Quantities
import ScenarioLanguage
import Studies

/// The scenario of the everyday run, `experiments/nyc-lyft-day.yaml`, at a constant rate of rides.
///
/// The file is embedded in the program, so the benchmark works in any directory. It differs from the file in three ways:
/// rides arrive at one rate all day, the cells' senders and retry budgets grow with the rides, so that neither is ever the
/// bottleneck, and the mechanisms of docs/card.md are all off or all on.
enum EverydayWorld {
    /// The mean number of live activities on the file's day, for which its senders and budgets are sized.
    static let usualActivities = 3200.0
    /// The approximate number of events per live activity and second of simulated time.
    static let eventsPerSecond = 0.082
    /// The mean time that an activity is in memory [h]: N / R for N activities at a rate of R per hour.
    static let meanHoursInMemory = 0.3652

    /// The settings with which nothing is followed that a rider sees beyond freshness.
    private static let cardOff = ["devices.pictures=off", "devices.dismissal.at_limit=immediate"]
    /// The settings with which all of it is followed: a new estimate every 10 s, as in `experiments/eta-refresh.yaml`.
    private static let cardOn = [
        "devices.dismissal={by_app: 2m, by_push: 2m, at_limit: default}",
        "devices.render_interval={uniform: {low: 5s, high: 15s}}",
        "devices.renders_stale=50%",
        "content.payload.car_photo_bytes={uniform: {low: 1200, high: 2200}}",
        "content.eta={step: 10s, drift: 0.05, noise: {exponential: {mean: 4s}}, jump_share: 0.5%, late_share: 50%}",
    ]

    /// A world with rides that arrive at a constant rate.
    ///
    /// - Parameters:
    ///   - ridesPerHour: The number of rides requested per hour of simulated time, over all cells.
    ///   - duration: The time in which rides arrive.
    ///   - scale: The ratio of the expected live activities to those on the file's day.
    ///   - cells: The number of cells that rides are hashed to.
    ///   - card: `true` if every mechanism of the card is on.
    /// - Throws: The errors in the scenario.
    static func world(
        ridesPerHour: Double,
        duration: TimeSpan,
        scale: Double,
        cells: Int,
        card: Bool
    ) throws -> World {
        let yaml = String(decoding: PackageResources.everyday_yaml, as: UTF8.self)
        let settings = card ? cardOn : cardOff
        var scenario = try ScenarioReader.read(yaml: yaml, named: "everyday.yaml", settings: settings).scenario
        let share = scale * Double(scenario.cells) / Double(cells)
        scenario.name = "everyday"
        scenario.cells = cells
        scenario.clock.duration = duration
        scenario.clock.drain = .zero
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
