import Evaluation
import InputFiles
import LiveActivityModel
import Results
import ScenarioLanguage
import Studies
import TextFormats

/// Briefs of a run, and of two runs with today's first.
extension Brief {
    mutating func readRun(_ directory: String, today: String?, _ loaded: LoadedScenario) throws {
        let run = try RecordedResults(directory: directory)
        let outcomes = try run.checks()
        let statements = CheckList(outcomes).statements
        decidingResponses =
            outcomes.map(\.check.comparison.response.text)
            + HeadlineTile.headline(of: run.scenario).map(\.response.text)
        let more = statements.count - 1 - Brief.mostChecks
        let checks = statements.prefix(1 + Brief.mostChecks) + (more > 0 ? ["For \(more) more, see report.md."] : [])
        let faults = FaultRecovery.sentences(of: run).map { "\($0.prefix(1).uppercased())\($0.dropFirst())" }
        var before: BriefPushes?
        if let today {
            let other = try RecordedResults(directory: today)
            try compare(other, run)
            answer += checks + faults
            answer += [("Today", other), ("With the change", run)]
                .compactMap { name, run in run.capacity.first.map { "\(name): \($0)" } }
            before = try Brief.pushes(of: other)
            chart = try? Chart.overlay(base: other, changed: run, names: .ofToday).map(Chart.Recorded.init)
        } else {
            let tiles = try HeadlineTile.tiles(of: run, besides: Brief.additions(run.scenario))
            // Without checks, the numbers and the first limit are the answer.
            let opening = checks.isEmpty ? [try Brief.rideTime(of: run)] + run.capacity.prefix(1) : []
            let capacity = run.capacity.dropFirst(checks.isEmpty ? 1 : 0).joined(separator: " ")
            answer =
                (checks.isEmpty ? [opening.joined(separator: " ")] : Array(checks)) + faults
                + (capacity.isEmpty ? [] : [capacity])
                + (checks.isEmpty ? ["The scenario has no checks: it sets no limits to decide by."] : [])
            numbers = tiles.map { tile in
                BriefNumber(name: tile.label, today: "", proposed: tile.value, difference: tile.interval)
            }
            heading = "value"
            certainty = [
                "\(Format.replications(run.replications)); an interval contains the true value with a probability of 95 %. "
                    + "A number without an interval may be due to chance."
            ]
            chart = Chart.Recorded(in: directory, preferring: ["freshness", ""])
        }
        pushes = try Brief.pushes(of: run)
            .map {
                BriefPushes(period: $0.period, rides: $0.rides, today: before?.proposed, proposed: $0.proposed)
            }
        if today == nil, run.capacity.isEmpty, pushes?.proposed ?? 0 > 0 {
            certainty.append(
                "The limit that saturates first is not stated: an earlier version of freshet wrote these results. Repeat the run for it."
            )
        }
        basis = ["Run \(run.id), \(Brief.version(run.version)), fingerprint \(run.fingerprint ?? "–")."]
        let count = run.replications
        let repeated = today.map { [($0, "again-today"), (directory, "again-change")] } ?? [(directory, "again")]
        command =
            repeated.map { directory, output in
                "freshet run \(Brief.word("\(directory)/scenario.resolved.yaml")) --replications \(count) --output \(output)"
            }
            .joined(separator: "\n")
    }

    /// Returns the sentence on the ride time of a run.
    private static func rideTime(of run: RecordedResults) throws -> String {
        let rows = try run.summary()
        return Headline { rows.row($0, $1, scope: $2) }.rideTime
    }

    /// The largest number of checks on the page, so that it stays one page.
    private static let mostChecks = 8

    /// The numbers besides the headline: the driver's photo, if it is followed, and the cards that the monitor gives up in a
    /// run with faults.
    private static func additions(_ scenario: Scenario) -> [(response: Response, label: String)] {
        let photo = HeadlineTile.photoMissing
        return (photo.0.isOff(in: scenario) ? [] : [photo])
            + (scenario.faults.isEmpty || !scenario.monitor.enabled ? [] : [HeadlineTile.severe])
    }

    /// Reads the differences of a run to today's.
    private mutating func compare(_ today: RecordedResults, _ run: RecordedResults) throws {
        var options = ResultComparison.Options()
        let headline = HeadlineTile.headline(of: run.scenario) + Brief.additions(run.scenario)
        options.responses = headline.map(\.response)
        options.isPooled = true
        options.names = .ofToday
        func compared(_ options: ResultComparison.Options) throws -> ResultComparison {
            do throws(ComparisonError) { return try ResultComparison(today, run, options) } catch {
                throw Failure.incomparable(error)
            }
        }
        let comparison = try compared(options)
        // A page must not praise a change that is worse in a number that the table lacks.
        options.responses = []
        let losses = try compared(options).metrics
            .filter { metric in
                metric.verdict == .worse && !headline.contains { $0.response.text == metric.response }
            }
        // One replication of each has no estimate of chance.
        let isOfOneWorld = comparison.metrics.contains(where: \.isOfOneReplication)
        let mark =
            switch comparison.verdict {
            case _ where isOfOneWorld: "?"
            case .better where losses.isEmpty: "✓"
            case .worse: "✗"
            default: "?"
            }
        var verdict = ComparisonReport(comparison)
            .verdict(besides: [], worse: losses.map { MetricWords.quoted($0.response) })
        for (response, label) in headline { verdict = verdict.replacing(response.text, with: "\"\(label)\"") }
        if isOfOneWorld {
            let fact = verdict.replacing(" (one replication each: may be chance)", with: "")
            verdict = "One replication of each, so it may be chance: \(fact.prefix(1).lowercased())\(fact.dropFirst())"
        }
        answer = ["\(mark) \(verdict).", "Changed: \(Brief.words(comparison.changes))"]
        if !losses.isEmpty {
            let list = losses.map { "\(MetricWords.quoted($0.response)) \($0.changeText)" }
            answer.append("Worse: \(list.joined(separator: "; ")).")
        }
        let (before, after) = (Brief.texts(comparison.metrics, \.first), Brief.texts(comparison.metrics, \.second))
        numbers = zip(headline, comparison.metrics).enumerated()
            .map { place, pair in
                BriefNumber(
                    name: pair.0.label,
                    today: before[place],
                    proposed: after[place],
                    difference: pair.1.verdict == .otherBasis ? "not comparable" : pair.1.changeText
                )
            }
        // The verdict names them, so the table has them too.
        numbers += losses.map { metric in
            func text(_ value: Double?) -> String { Format.value(value, unit: metric.unit, isShare: metric.isShare) }
            return BriefNumber(
                name: metric.response,
                today: text(metric.first),
                proposed: text(metric.second),
                difference: metric.changeText
            )
        }
        let count = min(today.replications, run.replications)
        certainty = [
            count > 1
                ? "\(Format.replications(count)) of each, paired on the same random worlds; a difference smaller than its ± may be chance (95 % for all numbers together). "
                    + "Up to \(NumberText.text(options.noise * 100)) % of today's value counts as noise, as in `freshet compare`."
                : "One replication of each: chance may explain any difference."
        ]
    }

    /// Formats the headline numbers of a run; the shares of ride time come first and add up as printed.
    private static func texts(_ metrics: [MetricComparison], _ value: (MetricComparison) -> Double?) -> [String] {
        let shares = Headline.shares(metrics.prefix(Headline.rideTime.count).map(value))
        let texts = metrics.map { Format.value(value($0), unit: $0.unit, isShare: $0.isShare) }
        return shares.contains(Format.undefined) ? texts : shares + texts.dropFirst(shares.count)
    }

    private static func words(_ changes: [ScenarioChange]) -> String {
        guard !changes.isEmpty else { return "nothing; the scenarios are the same." }
        let shown = changes.prefix(5).map { MarkdownText.code(OneLine.excerpt("\($0)", longest: 120)) }
        let rest = changes.count - shown.count
        return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more." : ".")
    }

    /// Returns the pushes and rides of a run, per replication; nil if its summary lacks them.
    private static func pushes(of run: RecordedResults) throws -> BriefPushes? {
        let rows = try run.summary()
        func total(_ metric: String) -> Double? {
            rows.row(metric, "total")?.value?.double
        }
        guard let pushes = total("pushes_sent_count"), let rides = total("rides_requested_count") else { return nil }
        let count = Double(max(1, run.replications))
        let period = PushPeriod(run.scenario)
        let volume = PushVolume(pushes: pushes / count, rides: rides / count)
        return BriefPushes(
            period: period.words,
            rides: period.rides(volume),
            today: nil,
            proposed: period.pushes(volume)
        )
    }
}
