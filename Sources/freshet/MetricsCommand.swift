import ArgumentParser
import Evaluation
import LiveActivityModel
import Quantities
import Reporting
import Shell
import Studies
import TextFormats

struct MetricsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics",
        abstract: "Lists the metrics with unit, meaning and example; a pattern shows the matching ones in full.",
        discussion: """
            Example: freshet metrics
            Example: freshet metrics fresh
            Example: freshet metrics 'send_*' --scenario new-years-eve

            A pattern is part of the name of a metric or of one of its scopes (fate:lost), or a whole name with * as a \
            wildcard. Stages, thresholds and ranks come from the scenario. Metrics that only load tests measure (freshet \
            load) form the last group.
            """
    )

    @Argument(help: "A pattern of metric names. Default: all metrics.")
    var pattern: String?

    @Option(
        help: "The scenario whose stages, thresholds and ranks to list. Default: a scenario with default values.",
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
    /// A scenario with a threshold of each kind, so that no metric is missing.
    fileprivate static var withThresholds: Scenario {
        var scenario = Scenario()
        scenario.measure.ageOver = [.minutes(1)]
        scenario.measure.waitOver = [.seconds(1)]
        return scenario
    }
}
