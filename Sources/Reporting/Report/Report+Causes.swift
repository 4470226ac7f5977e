import Evaluation
import LiveActivityModel

/// The time that screens were stale or behind, partitioned exactly by where the newest content was.
extension Report {
    var causes: [Block] {
        let stale = StaleTime(result)
        guard stale.whole > 0 else { return [] }
        let table = TextTable(
            ["where newer content was", "time on screens\(perRun):", "of all screen time:", "of stale time:"],
            rows: (stale.causes.map { ($0.words, $0.time) } + [("total", stale.whole)])
                .map { words, time in
                    [words, Format.span(result.perReplication(time))]
                        + [stale.displayed, stale.whole].map { Format.percent(time, of: $0) }
                }
        )
        let explanation =
            "Stale time is split by where the newest content was at that moment; after the ride, by where the end of the "
            + "activity was. `freshet worst` names the activities."
        return .section("Why screens were stale", table, Chart.waterfall(result), explanation, wrongStages)
    }

    private var wrongStages: TextTable? {
        let causes = Whereabouts.allCases
            .map { (words: $0.words(isAfterRide: false), time: total[.wrongStageTimeByCause, $0, isAfterRide: false]) }
            .filter { $0.time > 0 }
            .sorted { ($1.time, $0.words) < ($0.time, $1.words) }
        guard !causes.isEmpty else { return nil }
        let whole = causes.reduce(0) { $0 + $1.time }
        return TextTable(
            ["wrong stage on screen, while", "time on screens\(perRun):", "share:"],
            rows: causes.map {
                [$0.words, Format.span(result.perReplication($0.time)), Format.percent($0.time, of: whole)]
            }
        )
    }
}

/// The stale time of a run by cause, the longest first; causes without time are left out.
struct StaleTime {
    let causes: [(words: String, isAfterRide: Bool, time: Int64)]
    /// The total [µs].
    let whole: Int64
    /// All time on screens [µs].
    let displayed: Int64

    init(_ result: RunResult) {
        let total = result.total
        causes = ActivityRecord.Cause.all
            .map { ($0.words, $0.isAfterRide, total[.staleTimeByCause, $0.place, isAfterRide: $0.isAfterRide]) }
            .filter { $0.time > 0 }
            .sorted { ($1.time, $0.words) < ($0.time, $1.words) }
        whole = total[.staleTimeByCause]
        displayed = total.time(.displayedTime)
    }
}
