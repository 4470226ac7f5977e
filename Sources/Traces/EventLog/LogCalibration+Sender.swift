import Foundation
import FreshnessCore
import LiveActivityModel
import Statistics

/// APNs' answers and the sender.
extension LogCalibration {
    mutating func apns() {
        put("apns:")
        screenLatency()
        screenLoss()
        let scale = Double(digest.rejections.count) / Double(max(1, digest.rejections.elements.count))
        // APNs rejects a share of the requests that it answers.
        func answers(outsideOf reason: Int) -> Int {
            digest.bins.enumerated()
                .reduce(0) { sum, entry in
                    let at = digest.origin + Int64(entry.offset) * digest.binLength
                    guard incidents.isUsual(at, reason: reason) else { return sum }
                    return sum + entry.element.answered
                }
        }
        let modelled = APNsReason.allCases.filter { $0 != .expiredToken && $0 != .unregistered }
        let found = modelled.compactMap { reason -> (reason: APNsReason, count: Int, requests: Int)? in
            guard let index = reasons.firstIndex(of: reason.rawValue) else { return nil }
            let count = digest.rejections.elements
                .count { $0.reason == index && incidents.isUsual($0.at, reason: index) }
            return count == 0 ? nil : (reason, Int((Double(count) * scale).rounded()), answers(outsideOf: index))
        }
        if !found.isEmpty {
            put("  reasons:")
            for (reason, count, requests) in found {
                let share = Double(count) / Double(max(1, requests))
                let interval = WilsonInterval(share: min(1, share), of: Double(max(1, requests))).range
                put(
                    "    \(reason.rawValue): \(Self.percent(share))",
                    "\(count) of \(requests); 95 %: \(Self.percents(interval))"
                )
                add("apns.reasons.\(reason.rawValue)", share, interval, requests)
            }
        }
        let dead = digest.rejections.elements.count { $0.status == 410 }
        if dead > 0 {
            let count = Int((Double(dead) * scale).rounded())
            let share = Self.percent(Double(count) / Double(max(1, digest.bins.reduce(0) { $0 + $1.answered })))
            put("  # \(count) answers, \(share), were 410: their tokens were dead")
            assume(
                "removed apps: none; the model has answers 410 only for tokens that rotated or whose activity is over, and in the log they are "
                    + "\(share) of the answers",
                or: []
            )
        }
        put()
    }

    mutating func sender() {
        put("sender:")
        let latencies = digest.latencies.elements.filter { !incidents.cover($0.at, Self.ofAnswers) }.map(\.value)
        if digest.hasFewLatencies {
            assume(
                "  request_time: {lognormal: {median: 200ms, p95: 500ms}}",
                "\(digest.latencies.count) of \(digest.acceptedCount) accepted answers have a latency, too few to calibrate it",
                or: ["sender.request_time=50ms", "sender.request_time=1s"]
            )
        } else if digest.resolution >= 1_000_000, !latencies.isEmpty {
            // Rounded times have the mean of the true ones, and no other property.
            let mean = latencies.reduce(0) { $0 + Double($1) } / Double(latencies.count)
            assume(
                "  request_time: {exponential: {mean: \(LogFit.text(max(1000, mean)))}}",
                "the log's times are whole seconds, so only the mean of the times to an answer is known",
                or: ["sender.request_time=\(LogFit.text(max(1000, mean)))"]
            )
        } else if let fit = LogFit(
            latencies.isEmpty ? digest.latencies.elements.map(\.value) : latencies,
            sampledFrom: digest.latencies.isSample ? digest.latencies.count : nil
        ) {
            let missing = digest.acceptedCount - digest.latencies.count
            put(
                "  request_time: \(fit.yaml)",
                fit.comment + (missing > 0 ? "; without \(missing) accepted answers that have no latency" : "")
            )
            if fit.median < 1000 {
                put(
                    "  # half of the accepted pushes were answered within a millisecond: the unit of the latency may be wrong"
                )
            }
            add("sender.request_time", fit)
            hourly(fit.median)
        } else {
            assume(
                "  request_time: {lognormal: {median: 200ms, p95: 500ms}}",
                "the log has no answers",
                or: ["sender.request_time=50ms", "sender.request_time=1s"]
            )
        }
        let patience = digest.giveUps.elements
            .filter { !incidents.cover($0.at + $0.value, [.connectionLost], margin: 20_000) }
            .map(\.value).sorted()
        if patience.count >= 3 {
            put(
                "  timeout: \(LogFit.text(Double(patience[patience.count / 2])))",
                "the median time until the sender gave up, n = \(patience.count)"
            )
        } else {
            assume(
                "  timeout: 10s",
                "\(patience.isEmpty ? "no request" : "hardly any request") went unanswered",
                or: ["sender.timeout=5s", "sender.timeout=30s"]
            )
        }
        put("  attempts: \(digest.mostAttempts)", "the most in the log")
        streams()
        put()
    }

    private mutating func streams() {
        put("  connections: 1")
        guard !digest.hasFewLatencies else {
            assume(
                "  streams: 1000",
                "without latencies, the log does not show how many requests were in flight",
                or: ["sender.streams=100"]
            )
            return
        }
        let seen: String
        switch waitCause {
        case .fullSender(let mean):
            put(
                "  streams: \(max(1, digest.peakInFlight))",
                "the most requests in flight, while content waited \(LogFit.text(mean)) on average: the sender was full"
            )
            return
        case .none: seen = "the sender was never full: at most \(digest.peakInFlight) requests were in flight"
        case .unknown(let mean):
            seen =
                "content waited \(LogFit.text(mean)) on average, but not while most of the at most \(digest.peakInFlight) requests were "
                + "in flight"
        }
        assume(
            "  streams: \(max(1000, digest.peakInFlight * 2))",
            "\(seen), so its size does not show",
            or: ["sender.streams=\(max(1, digest.peakInFlight))"]
        )
    }

    /// Latency and rejections by hour, as comments; a scenario has one distribution for all hours.
    mutating func hourly(_ usual: Double) {
        let perHour = Int(3_600_000_000 / digest.binLength)
        guard digest.bins.count >= 2 * perHour else { return }
        put("  # by hour: geometric mean of latency, rejected, unanswered")
        for start in stride(from: 0, to: digest.bins.count, by: perHour) {
            let part = digest.bins[start..<min(digest.bins.count, start + perHour)]
            let accepted = part.reduce(0) { $0 + $1.accepted }
            let timed = part.reduce(0) { $0 + $1.timed }
            guard timed > 0 else { continue }
            let mean = exp(part.reduce(0) { $0 + $1.logLatency } / Double(timed))
            let rejected = part.reduce(0) { $0 + $1.rejected + $1.unavailable }
            let unanswered = part.reduce(0) { $0 + $1.unanswered }
            put(
                "  #   +\(start / perHour)h: \(LogFit.text(mean)), \(rejected) and \(unanswered) of \(accepted + rejected + unanswered)"
            )
        }
    }
}
