import FreshnessCore
import InputFiles
import Quantities
import ScenarioLanguage
public import SimulationKernel

extension SendLog {
    /// The event at which a latency ends.
    public enum LatencyEnd: String, CaseIterable, Sendable {
        /// The response of APNs: `sender.request_time`.
        case response
        /// The phone, for logs joined with reports of the app: `apns.latency`.
        case phone
    }

    /// The time that an unanswered request takes in the scenario: longer than any timeout.
    private static let never = TimeSpan.hours(1)

    /// The largest number of answers unknown to the model that are listed one by one.
    private static let shownUnknown = 20

    /// Returns the `sender:` and `apns:` parts of a scenario.
    ///
    /// Shares are of all requests. A request without an answer becomes one whose answer takes an hour, so that the
    /// sender's timeout passes first. Rejections of dead tokens are in a comment, because the model has tokens that
    /// die.
    ///
    /// - Parameters:
    ///   - latency: The distribution of answered requests.
    ///   - end: The event at which the log's latency ends.
    public func yaml(latency: Distribution, to end: LatencyEnd) -> String {
        let notation = DistributionNotation(measure: .duration, depth: 1)
        func line(_ distribution: Distribution) -> String {
            notation.write(distribution).yamlLines.joined(separator: "\n")
        }
        let unanswered = count(status: nil)
        let answered = count - unanswered
        var sender: [String] = []
        var apns: [String] = []
        let silent = MixtureComponent(
            weight: Double(unanswered),
            distribution: .constant(Double(Self.never.microseconds))
        )
        switch end {
        case .response:
            var time = latency
            if unanswered > 0 {
                sender.append("  # \(unanswered) of \(count) got no answer; here it takes longer than sender.timeout")
                time = .mixture([MixtureComponent(weight: Double(answered), distribution: latency), silent])
            }
            sender.append("  request_time: \(line(time))")
        case .phone:
            apns.append("  latency: \(line(latency))")
            if unanswered > 0 {
                apns.append("  loss: \(share(of: unanswered)) # \(unanswered) of \(count) without answer")
            }
        }
        apns += reasonLines
        let sections = [("sender", sender), ("apns", apns)].filter { !$0.1.isEmpty }
        return sections.map { "\($0.0):\n" + $0.1.joined(separator: "\n") }.joined(separator: "\n") + "\n"
    }

    private var reasonLines: [String] {
        let refusals = refusals
        var lines: [String] = []
        if refusals.counts.isEmpty {
            lines.append("  reasons: {}")
        } else {
            lines.append("  reasons:")
            for entry in refusals.counts {
                let source = entry.isGuessed ? "; status \(entry.reason.status), the log gives no reason" : ""
                let share = share(of: entry.count)
                lines.append("    \(entry.reason.rawValue): \(share) # \(entry.count) of \(count)\(source)")
            }
        }
        if refusals.deadTokens > 0 {
            lines.append(
                "  # \(refusals.deadTokens) of \(count) were rejected with 410; the model produces these when tokens die"
            )
        }
        for answer in refusals.unknown.prefix(Self.shownUnknown) {
            let why = answer.reason.isEmpty ? "which may have several reasons" : "which the model does not have"
            lines.append("  # \(answer.count) of \(count) got \(answer.name), \(why); not in the shares above")
        }
        let others = refusals.unknown.dropFirst(Self.shownUnknown)
        if !others.isEmpty {
            lines.append("  # \(others.reduce(0) { $0 + $1.count }) of \(count) got \(others.count) other answers")
        }
        return lines
    }

    /// Returns a share in percent, to three significant digits.
    private func share(of count: Int) -> String {
        let percent = share(count) * 100
        return NumberText.plainText(percent) { text in
            NumberText.number(text).map { ($0 - percent).magnitude <= 5e-4 * percent } ?? false
        } + "%"
    }
}
