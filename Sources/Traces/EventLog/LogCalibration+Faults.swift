import InputFiles
import LiveActivityModel

/// Incidents as faults.
extension LogCalibration {
    mutating func faults() {
        guard !incidents.incidents.isEmpty else {
            put("faults: []", "no stretch of the log differs from the rest by more than chance")
            return
        }
        put("faults:")
        for incident in incidents.incidents {
            let at = max(0, incident.from - digest.origin)
            let length = incident.until - incident.from
            func bounds(_ range: ClosedRange<Int64>) -> String {
                "\(Self.seconds(max(0, range.lowerBound - digest.origin))) … \(Self.seconds(max(0, range.upperBound - digest.origin)))"
            }
            guard incident.kind != .connectionLost else {
                let text = "kind: connection_lost, at: \(LogFit.text(Double(at)))"
                put("  - {\(text)}", "\(incident.count) requests in flight ended at once without an answer")
                continue
            }
            var text = "kind: \(incident.kind.rawValue), at: \(Self.seconds(at)), duration: \(Self.seconds(length))"
            var size = ""
            if let value = incident.size, let interval = incident.sizeInterval {
                if incident.kind == .apnsSlow {
                    text += ", factor: \(NumberText.text((min(1000, value) * 100).rounded() / 100))"
                    size = "; factor \(LogFit.digits(interval.lowerBound)) … \(LogFit.digits(interval.upperBound))"
                } else {
                    if value < 1 { text += ", share: \(Self.percent(value))" }
                    size = "; share \(Self.percents(interval))"
                }
            }
            put(
                "  - {\(text)}",
                "n = \(incident.count); began \(bounds(incident.beginning)), ended \(bounds(incident.ending))\(size)"
                    + (incident.kind == .apnsUnavailable ? otherAnswers(incident) : "")
                    + (incident.endsGoOn
                        ? "; attempts to recover were due and none came; the log's ends of rides went on, and the fault holds them back too"
                        : "")
            )
        }
    }

    /// The most frequent answer in an incident, if it is another than the one of the fault.
    private func otherAnswers(_ incident: LogIncidents.Incident) -> String {
        struct Answer: Hashable { let status, reason: Int }
        var counts: [Answer: Int] = [:]
        for rejection in digest.rejections.elements
        where incident.from <= rejection.at && rejection.at < incident.until
            && LogDigest.isUnavailable(rejection.status)
        {
            counts[Answer(status: rejection.status, reason: rejection.reason), default: 0] += 1
        }
        let most = counts.max { ($0.value, $1.key.status, $1.key.reason) < ($1.value, $0.key.status, $0.key.reason) }
        guard let answer = most?.key, answer.status != 503 else { return "" }
        return
            "; the answers are \(name(status: answer.status, reason: answer.reason)), the fault's 503, and the model handles both alike"
    }

    private func name(status: Int, reason: Int) -> String {
        let name = reasons.indices.contains(reason) ? reasons[reason] : ""
        return name.isEmpty ? "\(status)" : "\(status) \(name)"
    }

    /// Sentences about what the scenario leaves out: stretches for which it has no fault, and clocks that differ.
    var findings: [String] {
        incidents.unmodelled.map { stretch in
            let times =
                "from \(Self.seconds(stretch.from - digest.origin)) to \(Self.seconds(stretch.until - digest.origin))"
            switch stretch.kind {
            case .lateTokens(let delay, let usual):
                return
                    "tokens of activities that started \(times) came late: n = \(stretch.count), median delay \(LogFit.text(Double(delay))), "
                    + "otherwise \(LogFit.text(Double(usual))); the scenario leaves it out, because no fault delays tokens"
            case .refusals(let status, let reason, let share):
                return "\(Self.percent(share)) of \(stretch.count) requests \(times) were rejected with "
                    + "\(name(status: status, reason: reason)); the scenario leaves it out, because no fault has this answer"
            }
        } + [offset?.sentence(files: cleaning.files), screens.offClocks > 0 ? clocksOfPhones : nil].compactMap { $0 }
    }

    /// The lines before the scenario: the findings of the reader and of the calibration.
    public var notes: [String] { cleaning.lines + findings }
}
