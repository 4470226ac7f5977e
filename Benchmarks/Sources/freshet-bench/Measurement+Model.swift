import Benchmarking
import Quantities
import TextFormats

extension Measurement {
    /// The everyday world with many simultaneously live activities, measured on its plateau.
    ///
    /// With one job, rates use the processor time of the thread, so that other load on the machine hardly affects them.
    /// With several jobs they use wall-clock time, which is what the jobs should reduce.
    ///
    /// - Parameter events: The approximate number of events per run.
    /// - Throws: The errors in the scenario.
    static func model(activities: Int, jobs: Int = 1, cells: Int = 16, events: Int, runs: Int = 5) throws -> Measurement
    {
        let span = ModelWorkload.span(events: events, activities: activities)
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
            // Every activity that ends on the plateau is replaced by another.
            activityRates.append(model.activitiesPerHour * Double(span.microseconds) / 3.6e9 / seconds)
            live.append(Double(model.activityCount))
            bytes.append(Double(heapBytesInUse() - before) / Double(max(1, model.activityCount)))
        }
        let wall = Double(wallNanoseconds() - wallBegan) / 1e9
        let cpu = Double(processCPUNanoseconds() - cpuBegan) / 1e9
        let happened = Double(model.eventCount - eventsBefore)
        var measurement = Measurement(fields: [
            ("workload", "model"),
            ("activities", .integer(Int64(activities))),
            ("live_activities", .integer(Int64(RunSeries(live).median))),
            ("cells", .integer(Int64(cells))),
            ("jobs", .integer(Int64(jobs))),
            ("runs", .integer(Int64(runs))),
            ("simulated_seconds_per_run", .integer(span.microseconds / 1_000_000)),
            ("rate_by", jobs == 1 ? "cpu_time_of_thread" : "wall_time"),
        ])
        measurement.add("events_per_second", RunSeries(eventRates), places: 0)
        measurement.add("activities_per_second", RunSeries(activityRates), places: 0)
        measurement.add("bytes_per_live_activity", .decimal(RunSeries(bytes).median, places: 1))
        measurement.add("events_per_cpu_second", .decimal(happened / cpu, places: 0))
        measurement.add("events_per_wall_second", .decimal(happened / wall, places: 0))
        measurement.add("fingerprint", hash: model.fingerprint)
        return measurement
    }
}
