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
        var benchmark = ClassifyBenchmark()
        benchmark.runs = 2 * effort.turns
        let measured = try benchmark.measure()
        let ours = (measured["bytes_per_second"] ?? 0) / 1e9
        add(
            Row(
                name: "classify",
                workload: "classify 1e7 instances, against memcpy",
                ours: ours,
                oursText: "\(decimal(ours, places: 1)) GB/s",
                baselineText: "\(decimal((measured["copy_bytes_per_second"] ?? 0) / 1e9, places: 1)) GB/s",
                ratio: measured["ratio_to_copy"]
            )
        )
    }

    /// What lyft-nation-day has on its plateau: 35,000 live activities in 64 cells.
    private func measureNation(add: (Row) -> Void) throws {
        let activities = 35_000
        let span = ModelBenchmark.span(events: 2 * effort.units, activities: activities)
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
        let rates = RunSeries(one)
        add(
            Row(
                name: "model-rate",
                workload: "model, lyft-nation-day's plateau, one job",
                ours: rates.median,
                oursText: "\(decimal(rates.median, places: 2)) M/s",
                baselineText: "",
                ratio: nil
            )
        )
        add(
            Row(
                name: "model-jobs",
                workload: "  two jobs over one, by wall time",
                ours: RunSeries(both).median,
                oursText: "\(decimal(RunSeries(both).median, places: 2)) M/s",
                baselineText: "\(decimal(RunSeries(alone).median, places: 2)) M/s",
                ratio: RunSeries(zip(both, alone).map { $0 / $1 }).median
            )
        )
    }

    private func measureMemory(add: (Row) -> Void) throws {
        var benchmark = ModelBenchmark()
        benchmark.activities = effort.largest / 100
        benchmark.events = effort.units
        let measured = try benchmark.measure()
        let (rate, bytes) = ((measured["events_per_second"] ?? 0) / 1e6, measured["bytes_per_live_activity"] ?? 0)
        add(
            Row(
                name: "model-large",
                workload: "model, \(benchmark.activities) live activities in 16 cells",
                ours: rate,
                oursText: "\(decimal(rate, places: 2)) M/s",
                baselineText: "",
                ratio: nil
            )
        )
        add(
            Row(
                name: "model-bytes",
                workload: "  memory per live activity",
                ours: bytes,
                oursText: "\(decimal(bytes, places: 0)) B",
                baselineText: "",
                ratio: nil
            )
        )
    }

    /// Millions of events per second of a clock.
    private func rate(of model: ModelWorkload, for span: TimeSpan, jobs: Int, clock: () -> UInt64) -> Double {
        let (events, began) = (model.eventCount, clock())
        model.run(for: span, jobs: jobs)
        return Double(model.eventCount - events) / Double(clock() - began) * 1000
    }
}
