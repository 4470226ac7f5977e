import Benchmarking
import Quantities

/// The product's own work: the model and the classification of all instances.
struct ModelComparison {
    let effort: Effort

    /// Passes all rows as they are measured.
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

    /// Measures the plateau of lyft-nation-day: 35,000 live activities in 64 cells.
    private func measureNation(add: (Row) -> Void) throws {
        let activities = 35_000
        let span = ModelWorkload.span(events: 2 * effort.units, activities: activities)
        let model = try ModelWorkload(
            activities: activities,
            cells: 64,
            longest: ModelWorkload.warmUp + span * Int64(3 * effort.turns)
        )
        model.run(for: ModelWorkload.warmUp, jobs: 2)
        var hold = Baseline.hold(pending: 1000, profile: .exponential, touchedBytes: 0)
        hold.run(units: effort.units)
        let pushes = Turns(count: effort.turns) {
            nanosecondsPerPush(of: model, for: span)
        } baseline: {
            Turns.nanoseconds(of: &hold, units: effort.units)
        }
        add(
            Row(
                "model-push",
                "model, lyft-nation-day's plateau: a push, over a hold of 1,000 pending",
                pushes.ours.median,
                "ns",
                baseline: pushes.baseline.median,
                ratio: 1 / pushes.ratios.median
            )
        )
        var (alone, both): ([Double], [Double]) = ([], [])
        for _ in 0..<effort.turns {
            alone.append(rate(of: model, for: span, jobs: 1))
            both.append(rate(of: model, for: span, jobs: 2))
        }
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
        let activities = effort.largest / 10
        let measured = try Measurement.model(activities: activities, events: effort.units)
        let (rate, bytes) = ((measured["events_per_second"] ?? 0) / 1e6, measured["bytes_per_live_activity"] ?? 0)
        add(Row("model-large", "model, \(activities) live activities in 16 cells", rate, "M/s", places: 2))
        add(Row("model-bytes", "  memory per live activity", bytes, "B", places: 0))
    }

    /// Millions of events per second of wall-clock time.
    private func rate(of model: ModelWorkload, for span: TimeSpan, jobs: Int) -> Double {
        let (events, began) = (model.eventCount, wallNanoseconds())
        model.run(for: span, jobs: jobs)
        return Double(model.eventCount - events) / Double(wallNanoseconds() - began) * 1000
    }

    /// The cost of a push with everything that it causes [ns of the thread].
    private func nanosecondsPerPush(of model: ModelWorkload, for span: TimeSpan) -> Double {
        let (pushes, began) = (model.pushCount, threadCPUNanoseconds())
        model.run(for: span)
        return Double(threadCPUNanoseconds() - began) / Double(model.pushCount - pushes)
    }
}
