internal import Foundation
import LiveActivityModel
import Quantities
import ScenarioLanguage
import Studies

/// The scenario of the everyday run, `experiments/nyc-lyft-day.yaml`, at a constant rate of rides.
///
/// The file is embedded in the program, so the benchmark works in any directory. It differs from the file in three ways:
/// rides arrive at one rate all day, the cells' senders and retry budgets grow with the rides, so that neither is ever the
/// bottleneck, and optional mechanisms are all off, or those of one kind are all on.
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

    /// The settings with riders, starts by push, cohorts and an endpoint of content, as docs/model.md describes them.
    private static let fleetOn = [
        "rides.again={share: 60%, after: {lognormal: {median: 45m, p95: 2h}}}",
        "rides.booked={share: 2%, ahead: {lognormal: {median: 9h, p95: 20h}}}",
        "rides.stops={share: 5%}",
        "devices.start.by=app_then_push",
        "devices.start.background=0",
        "devices.start.foreground={stays: 45s, away: {lognormal: {median: 6m, p95: 30m}}}",
        "devices.start.push_budget={starts: 10, refill: 1h}",
        "devices.start.token_rotation={exponential: {mean: 8h}}",
        "devices.start.presents_stale=false",
        "devices.start.without_alert=0.1%",
        "devices.start.schedules=true",
        "devices.start.compares_rides=true",
        "devices.token.never_after_push=10%",
        "devices.budget.shared=true",
        "devices.end_report_failure={share: 5%}",
        "apns.storage=one_per_phone",
        "content.renew_before=30m",
        "cohorts=[{name: longer, share: 20%, set: {content.ttl: 3m, monitor.fresh_limit: 90s}}]",
    ]
    /// An endpoint of content that takes time and fails.
    private static let endpointOn = [
        "content.endpoint={time: {lognormal: {median: 50ms, p95: 300ms}}, failure: 0.5%, tries: 2, retry_after: 1s}"
    ]

    /// A world with rides that arrive at a constant rate.
    ///
    /// - Parameters:
    ///   - ridesPerHour: The number of rides requested per hour of simulated time, over all cells.
    ///   - duration: The time in which rides arrive.
    ///   - scale: The ratio of the expected live activities to those on the file's day.
    ///   - cells: The number of cells that rides are hashed to.
    ///   - mechanisms: The optional mechanisms that are on.
    /// - Throws: The errors in the scenario.
    static func world(
        ridesPerHour: Double,
        duration: TimeSpan,
        scale: Double,
        cells: Int,
        mechanisms: ModelWorkload.Mechanisms
    ) throws -> World {
        let yaml = String(decoding: PackageResources.everyday_yaml, as: UTF8.self)
        let settings =
            switch mechanisms {
            case .none: cardOff
            case .card: cardOn
            case .fleet: cardOff + fleetOn
            case .endpoint: cardOff + fleetOn + endpointOn
            }
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
