import FreshnessCore
import Quantities
public import SimulationKernel

extension SendLog {
    /// What a latency is from the request to.
    public enum LatencyEnd: String, CaseIterable, Sendable {
        /// APNs' response: `sender.request_time`.
        case response
        /// The phone, for logs that are joined with what the app reports: `apns.latency`.
        case phone
    }

    /// A request that gets no answer takes so long in the scenario: longer than any timeout.
    private static let never = TimeSpan.hours(1)

    /// How many answers that the model does not have are named one by one.
    private static let shownUnknown = 20

    /// The `sender:` and `apns:` parts of a scenario.
    ///
    /// Shares are of all requests. A request without answer is one whose answer takes an hour: the sender's timeout passes
    /// before. Refusals of dead tokens stand in a comment, as the model has tokens that die.
    ///
    /// - Parameters:
    ///   - latency: The distribution of answered requests.
    ///   - end: What the log's latency ends with.
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
                sender.append("  # \(unanswered) of \(count) got no answer: theirs takes longer than sender.timeout")
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
                "  # \(refusals.deadTokens) of \(count) were refused with 410: the model makes those from tokens that die"
            )
        }
        for answer in refusals.unknown.prefix(Self.shownUnknown) {
            let why = answer.reason.isEmpty ? "which may mean any of several reasons" : "which the model does not have"
            lines.append("  # \(answer.count) of \(count) got \(answer.name), \(why): in no share above")
        }
        let others = refusals.unknown.dropFirst(Self.shownUnknown)
        if !others.isEmpty {
            lines.append("  # \(others.reduce(0) { $0 + $1.count }) of \(count) got \(others.count) other answers")
        }
        return lines
    }

    /// A share in percent, to three digits that count.
    private func share(of count: Int) -> String {
        let percent = share(count) * 100
        return NumberText.plainText(percent) { text in
            NumberText.number(text).map { ($0 - percent).magnitude <= 5e-4 * percent } ?? false
        } + "%"
    }
}
