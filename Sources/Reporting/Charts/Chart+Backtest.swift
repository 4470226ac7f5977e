import Evaluation
import Studies
import TextFormats

/// The believed freshness of a log and of the model.
extension Chart {
    /// Returns both over time, with the interval of the model's runs and the faults of the scenario.
    ///
    /// - Parameters:
    ///   - name: The name of the scenario.
    ///   - local: Converts an instant of the log to the clock of its zone [µs].
    static func backtest(_ backtest: Backtest, name: String, local: (Int64) -> Int64) -> Chart {
        let span = backtest.span
        let perStep = max(1, (Int64(span.count) / backtest.windowLength + 1) / Int64(largestStepCount) + 1)
        let length = perStep * backtest.windowLength
        let day: Int64 = 86_400_000_000
        let midnight = local(span.lowerBound) / day * day
        func time(_ at: Int64) -> JSONValue { .integer((local(at) - midnight) / 1000) }
        let steps = Dictionary(grouping: backtest.windows) { ($0.at - span.lowerBound) / length }
        var (rows, bands, percents): ([JSONValue], [JSONValue], [Double]) = ([], [], [])
        for index in 0...max(0, Int64(span.count) / length) {
            let windows = (steps[index] ?? [])
                .compactMap { window in window.believedFresh.map { (fresh: $0, weight: Double(max(1, window.watched))) }
                }
            let weight = windows.reduce(0) { $0 + $1.weight }
            func mean(_ value: (Backtest.Comparison) -> Double) -> Double? {
                weight > 0 ? windows.reduce(0) { $0 + value($1.fresh) * $1.weight } / weight * 100 : nil
            }
            let from = span.lowerBound + index * length
            let (log, model) = (mean(\.log), mean(\.model))
            // A step without windows leaves a gap. A share belongs to a whole step, so its mark is in the middle.
            rows += [("log", log), ("model", model)].map { row(at: time(from + length / 2), $0, $1) }
            guard let log, let model, let low = mean({ max(0, $0.interval.lowerBound) }),
                let high = mean({ min(1, $0.interval.upperBound) })
            else { continue }
            percents += [log, model, low]
            bands.append(
                [
                    "from": time(from), "until": time(from + length), "low": .decimal(low, places: 3),
                    "high": .decimal(high, places: 3),
                ]
            )
        }
        let axis = ShareAxis(percents)
        let faults = backtest.faults.map {
            FaultSpan(kind: $0.kind, from: $0.time.lowerBound, until: $0.time.upperBound)
        }
        return Chart(
            template: "backtest",
            name: "backtest",
            title: "Believed fresh, of watched time during rides",
            subtitle: "\(name), band: 95 % of the model's runs, in steps of \(Format.span(length))\(axis.remark)",
            [
                "rows": .array(rows), "bands": .array(bands),
                "timeDomain": [time(span.lowerBound), time(span.upperBound)],
                "timeLabel": .string(timeLabel("%H:%M", day: "'day ' + (floor(datum.value / 86400000) + 1)")),
                "faults": .array(Chart.faults(faults, within: span, time: time)),
            ],
            axis.values,
            series([("log", .orange), ("model", .blue)])
        )
    }
}
