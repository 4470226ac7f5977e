import Benchmarking
import Quantities

/// The product's own work: the model and the classification of all instances.
struct ModelComparison {
    let effort: Effort

    /// All rows, as they are measured.
    func run(add: (Row) -> Void) throws {
        try compareClassification(add: add)
        try measureNation(add: add)
        try measureMemory(add: add)
    }

    private func compareClassification(add: (Row) -> Void) throws {
        let measured = try Measurement.classify(runs: 2 * effort.turns)
        add(
            Row(
                "classify",
                "classify 1e7 instances, against memcpy",
                (measured["bytes_per_second"] ?? 0) / 1e9,
                "GB/s",
                baseline: (measured["copy_bytes_per_second"] ?? 0) / 1e9,
                ratio: measured["ratio_to_copy"]
            )
        )
    }

    /// What lyft-nation-day has on its plateau: 35,000 live activities in 64 cells.
    private func measureNation(add: (Row) -> Void) throws {
        let activities = 35_000
        let span = ModelWorkload.span(events: 2 * effort.units, activities: activities)
        let model = try ModelWorkload(
            activities: activities,
            cells: 64,
            longest: ModelWorkload.warmUp + span * Int64(3 * effort.turns)
        )
        model.run(for: ModelWorkload.warmUp, jobs: 2)
        var (one, alone, both): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<effort.turns {
            one.append(rate(of: model, for: span, jobs: 1, clock: threadCPUNanoseconds))
            alone.append(rate(of: model, for: span, jobs: 1, clock: wallNanoseconds))
            both.append(rate(of: model, for: span, jobs: 2, clock: wallNanoseconds))
        }
        add(Row("model-rate", "model, lyft-nation-day's plateau, one job", RunSeries(one).median, "M/s", places: 2))
        add(
            Row(
                "model-jobs",
                "  two jobs over one, by wall time",
                RunSeries(both).median,
                "M/s",
                places: 2,
                baseline: RunSeries(alone).median,
                ratio: RunSeries(zip(both, alone).map { $0 / $1 }).median
            )
        )
    }

    private func measureMemory(add: (Row) -> Void) throws {
        let activities = effort.largest / 100
        let measured = try Measurement.model(activities: activities, events: effort.units)
        let (rate, bytes) = ((measured["events_per_second"] ?? 0) / 1e6, measured["bytes_per_live_activity"] ?? 0)
        add(Row("model-large", "model, \(activities) live activities in 16 cells", rate, "M/s", places: 2))
        add(Row("model-bytes", "  memory per live activity", bytes, "B", places: 0))
    }

    /// Millions of events per second of a clock.
    private func rate(of model: ModelWorkload, for span: TimeSpan, jobs: Int, clock: () -> UInt64) -> Double {
        let (events, began) = (model.eventCount, clock())
        model.run(for: span, jobs: jobs)
        return Double(model.eventCount - events) / Double(clock() - began) * 1000
    }
}
