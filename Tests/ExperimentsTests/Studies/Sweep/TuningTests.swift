import Foundation
import LiveActivityModel
import Statistics
import TestSupport
import Testing

@testable import Evaluation
@testable import ScenarioLanguage
@testable import Studies

@Suite("The search for the best design point")
struct TuningTests {
    private let directory = Scratch()

    /// More refreshes cost more pushes and make content younger, regardless of chance.
    private static let factors = """
        factors:
          vary:
            content.refresh: [20s, 30s, 60s, 2m, 4m]
          goal:
            minimise: age_of_information_us
            subject_to: [pushes_per_activity <= 30]
            indifference: 1s
            first_replications: 5

        """

    private func sweep(_ text: String = SmallSweep.scenario + TuningTests.factors) throws -> Sweep {
        try Sweep(ScenarioReader.read(file: directory.write(text, to: "town.yaml")))
    }

    private func run(_ sweep: Sweep, goal: Goal? = nil, jobs: Int = 2, store: String = "tasks") async throws
        -> TuningResult
    {
        let goal = try #require(goal ?? sweep.factors.goal)
        return try await Tuning(sweep, goal: goal)
            .run(store: TaskStore(path: "\(directory.path)/\(store)"), jobs: jobs) { _, _ in }
    }

    @Test(
        "The freshest point within the limit is selected; fresher points beyond it are not",
        .enabled(if: Loop.isFull)
    )
    func constrained() async throws {
        let result = try await run(sweep())
        let best = try #require(result.best)
        #expect(result.outcome.guarantee.holds && result.outcome.guarantee.probability == 0.95)
        let means = result.outcome.systems.map(\.means)
        // Every point is clearly on one side: rides of 12 minutes have about 36 refreshes at 20 s and about 24 at 30 s.
        #expect(means[0][1] > 30)
        guard case .infeasible(constraints: [0], _) = result.outcome.systems[0].status else {
            Issue.record("\(result.outcome.systems[0].status)")
            return
        }
        #expect(means[best.number][1] <= 30)
        #expect(means[(best.number + 1)...].allSatisfy { $0[0] > means[best.number][0] })
    }

    @Test("Without a limit the most frequent refreshes win", .enabled(if: Loop.isFull))
    func unconstrained() async throws {
        let sweep = try sweep()
        var goal = try #require(sweep.factors.goal)
        goal.constraints = []
        #expect(try await run(sweep, goal: goal).best?.number == 0)
        goal.minimise = nil
        goal.maximise = try Objective(parsing: "age_of_information_us")
        #expect(try await run(sweep, goal: goal).best?.number == 4)
    }

    @Test("A limit that no point meets is reported", .enabled(if: Loop.isFull))
    func infeasible() async throws {
        let sweep = try sweep()
        var goal = try #require(sweep.factors.goal)
        goal.constraints = [try Comparison(parsing: "pushes_per_activity <= 0.5")]
        goal.tolerance = 0.5
        let result = try await run(sweep, goal: goal)
        #expect(result.best == nil && result.outcome.decision == .noneFeasible)
    }

    /// A limit with confidence is tightened, so that a value exactly on the limit is excluded.
    @Test("By default the tolerance is 1 % of the limit, and for a share at most a twentieth of what is left to 100 %")
    func usualTolerance() throws {
        func tolerance(_ limit: String, _ given: Double? = nil) throws -> Double {
            let sweep = try sweep("factors: {vary: {content.ttl: [1m, 2m]}, responses: [events_count]}")
            var goal = Goal()
            goal.minimise = try Objective(parsing: "pushes_per_activity")
            goal.indifference = Amount("1")
            goal.acrossRulers = true
            goal.tolerance = given
            goal.constraints = [try Comparison(parsing: limit)]
            return try Tuning(sweep, goal: goal).problem.constraints[0].tolerance
        }
        #expect(abs(try tolerance("displayed_fresh_time_ratio >= 95%") - 0.0025) < 1e-12)
        #expect(abs(try tolerance("displayed_fresh_time_ratio >= 95%", 0.01) - 0.0095) < 1e-12)
        #expect(abs(try tolerance("not_sent_ratio <= 1%") - 0.0001) < 1e-12)
        #expect(abs(try tolerance("pushes_per_activity <= 40") - 0.4) < 1e-12)
    }

    @Test(
        "The gap of a share to a limit with confidence excludes the tolerance; the tightened limit is below 1"
    )
    func uncertain() async throws {
        let sweep = try sweep()
        var goal = try #require(sweep.factors.goal)
        // Every point meets it, by less than two hundredths of it; no share reaches 101 %.
        goal.constraints = [try Comparison(parsing: "displayed_fresh_time_ratio >= 99.9% with 95%")]
        let tuning = try Tuning(sweep, goal: goal)
        let limit = tuning.problem.constraints[0]
        #expect(limit.limit + 2 * limit.tolerance < 1)
        let result = try await run(sweep, goal: goal)
        if let nearest = result.nearest {
            for gap in nearest.gaps {
                let mean = result.outcome.systems[nearest.system].means[1 + gap.constraint]
                #expect(abs(gap.distance - (0.999 - mean)) < 1e-12)
            }
        }
    }

    @Test(
        "A metric basis with one level can be limited; with two levels it is rejected"
    )
    func basisOfOneLevel() throws {
        func tuning(_ levels: String) throws -> Tuning {
            let text = """
                factors:
                  vary: {content.ttl: \(levels), content.refresh: [60s, 2m]}
                  goal:
                    minimise: pushes_per_activity
                    subject_to: [displayed_fresh_time_ratio >= 90%]
                    indifference: 0.5

                """
            let sweep = try sweep(SmallSweep.scenario + text)
            return try Tuning(sweep, goal: try #require(sweep.factors.goal))
        }
        for levels in ["[2m]", "{short: 2m}"] {
            #expect(throws: Never.self, "\(levels)") { try tuning(levels) }
        }
        let error = #expect(throws: ScenarioError.self) { try tuning("[2m, 3m]") }
        #expect(error.map { "\($0)" }?.contains("which is defined by the factor content.ttl") == true)
    }

    @Test("The cheapest level within a limit; the factor has no randomness")
    func cheapest() async throws {
        let text = """
            factors:
              vary:
                content.refresh: [20s, 30s, 60s, 2m]
              goal:
                maximise: content.refresh
                subject_to: [age_of_information_us <= 10m]
                first_replications: 3

            """
        let sweep = try sweep(SmallSweep.scenario + text)
        let result = try await run(sweep)
        #expect(result.tuning.objective.isExact && result.tuning.objective.text == "content.refresh")
        #expect(result.best?.number == 3)
        #expect(result.outcome.systems.map { $0.means.first } == [20, 30, 60, 120])
    }

    @Test("A cost is computed replication by replication, and its terms add up to it")
    func cost() async throws {
        let text = """
            factors:
              vary:
                content.refresh: [20s, 2m]
              goal:
                minimise: pushes_per_activity - 0.5 * content.refresh
                indifference: 1
                first_replications: 3

            """
        let result = try await run(sweep(SmallSweep.scenario + text))
        #expect(result.tuning.objective.terms.map(\.text) == ["pushes_per_activity", "-0.5 * content.refresh"])
        #expect(result.tuning.objective.text == "pushes_per_activity - 0.5 * content.refresh")
        for sample in result.samples.joined() { #expect(sample.values[0] == sample.terms[0] + sample.terms[1]) }
        #expect(
            result.samples[0].allSatisfy { $0.terms[1] == -10 } && result.samples[1].allSatisfy { $0.terms[1] == -60 }
        )
        #expect(result.best?.number == 1)
        #expect(result.meanTerms(of: 1).last == -60)
    }

    @Test("A response that is undefined at a point is reported with its place")
    func undefined() async throws {
        let sweep = try sweep()
        var goal = try #require(sweep.factors.goal)
        goal.constraints = []
        goal.minimise = nil
        goal.maximise = try Objective(parsing: "recovered_ratio")
        goal.indifference = nil
        let error = await #expect(throws: Tuning.UndefinedResponse.self) { try await run(sweep, goal: goal) }
        #expect(
            error?.description.hasPrefix("recovered_ratio is undefined in replication 0 of design point 0") ?? false
        )
    }

    @Test("Points without differences are reported as alike, with no guarantee between them")
    func alike() async throws {
        let sweep = try sweep(
            SmallSweep.scenario + """
                factors:
                  vary: {devices.end_report: [1s, 2s]}
                  goal: {minimise: false_kill_count, indifference: 1, first_replications: 2}
                """
        )
        let result = try await run(sweep)
        #expect(result.best?.number == 0)
        #expect(result.neverDiffered(1, from: 0))
    }

    @Test("A budget that runs out early gives no guarantee")
    func budget() async throws {
        let sweep = try sweep()
        var goal = try #require(sweep.factors.goal)
        goal.constraints = []
        goal.indifference = .duration(microseconds: 1)
        goal.budget = 26
        let result = try await run(sweep, goal: goal)
        guard case .notSure = result.outcome.decision else {
            Issue.record("\(result.outcome.decision)")
            return
        }
        #expect(!result.outcome.guarantee.holds && result.outcome.runs <= 26)
    }

    @Test("Any number of jobs and earlier results give the same outcome", .enabled(if: Loop.isFull))
    func sameAnswer() async throws {
        let sweep = try sweep()
        let first = try await run(sweep, jobs: 1)
        let again = try await run(sweep, jobs: 1)
        let parallel = try await run(sweep, jobs: 5, store: "others")
        #expect(again.outcome == first.outcome && again.samples == first.samples)
        #expect(parallel.outcome == first.outcome && parallel.samples == first.samples)
    }

    @Test("An objective or a limit whose basis is a factor is rejected unless explicitly allowed")
    func acrossRulers() throws {
        func tuning(_ goal: String, _ factor: String = "content.ttl: [1m, 2m]") throws -> Tuning {
            let sweep = try sweep(SmallSweep.scenario + "factors: {vary: {\(factor)}, goal: {\(goal)}}")
            return try Tuning(sweep, goal: sweep.factors.goal ?? Goal())
        }
        let error = #expect(throws: ScenarioError.self) { try tuning("maximise: displayed_fresh_time_ratio") }
        let text = error?.description ?? ""
        #expect(
            text.contains("must not optimise displayed_fresh_time_ratio, which is defined by the factor content.ttl")
        )
        #expect(text.contains("ride_stage_coverage_ratio, stage_lag_us and age_of_information_us{during_ride}"))
        let given = "minimise: ended_severe_count, indifference: 1"
        #expect(throws: ScenarioError.self) { try tuning(given, "monitor.recovery_window: [1m, 2m]") }
        let limit = #expect(throws: ScenarioError.self) {
            try tuning("maximise: ride_stage_coverage_ratio, subject_to: [displayed_fresh_time_ratio >= 90%]")
        }
        #expect(limit?.description.contains("must not set a limit to displayed_fresh_time_ratio, which is") == true)
        #expect(throws: Never.self) {
            _ = try tuning("maximise: displayed_fresh_time_ratio, across_rulers: true")
            _ = try tuning(
                "maximise: ride_stage_coverage_ratio, subject_to: [displayed_fresh_time_ratio >= 90%], across_rulers: true"
            )
            _ = try tuning("maximise: displayed_fresh_time_ratio", "monitor.fresh_limit: [0s, 30s]")
        }
    }

    @Test(
        "An invalid goal is rejected at its place",
        arguments: [
            ("{}", "factors.goal must name one response or cost to maximise or to minimise"),
            ("{maximise: events_count, minimise: events_count, indifference: 1}", "must name one response or cost"),
            ("{minimise: age_of_information_us}", "must state an indifference"),
            (
                "{minimise: age_of_information_us, indifference: 5}",
                "must state the indifference of age_of_information_us as a duration"
            ),
            ("{maximise: displayed_fresh_time_rato}", #"did you mean "displayed_fresh_time_ratio"?"#),
            (
                "{maximise: displayed_fresh_time_ratio, subject_to: [events_count == 4]}",
                "factors.goal.subject_to.0 must set a limit with < <= > >=, got events_count == 4"
            ),
            (
                "{maximise: displayed_fresh_time_ratio, subject_to: [ended_severe_count <= 0]}",
                "must set a limit other than 0, got ended_severe_count <= 0"
            ),
            (
                "{minimise: 2 * content.ttll + events_count, indifference: 1}",
                #"must consist of metrics and of factors of the design, got "content.ttll"; did you mean "content.ttl"?"#
            ),
            (
                "{minimise: sender.connections}",
                #"got "sender.connections"; factors: content.ttl; `freshet metrics` lists the metrics"#
            ),
            ("{minimise: 2 * event_count, indifference: 1}", #"did you mean "events_count"?"#),
            ("{minimise: pushes, indifference: 1}", #"did you mean "pushes_"#),
            ("{maximise: displayed_fres}", #"did you mean "displayed_fresh_time_ratio"?"#),
            ("{minimise: 3 * 4}", "must name a response, a factor or a sum of them, got"),
            ("{maximise: displayed_fresh_time_ratio, subject_to: [pushes_per_activity <= 4 with 10%]}", "got \"10%\""),
            ("{maximise: displayed_fresh_time_ratio@7m..20m}", "factors.goal.maximise must cover the whole run"),
        ]
    )
    func refused(goal: String, message: String) throws {
        #expect(try problems(goal).contains(message))
    }

    @Test("All errors of a goal are reported at once, each at its key")
    func allAtOnce() throws {
        let wrong = try problems(
            "{minimise: age_of_information_us, indifference: 3, subject_to: [events_count == 4, "
                + "ended_severe_count <= 0, pushes_per_activity < 4s, fresh_time_ratio > 0.5]}"
        )
        for part in ["indifference must state", "subject_to.0 must", "subject_to.1 must", "subject_to.2 must"] {
            #expect(wrong.contains("factors.goal.\(part)"), "\(wrong)")
        }
        #expect(!wrong.contains("subject_to.3"))
        let more = try problems("{subject_to: [events_count == 4, nope < 3], budget: 3, first_replications: 4}")
        for part in ["must name one response or cost", "subject_to.0 must", "subject_to.1 must", "budget is invalid"] {
            #expect(more.contains("factors.goal\(part.hasPrefix("must") ? " " : ".")\(part)"), "\(more)")
        }
    }

    private func problems(_ goal: String) throws -> String {
        let error = #expect(throws: ScenarioError.self) {
            try sweep(SmallSweep.scenario + "factors: {vary: {content.ttl: [1m, 2m]}, goal: \(goal)}")
        }
        let text = try #require(error?.description)
        #expect(text.contains("town.yaml:11:"), "\(text)")
        return text
    }
}
