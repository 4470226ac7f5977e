import ModelChecks
import Quantities
import SimulationKernel
import Studies
import TestSupport
import Testing

@testable import LiveActivityModel
@testable import Verification

/// Every law at a small scale: that it holds, and that the check detects when it does not.
@Suite("Properties")
struct PropertyTests {
    // MARK: - Intervals

    @Test("Intervals cover the exact value, but not another value")
    func coverage() async throws {
        var system = IntervalCoverage.pushes
        system.scenario.setLength(.seconds(2300))
        var check = IntervalCoverage()
        check.systems = [system]
        check.seeds = 20
        check.replications = 6
        check.allowed = 0.8...1
        let outcome = try await check.outcome(jobs: 2)
        #expect(outcome.holds, "\(outcome.remark)")
        check.systems[0].exact *= 2
        #expect(try await !check.outcome(jobs: 2).holds)
    }

    @Test("The exact values are those of theory")
    func exactValues() {
        #expect(abs(IntervalCoverage.pushes.exact - 0.012) < 1e-12)
        #expect(abs(IntervalCoverage.queue(load: 0.8).exact - 4) < 1e-12)
    }

    @Test("Half-widths are inversely proportional to the root of the length, and depend on nothing else")
    func rootN() async throws {
        var check = RootN()
        check.seeds = 8
        check.replications = 5
        check.length = .seconds(100)
        check.allowed = 0.1...0.5
        let outcome = try await check.outcome(jobs: 2)
        #expect(outcome.holds, "\(outcome.remark)")
        check.factor = 1
        #expect(try await !check.outcome(jobs: 2).holds)
    }

    // MARK: - Histories

    @Test("One seed, one history; another seed, another history")
    func sameSeed() async throws {
        var check = SameSeed()
        check.scenario.clock.duration = .seconds(30)
        check.scenario.clock.drain = .minutes(5)
        check.jobs = [1, 4]
        let outcome = try await check.outcome()
        #expect(outcome.holds, "\(outcome.remark)")
        let world = try ScenarioLoader.world(check.scenario)
        check.scenario.apns.loss = Probability(0.5)
        let otherWorld = try ScenarioLoader.world(check.scenario)
        let one = try await RunEngine(world: world, replications: 1, jobs: 1).run(progress: RunProgress())
        let other = try await RunEngine(world: otherWorld, replications: 1, jobs: 1).run(progress: RunProgress())
        #expect(SameSeed.outcome([one, one], other: other).holds)
        #expect(!SameSeed.outcome([one, other], other: other).holds)
        #expect(!SameSeed.outcome([one, one], other: one).holds)
    }

    @Test("Rides are isolated if the sender is ample, and are not if it has one stream")
    func isolation() async throws {
        var check = StreamIsolation()
        check.seeds = 2
        check.rides = 6
        let outcome = try await check.outcome(jobs: 2)
        #expect(outcome.holds, "\(outcome.remark)")
        check.scenario.sender.streams = 1
        check.scenario.sender.requestTime = .exponential(mean: 2e6)
        #expect(try await !check.outcome(jobs: 2).holds)
    }

    @Test("With more loss the delivered pushes are a subset, on every path")
    func monotoneLoss() async throws {
        var check = MonotoneLoss()
        check.paths = 8
        let outcome = try await check.outcome(jobs: 2)
        #expect(outcome.holds, "\(outcome.remark)")
        check.losses.reverse()
        #expect(try await !check.outcome(jobs: 2).holds)
        // The monitor closes the loop: its retries deliver content that less loss would not need.
        check.losses.reverse()
        check.scenario.monitor.enabled = true
        check.scenario.monitor.retry.maxAttempts = nil
        check.scenario.monitor.retry.backoff.base = .seconds(1)
        #expect(try await !check.outcome(jobs: 2).holds)
    }

    @Test("A path with an additional arrival, a repeated arrival, or longer freshness is detected")
    func paths() {
        func path(_ seconds: [Int64], fresh: Int64 = 0) -> MonotoneLoss.Path {
            .init(arrivals: seconds.map { .start + .seconds($0) }, fresh: fresh)
        }
        #expect(MonotoneLoss.violations([path([1, 2, 2, 3]), path([1, 2]), path([])]).isEmpty)
        #expect(MonotoneLoss.violations([path([1, 3]), path([2])]).count == 1)
        #expect(MonotoneLoss.violations([path([1, 2, 3]), path([2, 2])]).count == 1)
        #expect(MonotoneLoss.violations([path([1], fresh: 5), path([1], fresh: 6)]).count == 1)
    }

    // MARK: - Sums

    @Test("Everything adds up in random scenarios", .enabled(if: Loop.isFull))
    func conservation() async throws {
        var check = ConservationLaws()
        check.count = 60
        let outcome = try await check.outcome(jobs: 2)
        #expect(outcome.holds, "\(outcome.remark)")
        #expect(!outcome.remark.hasSuffix("with 0 pushes"))
    }

    @Test(
        "One additional push anywhere is detected",
        arguments: [
            .updatesSent, .retriesSent, .endsSent, .startsSent, .fateShown, .fateLost, .inFlightAtHorizon,
            .pushesOffered, .queuedAtHorizon, .pushesAbandonedUnsent,
        ] as [Counter]
    )
    func oneTooMany(counter: Counter) async throws {
        let scenario = Scenario.bare("nothing")
        let world = try ScenarioLoader.world(scenario)
        var run = try await Estimator.measurements(of: world, seed: 1, replication: 0)
        #expect(Invariants.violations(of: run, scenario: scenario).isEmpty)
        run.counters[counter.rawValue] += 1
        #expect(!Invariants.violations(of: run, scenario: scenario).isEmpty)
    }

    @Test("Time integrals equal the sums of stays, unless the run is truncated or a stay is omitted")
    func little() async throws {
        var check = LittlesLaw()
        check.seeds = 3
        let outcome = try await check.outcome(jobs: 2)
        #expect(outcome.holds, "\(outcome.remark)")
        let whole = check.scenario
        check.scenario.clock.drain = .zero
        #expect(try await !check.outcome(jobs: 2).holds)
        // A push whose patience ends has been in the queue, and has no response.
        check.scenario = whole
        check.scenario.sender.patience = .constant(10e6)
        #expect(try await !check.outcome(jobs: 2).holds)
    }

    // MARK: - Queues

    @Test("Poisson arrivals see time averages, and regular ones do not")
    func pasta() async throws {
        var check = PoissonArrivals()
        check.systems = [(servers: 2, load: 0.5)]
        check.seeds = 8
        let outcome = try await check.outcome(jobs: 2)
        #expect(outcome.holds, "\(outcome.remark)")
        check.gap = { .constant($0) }
        #expect(try await !check.outcome(jobs: 2).holds)
    }

    @Test("Only the mean of the service matters, not its shape")
    func insensitivity() async throws {
        var check = Insensitivity()
        check.services = [{ .exponential(mean: $0) }, { .constant($0) }]
        check.seeds = 4
        check.rideSeeds = 2
        check.windows = 10
        let outcome = try await check.outcome(jobs: 2)
        #expect(outcome.holds, "\(outcome.remark)")
        check.services[1] = { .constant($0 * 2) }
        let other = try await check.outcome(jobs: 2)
        #expect(!other.holds)
    }

    // MARK: - Draws

    @Test("Draws have their distribution, and no other")
    func distributions() async throws {
        var check = DistributionTests()
        check.subjects.removeAll {
            !["exponential", "quantiles", "mixture of constants", "empirical"].contains($0.name)
        }
        check.seeds = 5
        check.draws = 2000
        let outcome = try await check.outcome(jobs: 2)
        #expect(outcome.holds, "\(outcome.remark)")
        let exponential = Distribution.exponential(mean: 1e10)
        check.subjects = [.init("too heavy", .weibull(shape: 0.8, scale: 1e10), against: exponential)]
        #expect(try await !check.outcome(jobs: 2).holds)
        let even = (0..<5000).map { Int64($0 / 1000) }
        let values = Distribution.empirical(EmpiricalValues(file: "", column: "", sorted: even))
        check.subjects = [
            .init(
                "other weights",
                values,
                against: .mixture([
                    .init(weight: 2, distribution: .constant(0)), .init(weight: 1, distribution: .constant(1)),
                    .init(weight: 1, distribution: .constant(2)), .init(weight: 1, distribution: .constant(3)),
                    .init(weight: 1, distribution: .constant(4)),
                ])
            )
        ]
        #expect(try await !check.outcome(jobs: 2).holds)
    }

    // MARK: - In cases

    private static func translate(_ model: String, params: String = "{}") throws -> Translation {
        let tolerance = #"{"kind": "meta"}"#
        let known = try Case.read(Case.json("meta", model, "rule", params, exact: "\"a law\"", tolerance: tolerance))
        return Translator.translate(known, file: "").translation
    }

    @Test("Every property is found by its name, and has no parameters", arguments: Property.all.map(\.name))
    func translation(name: String) throws {
        let found = if case .property(let found) = try Self.translate(name) { found } else { nil as Property? }
        #expect(found?.name == name)
        let other = try Self.translate(name, params: #"{"seeds": 3}"#)
        let isRefused = if case .notExpressible = other { true } else { false }
        #expect(isRefused)
    }

    @Test("An unknown property is not expressible")
    func unknown() throws {
        let isRefused = if case .notExpressible = try Self.translate("telepathy") { true } else { false }
        #expect(isRefused)
    }
}
