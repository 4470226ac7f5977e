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
            )
        }
    }
}
