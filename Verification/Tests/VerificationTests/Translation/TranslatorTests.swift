import LiveActivityModel
import Quantities
import ScenarioLanguage
import Statistics
import Studies
import TestSupport
import Testing

@testable import InputFiles
@testable import Verification

@Suite("Translation of cases into scenarios")
struct TranslatorTests {
    /// A case of a model, and the characteristic lines of its scenario.
    struct Model: CustomTestStringConvertible, Sendable {
        let group: String
        let name: String
        let quantity: String
        let parameters: String
        let lines: [String]

        init(_ row: Substring) {
            let cells = row.split(separator: #/ \| |\n +/#).map(String.init)
            (group, name, quantity, parameters) = (cells[0], cells[1], cells[2], cells[3])
            lines = Array(cells[4...])
        }

        var testDescription: String { name }
        var json: String { Case.json(group, name, quantity, parameters) }
    }

    /// Group, model, quantity and parameters; below them the lines of the scenario.
    static let models = #"""
        push | push_periodic | fraction_not_fresh = P(age > TTL+S)
            {"T": "10", "p": "1/8", "latency": {"dist": "const", "value": "2"}, "TTL": "15", "S": "5"}
            refresh: 10s | loss: 0.125 | latency: 2s | ttl: 15s | fresh_limit: 5s
        push | push_poisson | aoi_mean
            {"rate_inv": 10, "p": 0, "latency": {"dist": "exp", "rate": 2}, "TTL": 15, "S": 5}
            refresh: {exponential: {mean: 10s}} | latency: {exponential: {mean: 500ms}}
        push | push_periodic_eta | eta_error_mean
            {"T": 30, "p": 0, "latency": {"dist": "const", "value": 2}, "TTL": 60, "S": 60, "drift": "0.05"}
            refresh: 30s | latency: 2s | ttl: 1m | fresh_limit: 1m | drift: 0.05
        monitor | monitor_deadline | P_end
            {"latency": {"dist": "const", "value": 1.5}, "retry_offsets": [0, 5, 10], "V": 30, "q": 0.75}
            max_attempts: 3 | schedule: [0s, 5s, 10s] | recovery_window: 30s | loss: 0.25
        monitor | monitor_scan | E_pushes | {"latency": {"dist": "exp", "mean": 2}, "D": 10, "V": 45, "R": 3, "q": 0.5}
            scan_interval: 10s | schedule: [0s, 10s, 20s]
        monitor | monitor_410 | P_token_dead | {"q": 0.375, "g": 0.5, "R": 2}
            Unregistered: 0.5 | loss: 0.25
        monitor | monitor_poisson_retry | P_recovered | {"theta": 0.1, "q": 0.6, "V": 60}
            max_attempts: unlimited | jitter: exponential | base: 10s
        monitor | monitor_full_jitter | E_stale_time | {"q": 0.5, "base": 5, "cap": 40, "R": 5, "V": 30}
            jitter: full | base: 5s | cap: 40s | factor: 2
        monitor | silent_stale | P_silently_stale | {"a": 0.75, "qd": 0.5, "R": 3}
            feedback: acceptance | InternalServerError: 0.25
        monitor | end_within_k | P_token_invalidated | {"qe": 0.75, "k": 2}
            end_schedule: [0s, 1s]
        monitor | start_kill | P_kill
            {"eps": 0.125, "upload_mean": 20, "h": 60, "K": 2, "q": 0.5, "latency": {"dist": "exp", "mean": 10}, "X": 180}
            initial_content_limit: 3m | never: 0.125 | delay: {exponential: {mean: 20s}} | schedule: [0s, 1m]
        monitor | lifetime | E_recoveries
            {"TTL": 60, "S": 30, "h": 5, "latency": {"dist": "const", "value": 1.5}, "V": 30, "R": 3, "q": 0.75}
            ttl: 1m | fresh_limit: 30s | schedule: [0s, 5s, 10s]
        integrated | integrated | fraction_fresh | {"T": 30, "p": 0.25, "x": 50, "h": 8, "R": 2, "V": 35, "q": 0.5}
            refresh: 30s | considerate_loss: 0.25 | loss: 0.5 | refresh_priority: 5
        aoi | fcfs_gg1 | aoi_mean | {"arrival": {"dist": "exp", "rate": 0.5}, "service": {"dist": "const", "value": 1}}
            refresh: {exponential: {mean: 2s}} | request_time: 1s | queue_limit: unlimited
        aoi | mm11 | paoi_mean | {"lam": 0.5, "mu": 1}
            queue_limit: 0
        aoi | mm12 | aoi_mean | {"lam": 0.5, "mu": 1}
            queue_limit: 1
        aoi | mm12s | aoi_mean | {"lam": 0.5, "mu": 1}
            coalesce: true
        aoi | lcfsp | P(age>x) | {"lam": 0.5, "mu": 1, "x": 3}
            preempt: replace | age_over: [3s]
        aoi | lcfsp_md1 | aoi_mean | {"lam": 0.8, "D": 1}
            preempt: replace | request_time: 1s
        aoi | mm1_loss | aoi_mean | {"lam": 0.5, "mu": 1, "p": 0.125}
            loss: 0.125
        aoi | multi_mm1 | aoi_mean_i | {"lam_i": 0.25, "lam_other": 0.125, "service": {"dist": "exp", "rate": 1}}
            count: 2 | refresh: {exponential: {mean: 4s}} | refresh: {exponential: {mean: 8s}}
        queue | mmc | C | {"lam": 1.6, "mu": 1, "c": 2}
            streams: 2 | wait_over: [0s]
        queue | mg1 | Wq | {"lam": 0.8, "service": {"dist": "const", "value": 1}}
            request_time: 1s
        queue | erlang_b | P_block | {"a": 5, "c": 3}
            streams: 3 | queue_limit: 0
        queue | mmck | P_loss | {"lam": 6, "mu": 1, "c": 5, "K": 20}
            streams: 5 | queue_limit: 15
        queue | erlang_a | P_abandon | {"lam": 12, "mu": 1, "theta": 0.5, "c": 10}
            patience: {exponential: {mean: 20s}} | request_time: {exponential: {mean: 10s}}
        queue | mm1_d | P_drop | {"lam": 0.8, "mu": 1, "tau": 3}
            patience: 3s
        queue | retrial | E_orbit | {"lam": 0.5, "mu": 1, "theta": 0.25}
            queue_limit: 0 | requeue_after: {exponential: {mean: 4s}}
        queue | prio_np | Wq_class1 | {"lam": [0.2, 0.6], "mu": 1}
            rank: 1 | preempt: none | count: 2
        queue | prio_pr | W_class0 | {"lam": [0.2, 0.6], "D": 1}
            preempt: resume | request_time: 1s
        queue | mtminf | E_live_instances(t) | {"lbar": 100, "amp": 60, "period": 24, "mean": 0.5, "t": 6}
            rate_interval: 5m | window: 6h | duration: {exponential: {mean: 30m}}
        queue | tb_fluid | P_accept | {"lam": 0.9, "r": 1, "B": 3}
            burst: 3 | refill: continuous | excess: drop
        queue | tb_drip | P_accept | {"lam": 0.9, "r": 1, "B": 3}
            refill: whole | excess: drop
        queue | tb_shaper | P_no_delay | {"lam": 0.9, "r": 1, "B": 3}
            excess: wait | wait_over: [0s]
        retry | n_retries | success | {"f": 0.25, "N": 3}
            attempts: 4 | share: 0.25 | kind: apns_silent
        retry | retry_bucket | load
            {"f": 0.5, "cap_tenths": 50, "deposit_tenths": 1, "cost_tenths": 10, "strict": true}
            capacity: 5 | per_push: 0.1 | reserve: 0.001
        metastable | m1_fifo | goodput_fraction_late | {"lam": 140, "mu": 300, "tau": 1, "attempts": 2, "outage": 10}
            kind: apns_capacity | factor: 0 | order: fifo | attempts: 2
        metastable | m1_policy | goodput_fraction_late
            {"policy": "budget 10% (cap 20)", "lam": 270, "mu": 300, "tau": 1, "attempts": 2, "outage": 10, "T": 300}
            capacity: 20 | per_push: 0.1
        metastable | m2_monitor_storm | stale_fraction_last_10_min_of_1h
            {"N": 2000, "C": 40, "T": 60, "TTL": 90, "S": 30, "h": 30, "outage": 50, "coalesce": true, "kill": 60}
            kind: sender_paused | coalesce: true | recovery_window: 1m | request_time: 25ms
        """#
        .split(separator: /\n(?! )/)
        .map(Model.init)

    @Test(
        "A model determines lines of its scenario, whose file reads back as the same scenario",
        .enabled(if: Loop.isFull),
        arguments: models
    )
    func translates(_ model: Model) throws {
        let text = try #require(try Verification.of(model.json).scenarioFile(of: "A"))
        for line in model.lines {
            // Within a line or as a whole line: sections are blocks, small ones are in braces.
            #expect(text.contains(line), "\(line) is missing")
        }
        let read = try ScenarioReader.read(yaml: text, named: "a.yaml").scenario
        let known = try Case.read(model.json)
        guard case .estimate(var experiment) = Translator.translate(known, file: "").translation else {
            Issue.record("it is no estimate")
            return
        }
        #expect(text.hasSuffix(ScenarioWriter.resolvedYAML(read)))
        // It is displayed with its first seed.
        experiment.scenario.seed = known.seed(0)
        // The translation has nothing that the file cannot state.
        #expect(ScenarioWriter.resolvedYAML(experiment.scenario) == ScenarioWriter.resolvedYAML(read))
    }

    private func reason(_ json: String) throws -> String? {
        let known = try Case.read(json)
        switch Translator.translate(known, file: "").translation {
        case .notExpressible(let reason), .notUsed(let reason): return reason
        default: return nil
        }
    }

    @Test("An unknown model, group, quantity or parameter has no translation", arguments: models)
    func unknown(_ model: Model) throws {
        #expect(
            try reason(Case.json(model.group, "other", model.quantity, model.parameters))
                == "the model other is unknown"
        )
        #expect(
            try reason(Case.json("other", model.name, model.quantity, model.parameters)) == "the group other is unknown"
        )
        #expect(
            try reason(Case.json(model.group, model.name, "other", model.parameters))
                == "the quantity \"other\" is not measured for the model \(model.name)"
        )
        let more = model.parameters.dropLast() + ", \"wind\": 3}"
        #expect(
            try reason(Case.json(model.group, model.name, model.quantity, String(more)))
                == "the parameter wind has no meaning for the model \(model.name)"
        )
    }

    @Test(
        "Hostile parameters are rejected or have a translation, but never cause a trap",
        .enabled(if: Loop.isFull),
        arguments: models,
        ["-1", "0", "1e-9", "0.999999999", "1e9", "1e300", "\"1/0\"", "[]", "{}", "null"]
    )
    func hostile(_ model: Model, value: String) throws {
        for (start, end) in Self.values(of: model.parameters) {
            let parameters = model.parameters.replacingCharacters(start..<end, with: value)
            let known = try Case.read(Case.json(model.group, model.name, model.quantity, parameters))
            let (_, diagnostics) = Translator.translate(known, file: "a.json")
            #expect(diagnostics.allSatisfy { $0.line > 0 && $0.message.hasPrefix("case A: ") })
        }
    }

    @Test(
        "For tokens found dead, a case counts those found by its own attempts, not those found by an end",
        arguments: [("0.7", "0.02", 3, "0.027168"), ("0.33", "0.12", 4, "0.242265"), ("0.5", "0.1", 4, "0.1624")]
    )
    func deadTokens(delivered: String, dead: String, attempts: Int, exact: String) async throws {
        let tolerance = #"{"kind": "mc", "max_rel_half_width": 0.03}"#
        let parameters = #"{"q": "\#(delivered)", "g": "\#(dead)", "R": \#(attempts)}"#
        let verification = try Verification.of(
            Case.json("monitor", "monitor_410", "P_token_dead", parameters, exact: exact, tolerance: tolerance)
        )
        let judgement = try await verification.run(seeds: 20, jobs: 2) { _, _ in }[0]
        #expect(judgement.verdict == .pass, "\(judgement.remark)")
    }

    @Test("A time in a queue is not biased in a short run, at whose end the longest times are still in progress")
    func shortQueues() async throws {
        let known = try Case.read(
            Case.json("queue", "mmck", "W_accepted", #"{"lam": 18, "mu": 1, "c": 20, "K": 25}"#, exact: "1.04663294342")
        )
        guard case .estimate(let experiment) = Translator.translate(known, file: "").translation else {
            Issue.record("it is no estimate")
            return
        }
        var scenario = experiment.scenario
        // Six mean service times; the requests in progress at their end would be a sixth of the result.
        let shortened = scenario.clock.warmUp + TimeSpan.seconds(60)
        scenario.clock.duration = shortened
        scenario.clock.window = shortened
        let estimator = Estimator(
            world: try ScenarioLoader.world(scenario),
            response: experiment.response,
            relativeHalfWidth: 0.02,
            seeds: Array(1...10),
            replications: 40,
            jobs: 2
        )
        let interval = try #require(try await estimator.run().interval)
        #expect((interval.mean - 1.04663294342).magnitude < 2 * interval.halfWidth, "\(interval)")
    }

    @Test("A system that no scenario can state is not expressible")
    func outOfRange() throws {
        let verification = try Verification.of(
            Case.json("queue", "mmc", "Wq", #"{"lam": 0.999999999, "mu": 1, "c": 1}"#)
        )
        #expect(verification.scenarioFile(of: "A") == nil)
    }

    /// The ranges of the values in an object of plain values, including nested objects.
    private static func values(of json: String) -> [(String.Index, String.Index)] {
        json.matches(of: /": ("[^"]*"|[0-9.\/]+)/).map { ($0.output.1.startIndex, $0.output.1.endIndex) }
    }

    @Test(
        "Systems without a steady state cannot be estimated",
        arguments: [
            #"queue | mmc | Wq | {"lam": 2, "mu": 1, "c": 2}"#,
            #"queue | prio_np | Wq_class0 | {"lam": [0.5, 0.5], "mu": 1}"#,
            #"queue | tb_shaper | E_delay | {"lam": 1, "r": 1, "B": 3}"#,
            #"aoi | fcfs_gg1 | aoi_mean | {"arrival": {"dist": "exp", "rate": 1}, "service": {"dist": "exp", "rate": 1}}"#,
        ]
        .map { Model($0[...]) }
    )
    func noSteadyState(_ model: Model) throws {
        #expect(try reason(model.json) == "a queue without limit has no steady state at a load of one or more")
    }

    @Test("Blocks of the generators in use pass or fail; others are not used")
    func generators() async throws {
        // Random123's known answers for zeroes.
        let right = #"[{"ctr": ["0", "0"], "key": ["0"], "out": ["ca00a0459843d731", "66c24222c9a845b5"]}]"#
        let wrong = right.replacing("45b5", with: "45b6")
        func judgement(_ model: String, _ exact: String) async throws -> Judgement {
            let vector = Case.json("rng", model, exact: exact, tolerance: #"{"kind": "vector"}"#)
            return try await Verification.of(vector).run(seeds: 2, jobs: 1) { _, _ in }[0]
        }
        #expect(try await judgement("philox2x64-10", right).verdict == .pass)
        #expect(try await judgement("philox2x64-10", wrong).verdict == .fail)
        #expect(try await judgement("philox2x64-7", right).verdict == .fail)
        #expect(try await judgement("philox2x64-10", "[]").verdict == .notExpressible)
        #expect(try await judgement("pcg32", right).verdict == .notUsed)
    }
}

extension String {
    fileprivate func replacingCharacters(_ range: Range<Index>, with text: String) -> String {
        String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
    }
}
