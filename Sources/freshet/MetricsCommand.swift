import ArgumentParser
import Experiments
import LiveActivityModel
import Quantities
import Reporting
import TextFormats

struct MetricsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics",
        abstract: "Lists all metrics, or explains those that match a pattern.",
        discussion: """
            Example: freshet metrics
            Example: freshet metrics fresh
            Example: freshet metrics 'send_*' --scenario new-years-eve

            A pattern is a part of a metric's name or of one of its parts (fate:lost), or all of it with * for anything. \
            Stages, thresholds and ranks are those of the scenario. What only tests in real time measure (freshet load) \
            stands in a group of its own, at the end.
            """
    )

    @Argument(help: "Which metrics; all of them unless it is given.")
    var pattern: String?

    @Option(
        help: "The scenario whose stages, thresholds and ranks are listed; one with every default unless it is given.",
        completion: .file(extensions: ["yaml", "yml"])
    )
    var scenario: String?

    @Option(help: "text, markdown, or json for scripts.")
    var format = ReferenceFormat.text

    func run() throws {
        let scenario = try self.scenario.map { try ScenarioLoader.load(file: $0).scenario }
        let all = MetricDescription.all(of: scenario ?? .withThresholds) + MetricDescription.ofLoads
        let metrics = all.filter { metric in pattern.map(metric.matches) ?? true }
        guard !metrics.isEmpty else {
            throw CommandError(
                "no metric matches \"\(pattern ?? "")\"; \(MetricDescription.advice(for: pattern ?? "", among: all))",
                Failure.badData
            )
        }
        let reference = MetricReference(metrics)
        print(format.text(plain: reference.plain, markdown: reference.markdown, json: reference.json), terminator: "")
    }
}

extension Scenario {
    /// One with a threshold of each kind, so that no metric is missing.
    fileprivate static var withThresholds: Scenario {
        var scenario = Scenario()
        scenario.measure.ageOver = [.minutes(1)]
        scenario.measure.waitOver = [.seconds(1)]
        return scenario
    }
}
