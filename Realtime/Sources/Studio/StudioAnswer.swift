import Evaluation
import LiveActivityModel
import Reporting
import Shell
import TextFormats

/// The results of the base and the changed world so far, as the page shows them.
struct StudioAnswer {
    private let base: RunResult
    private let changed: RunResult?
    private let size: Town.Size

    /// Creates an answer at a preview size; without a changed world, of the base alone.
    init(base: RunResult, changed: RunResult?, size: Town.Size) {
        self.base = base
        self.changed = changed
        self.size = size
    }

    private static let headline = Response(metric: "ride_fresh_coverage_ratio")

    /// The larger of the two worlds' half-widths of freshness during rides; `nil` if neither has an interval.
    var halfWidth: Double? {
        let widths = [base, changed].compactMap(\.self)
            .map { result in
                let row = try? Self.headline.resolve(in: result.scenario).row(in: result)
                return row?.interval.map { ($0.upperBound - $0.lowerBound) / 2 }
            }
        return widths.contains(nil) ? nil : widths.compactMap(\.self).max()
    }

    /// Returns the number of replications for the next answer.
    ///
    /// Widths fall with the square root of the number of replications. The estimate is rough while there are few, so a
    /// step at most quadruples them. Fewer and larger steps leave the processors to the simulation: each answer also
    /// costs a repaint.
    ///
    /// - Parameter wanted: The target half-width.
    func nextCount(for wanted: Double) -> Int {
        let count = base.replications
        guard let halfWidth else { return count * 2 }
        let ratio = min(2, halfWidth / wanted)
        // Ten per cent more, so that the last step need not be repeated.
        let needed = Int((Double(count) * ratio * ratio * 1.1).rounded(.up))
        return max(count + 2, min(count * 4, needed + needed % 2))
    }

    /// Warnings about the size of the simulation: a preview below full load, and a changed world with other rides.
    private var warning: String? {
        let others = changed.flatMap {
            Town.Size.warning(rides: $0.total[.ridesRequested], ofBase: base.total[.ridesRequested])
        }
        let all = [size.warning, others].compactMap(\.self)
        return all.isEmpty ? nil : all.joined(separator: " ")
    }

    /// Adds the age of the content on screens during rides, its mean and its p95, in words.
    private static func addRideAges(of result: RunResult, to json: inout JSONText) {
        json.begin(nil)
        for statistic in ["mean", "p95"] {
            let age = Response(metric: "age_of_information_us", scope: "during_ride", statistic: statistic)
            guard let resolved = try? age.resolve(in: result.scenario), let value = resolved.value(in: result) else {
                continue
            }
            json.add(statistic, ProgressLine.span(Int64(value.rounded())))
        }
        json.end()
    }

    /// Adds the share of the time on screens with fresh content, which the goal is about, with its interval.
    private static func addScreenFreshness(of result: RunResult, to json: inout JSONText) {
        json.begin(nil)
        let row = try? Response(metric: "displayed_fresh_time_ratio").resolve(in: result.scenario).row(in: result)
        json.add(row)
        json.end()
    }

    /// Returns the answer as a JSON document.
    ///
    /// - Parameters:
    ///   - isLast: `true` if no answer at this size follows.
    ///   - isFollowed: `true` if answers with all rides follow those at this size.
    ///   - goal: The goal to draw, a share of the time on screens; `nil` for none.
    func json(number: Int, isLast: Bool, isFollowed: Bool, elapsed: Duration, goal: Double?) -> String {
        let shown = changed ?? base
        var json = JSONText()
        json.add("ask", number)
        json.add("replications", shown.replications)
        json.add("rides", shown.total[.ridesRequested])
        json.add("done", raw: "\(isLast && !isFollowed)")
        json.add("all_rides_follow", raw: "\(isLast && isFollowed)")
        json.add("ms", Int(elapsed / .milliseconds(1)))
        json.add("load", size.load)
        json.add("part", size.scale)
        json.add("warning", warning)
        json.add(
            "tiles",
            raw:
                HeadlineTile.json(
                    HeadlineTile.tiles(
                        of: shown,
                        against: changed == nil ? nil : base,
                        per: size.isWhole ? "per replication" : "per replication of the preview"
                    )
                )
                .onOneLine
        )
        json.add("day", raw: Chart.overlay(base: base, changed: changed, goal: goal).text.onOneLine)
        let worlds = [base, changed].compactMap(\.self)
        json.beginArray("screen_freshness")
        for result in worlds { Self.addScreenFreshness(of: result, to: &json) }
        json.end()
        let recoveries = worlds.map { FaultRecovery.sentences(of: $0) + Congestion.sentences(of: $0) }
        let lists = recoveries.map { "[\($0.map(QuotedText.doubleQuoted).joined(separator: ","))]" }
        json.add("recoveries", raw: "[\(lists.joined(separator: ","))]")
        let ages = worlds.map { Chart.age($0).text.onOneLine }
        json.add("ages", raw: "[\(ages.joined(separator: ","))]")
        json.beginArray("ride_ages")
        for result in worlds { Self.addRideAges(of: result, to: &json) }
        json.end()
        let causes = worlds.compactMap { Chart.waterfall($0)?.text.onOneLine }
        json.add("causes", raw: "[\(causes.joined(separator: ","))]")
        return json.document
    }
}

extension JSONText {
    /// Adds a value and its interval, as far as there are any.
    mutating func add(_ row: SummaryRow?) {
        if let value = row?.value { add("value", value.double) }
        guard let interval = row?.interval else { return }
        add("low", interval.lowerBound)
        add("high", interval.upperBound)
    }
}
