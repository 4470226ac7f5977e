public import Quantities

/// The everyday world with many activities live at once, timed on its plateau.
public struct ModelBenchmark: Sendable {
    /// How many activities are live at once, about.
    public var activities = 100_000
    /// How many threads run cells.
    public var jobs = 1
    /// How many cells the activities are hashed to.
    public var cells = 16
    /// About how many events each run has.
    public var events = 3_000_000
    /// How many runs.
    public var runs = 5

    /// The benchmark with its usual settings.
    public init() {}

    /// Brings the world to its plateau and runs on from there.
    ///
    /// With one job rates are by the processor time of the thread, so that others on the machine disturb them little; with
    /// several by the time that passes, for that is what several jobs are meant to save.
    ///
    /// - Throws: What is wrong with the scenario.
    public func measure() throws -> Measurement {
        let span = ModelBenchmark.span(events: events, activities: activities)
        let before = heapBytesInUse()
        let model = try ModelWorkload(
            activities: activities,
            cells: cells,
            longest: ModelWorkload.warmUp + span * Int64(runs)
        )
        model.run(for: ModelWorkload.warmUp, jobs: jobs)
        var (eventRates, activityRates, bytes, live): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
        let (wallBegan, cpuBegan, eventsBefore) = (wallNanoseconds(), processCPUNanoseconds(), model.eventCount)
        for _ in 0..<runs {
            let eventsBefore = model.eventCount
            let began = jobs == 1 ? threadCPUNanoseconds() : wallNanoseconds()
            model.run(for: span, jobs: jobs)
            let seconds = Double((jobs == 1 ? threadCPUNanoseconds() : wallNanoseconds()) - began) / 1e9
            eventRates.append(Double(model.eventCount - eventsBefore) / seconds)
            // Every activity that ends on the plateau makes room for the next.
            activityRates.append(model.activitiesPerHour * Double(span.microseconds) / 3.6e9 / seconds)
            live.append(Double(model.activityCount))
            bytes.append(Double(heapBytesInUse() - before) / Double(max(1, model.activityCount)))
        }
        let wall = Double(wallNanoseconds() - wallBegan) / 1e9
        let cpu = Double(processCPUNanoseconds() - cpuBegan) / 1e9
        let happened = Double(model.eventCount - eventsBefore)
        var measurement = Measurement([
            .init("workload", .text("model")),
            .init("activities", .integer(activities)),
            .init("live_activities", .integer(Int(RunSeries(live).median))),
            .init("cells", .integer(cells)),
            .init("jobs", .integer(jobs)),
            .init("runs", .integer(runs)),
            .init("simulated_seconds_per_run", .integer(Int(span.microseconds / 1_000_000))),
            .init("rate_by", .text(jobs == 1 ? "cpu_time_of_thread" : "wall_time")),
        ])
        measurement.add("events_per_second", RunSeries(eventRates), places: 0)
        measurement.add("activities_per_second", RunSeries(activityRates), places: 0)
        measurement.add("bytes_per_live_activity", .decimal(RunSeries(bytes).median, places: 1))
        measurement.add("events_per_cpu_second", .decimal(happened / cpu, places: 0))
        measurement.add("events_per_wall_second", .decimal(happened / wall, places: 0))
        measurement.add("fingerprint", .text(hexadecimal(model.fingerprint)))
        return measurement
    }

    /// How much simulated time a benchmark may take [days], as a scenario may.
    public static var longestDays: Double { 3650 }

    /// How much simulated time all runs take together [days], about.
    public static func simulatedDays(events: Int, activities: Int, runs: Int) -> Double {
        Double(runs) * Double(events) / (Double(activities) * EverydayWorld.eventsPerSecond) / 86_400
    }

    /// The simulated time in which about a number of events happens, in whole seconds.
    ///
    /// - Precondition: ``simulatedDays(events:activities:runs:)`` is at most ``longestDays``.
    public static func span(events: Int, activities: Int) -> TimeSpan {
        .seconds(max(1, Int64((Double(events) / (Double(activities) * EverydayWorld.eventsPerSecond)).rounded(.up))))
    }
}
