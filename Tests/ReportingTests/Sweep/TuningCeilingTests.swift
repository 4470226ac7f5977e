import Evaluation
import ScenarioLanguage
import Statistics
import Testing
import TextFormats

@testable import Reporting
@testable import Studies

@Suite("Reports of searches whose goal is out of reach")
struct TuningCeilingTests {
    @Test("A goal out of reach: the best value of any point, the ride time that bounds it, and the nearest point first")
    func ceiling() async throws {
        let result = try await SmallSweep.tuning(
            vary: "content.refresh: [200s, 60s]",
            goal: "minimise: pushes_per_activity, subject_to: ['ride_fresh_coverage_ratio >= 99.5%'], indifference: 0.5"
        )
        let report = TuningReport(result)
        let ceiling = try #require(result.ceilings.first)
        // Refreshes every minute keep a card with a TTL of 90 s fresh.
        #expect(ceiling.system == 1 && ceiling.value == result.outcome.systems[1].means[1])
        #expect(report.order == [1, 0] && result.nearest?.system == 1)
        let value = Format.percent(ceiling.value)
        let best =
            "No design point meets `ride_fresh_coverage_ratio >= 99.5%`: the best mean is \(value), at design point 1 "
            + "(content.refresh = 60s). "
        // With fewer refreshes the monitor ends more cards.
        let bound = try #require(ceiling.withoutCard)
        #expect(!bound.isEqual && bound.range.lowerBound == bound.share && bound.range.upperBound > bound.share)
        let (share, rest) = (Format.percent(bound.share), Format.percent(1 - bound.share))
        let range = "\(Format.percent(bound.range.lowerBound)) to \(Format.percent(bound.range.upperBound))"
        let words =
            best
            + "That point has no card in \(share) of ride time (all points: \(range)), so at most \(rest) of it can be covered there, "
            + "and less than the limit at every point."
            + causes(bound)
        #expect(report.ceiling == [words], "\(report.ceiling)")
        // Today's is the nearest point, and the other one is less fresh.
        #expect(report.asToday == ["No design point that was tried holds today's level with fewer pushes."])
        #expect(report.text().contains(words.replacing("`", with: "")))
        #expect(report.blocks.markdown.contains("\n- \(words)\n"))
        #expect(report.blocks.markdown.contains("\n\nThe point nearest to the limits comes first. "))
        #expect(report.answer[1] == words && result.json.text.contains("\"best\": \(ceiling.value),"))
        // The ride time without a card differs between replications, but not between points.
        let samples = result.samples.map { samples in
            samples.map { sample in
                var sample = sample
                sample.withoutCard = [sample.replication.isMultiple(of: 2) ? 0.25 : 0.125]
                return sample
            }
        }
        let equal = TuningResult(tuning: result.tuning, outcome: result.outcome, samples: samples, beside: [])
        let count = Double(result.outcome.systems[1].replications)
        let mean = (0.25 * (count / 2).rounded(.up) + 0.125 * (count / 2).rounded(.down)) / count
        let sentence =
            "There is no card in \(Format.percent(mean)) of ride time, which is the same at every design point in each replication: "
            + "no setting that was tried can cover more than \(Format.percent(1 - mean)), which is less than the limit."
        let equalCauses = causes(try #require(equal.ceilings.first?.withoutCard))
        #expect(TuningReport(equal).ceiling == [best + sentence + equalCauses], "\(TuningReport(equal).ceiling)")
        // Each limit has a point that meets it.
        let pair = try await SmallSweep.tuning(
            vary: "content.refresh: [200s, 60s]",
            goal:
                "minimise: pushes_per_activity, subject_to: ['ride_fresh_coverage_ratio >= 70%', 'pushes_per_activity <= 6'], "
                + "indifference: 0.5"
        )
        #expect(
            TuningReport(pair).ceiling == [
                "The mean of some design point meets each limit, but no point meets all of them."
            ],
            "\(TuningReport(pair).text())"
        )
    }

    /// The sentences on the counted causes of missing cards, in a scenario without ended cards.
    private func causes(_ bound: TuningResult.Ceiling.WithoutCard) -> String {
        let counts = zip(Tuning.causesWithoutCard, bound.causes).filter { $1 > 0 }
        let ends = counts.filter { $0.0.metric == "activities_ended_count" }.sorted { $0.1 > $1.1 }
            .map { "because \(MetricDescription.scopeWords[$0.0.scope] ?? "") (\(Format.count(mean: $0.1)))" }
        guard !ends.isEmpty else { return "" }
        return " The causes are counted, not timed: per run of 20 rides, that point has activities that ended "
            + "\(ends.joined(separator: ", "))."
    }

    @Test("Out of reach, the report names the cheapest point that is as good as today's within the tolerances")
    func asToday() async throws {
        let result = try await SmallSweep.tuning(
            vary: "content.refresh: [200s, 61s, 60s, 65s]",
            goal: "minimise: pushes_per_activity, subject_to: ['ride_fresh_coverage_ratio >= 90%'], indifference: 0.5, "
                + "tolerance: 0.02"
        )
        // Today's refreshes come every 60 s; every 65 s also keeps a card with a TTL of 90 s fresh while its phone is online.
        #expect(result.nearest != nil && result.cheapestAsPresent == 3)
        let report = TuningReport(result)
        let volumes = try #require(result.volumes(at: 3))
        let (now, then) = (volumes.present.pushes.rounded(), volumes.point.pushes.rounded())
        let sentence = try #require(report.asToday.first)
        #expect(
            sentence.hasPrefix(
                "Today's level for fewer pushes: design point 3 (content.refresh = 65s) sends \(Format.count(mean: then)) pushes per "
                    + "run of 20 min for the 20 rides simulated instead of \(Format.count(mean: now)) (\(Format.relative((then - now) / now))); against today: "
                    + "`ride_fresh_coverage_ratio` "
            ),
            "\(sentence)"
        )
        #expect(report.answer.contains(sentence) && report.text().contains("Today's level for fewer pushes"))
        #expect(report.blocks.markdown.contains("\n- \(sentence)\n"))
        // The point of 200 s is ruled out early, so its mean is over fewer replications than today's.
        let counts = result.outcome.systems.map(\.replications)
        #expect(counts[0] != counts[2] && report.hasOtherReplications, "\(counts)")
        let basis =
            "In parentheses: the difference to today in the replications that both have. A mean is over all replications of its "
            + "point; today has \(counts[2]), so a mean less its difference need not be today's mean."
        #expect(report.text().contains(basis) && report.blocks.markdown.contains(basis + " Means are over"))
    }
}
