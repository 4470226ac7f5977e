import Evaluation
import Results

/// Names of metrics for readers who do not know their identifiers.
enum MetricWords {
    /// Returns the name of a response in words; as code if it has none.
    ///
    /// A part of the run follows as code.
    static func name(of response: String) -> String {
        let sign = response.firstIndex(of: "@") ?? response.endIndex
        guard sign < response.endIndex, let words = names[String(response[..<sign])] else {
            return names[response] ?? MarkdownText.code(response)
        }
        return "\(words), \(MarkdownText.code(String(response[sign...])))"
    }

    /// Returns the name of a response in words and quotes, because names have commas.
    static func quoted(_ response: String) -> String { "\"\(names[response] ?? response)\"" }

    /// The names of ``ResultComparison/usual``, of the headline and of responses that examples ask for.
    static let names: [String: String] = {
        let onCards = [Headline.misleading, Headline.eta, Headline.photoMissing]
        let headline = (Headline.rideTime + [Headline.rightStage, Headline.belief, Headline.shown] + onCards)
            .map { ($0.response.text, $0.label) }
        let others = [
            ("displayed_fresh_time_ratio", "fresh, of screen time"),
            ("wrong_stage_time_ratio", "wrong stage, of screen time during rides"),
            ("not_sent_ratio", "pushes dropped or replaced before they were sent, of all offered"),
            ("age_of_information_us", "age of content, mean"), ("age_of_information_us.p99", "age of content, p99"),
            ("pushes_per_live_hour", "pushes per live hour"),
            (Headline.leftovers.response.text, "\(Headline.leftovers.words), per run"),
            ("stage_lag_us", "delay of a new stage, mean"), ("stage_lag_us.p95", "delay of a new stage, p95"),
            ("age_of_information_us{during_ride}", "age of content during rides, mean"),
            ("age_of_information_us{during_ride}.p95", "age of content during rides, p95"),
            ("age_of_information_us{during_ride}.p99", "age of content during rides, p99"),
            ("recovery_time_us.p95", "time to recovery of the episodes that recovered, p95"),
            (HeadlineTile.severe.response.text, "\(HeadlineTile.severe.label), per run"),
            ("false_kill_count", "ended while fresh on the phone, per run"),
            ("pushes_per_activity", "pushes per activity"), ("send_wait_us.p99", "wait in the sender, p99"),
            ("activities_started_count", "activities started, per run"),
        ]
        return Dictionary(headline + others) { first, _ in first }
    }()
}
