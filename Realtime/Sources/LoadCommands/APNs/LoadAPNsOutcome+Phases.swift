import Evaluation
import Histogram
import LoadGenerator
import Quantities
import Reporting
import Shell

/// The load before, during and after the faults of its endpoint.
extension LoadAPNsOutcome {
    /// The metrics of each phase; empty without faults.
    var phaseRows: [SummaryRow] {
        guard !faults.isEmpty else { return [] }
        return FaultPeriods.Phase.allCases.flatMap { phase in
            let scope = "phase:\(phase.rawValue)"
            let part = tally.phases[phase] ?? LoadTally.Second()
            let (learnt, times) = (part.learnt, part.latency)
            let errors = learnt.total > 0 ? Double(learnt.total - learnt.accepted) / Double(learnt.total) : nil
            let mean: SummaryRow.Value? = times.totalCount > 0 ? .decimal(times.mean) : nil
            return [
                .count("apns_response_count", learnt.answered, scope: scope),
                .count("apns_response_missing_count", learnt.missing, scope: scope),
                .number("errors_ratio", "ratio", errors, scope: scope),
                SummaryRow("request_latency_us", "mean", mean, scope: scope),
            ]
                + learnt.waitRows(scope: scope)
                + SummaryRow.quantiles("request_latency_us", scope: scope, count: times.totalCount) {
                    UInt64(times.valueAtPercentile($0))
                }
        }
    }

    /// A sentence on the faults in which all requests without an answer were due; nil if others were too, or without any.
    var explanation: String? {
        let missing = tally.learnt.missing
        guard missing > 0, tally.phases[.during]?.learnt.missing == missing, !metFaults.isEmpty else { return nil }
        return
            "\(missing == 1 ? "The one request" : "All \(ProgressLine.count(missing)) requests") without an answer "
            + "\(missing == 1 ? "was" : "were") due during a fault of the stand-in, after the beginning of the load: "
            + "\(Self.times(of: metFaults))."
    }

    /// The faults during the measured time.
    private var metFaults: [FaultSpan] {
        faults.filter { $0.from < duration.microseconds && max($0.until, $0.from + 1) > warmUp.microseconds }
    }

    private static func times(of faults: [FaultSpan]) -> String {
        let most = 5
        return faults.prefix(most).map(time).joined(separator: "; ")
            + (faults.count > most ? "; and \(faults.count - most) more" : "")
    }

    /// A note on the phases for the report; nil without faults.
    var noteOnPhases: String? {
        guard !faults.isEmpty else { return nil }
        let (begin, end) = (warmUp.microseconds, duration.microseconds)
        let met = metFaults
        guard !met.isEmpty else {
            let next = faults.map(\.from).filter { $0 >= end }.min()
            return
                "The stand-in plays faults, but no fault fell into the measured time of this load, from "
                + "\(ProgressLine.span(begin)) to \(ProgressLine.span(end)) after its beginning. "
                + (next.map { "The next fault begins \(ProgressLine.span($0)) after the beginning of the load." }
                    ?? "All faults were over before.")
        }
        return
            "The stand-in plays faults, which the charts mark. After the beginning of the load: \(Self.times(of: met)). Rows with phase:before, phase:during and phase:after have the requests that were due before the first fault, "
            + "during a fault, and later. Latencies of phases are exact to 1 %."
    }

    /// A fault with its times since the beginning of the load, such as `apns_silent from 2 s to 3.50 s`.
    private static func time(of fault: FaultSpan) -> String {
        guard fault.until > fault.from else { return "\(fault.name) at \(ProgressLine.span(fault.from))" }
        let begin = fault.from < 0 ? "before the load" : ProgressLine.span(fault.from)
        return "\(fault.name) from \(begin) to \(ProgressLine.span(fault.until))"
    }
}
