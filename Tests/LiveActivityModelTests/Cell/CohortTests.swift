import ModelChecks
import Quantities
import SimulationKernel
import Studies
import Testing

@testable import LiveActivityModel

/// Shares of the fleet with values of their own.
@Suite("Cohorts")
struct CohortTests {
    /// About a hundred rides of 40 s and 60 s, half of them in a cohort whose content lives longer and whose riders swipe.
    private static func day(
        share: Double = 0.5,
        _ change: (inout Scenario) -> Void = { scenario in
            scenario.content.ttl = .seconds(90)
            scenario.devices.swipe.share = Probability(0.5)
            scenario.devices.swipe.after = .constant(20e6)
            scenario.monitor.freshLimit = .seconds(5)
        }
    ) -> Scenario {
        var scenario = Scenario.ride(40, 60)
        scenario.clock.duration = .hours(1)
        scenario.clock.drain = .minutes(10)
        scenario.rides.arrivals.process = .poisson
        scenario.rides.arrivals.ratesPerHour = [100]
        scenario.apns.latency = .seconds(2)
        scenario.apns.loss = Probability(0.25)
        scenario.content.ttl = .seconds(20)
        var own = scenario
        change(&own)
        var cohort = Scenario.Cohort(name: "new", share: Probability(share))
        cohort.sections = Scenario.Cohort.Sections(own)
        scenario.cohorts = [cohort]
        return scenario
    }

    @Test(
        "If all rides belong to a cohort, its values might as well be the scenario's",
        arguments: Speculation.allCases
    )
    func whole(speculation: Speculation) throws {
        let divided = Self.day(share: 1)
        let plain = divided.scenario(ofCohort: 1)
        let first = FinishedCell(try ScenarioLoader.world(divided), ride: nil, speculation: speculation)
        let second = FinishedCell(try ScenarioLoader.world(plain), ride: nil, speculation: speculation)
        #expect(first.fingerprint == second.fingerprint)
        #expect(first.measurements.counters == second.measurements.counters)
        for total in Total.allCases {
            #expect(first.measurements.parts(of: total) == second.measurements.parts(of: total), "\(total)")
        }
    }

    @Test("A cohort's rides are the same beside any others, if nothing that they share is short")
    func independence() throws {
        let base = Self.day()
        // The cohort keeps its values, and all other rides get them.
        var other = base.scenario(ofCohort: 1)
        other.cohorts = [Scenario.Cohort(name: "new", share: Probability(0.5))]
        let (first, second) = (try FinishedCell(base).measurements, try FinishedCell(other).measurements)
        for total in [Total.rideTime, .displayedTime, .displayedFreshTime, .wrongStageTime] {
            let (ours, theirs) = (first.all(total, in: .cohort(1)), second.all(total, in: .cohort(1)))
            #expect(ours == theirs)
            #expect(ours > 0)
        }
        #expect(first.age(in: .cohort(1)) == second.age(in: .cohort(1)))
        #expect(first.all(.displayedFreshTime, in: .cohort(0)) < second.all(.displayedFreshTime, in: .cohort(0)))
        let rides = [FleetPart.cohort(0), .cohort(1)].map { first.total(.ridesRequested, in: $0) }
        #expect(rides.reduce(0, +) == first[.ridesRequested])
        #expect(rides.allSatisfy { $0 > 25 })
    }

    @Test("The schedules have the same history, whichever cohort a step turns to", arguments: [0.0, 0.3, 0.5])
    func schedules(share: Double) throws {
        var scenario = Self.day(share: share)
        scenario.sender.connections = 1
        scenario.sender.streams = 1000
        let world = try ScenarioLoader.world(scenario)
        let all = Speculation.allCases.map { FinishedCell(world, ride: nil, speculation: $0) }
        #expect(Set(all.map(\.fingerprint)).count == 1)
        #expect(all.allSatisfy { $0.measurements == all[0].measurements })
    }

    /// The values of the scenario itself concern no ride here, so an event that forgot to turn to a cohort would show.
    @Test("It does not matter which rides have the scenario's values", arguments: Speculation.allCases, [0, 1, 2])
    func roles(speculation: Speculation, congestion: Int) throws {
        var base = Self.day { own in
            own.content.ttl = .seconds(90)
            own.content.payload.photoPolicy = .always
            own.devices.swipe.share = Probability(0.5)
            own.devices.swipe.after = .constant(20e6)
            own.monitor.retry.maxAttempts = 1
        }
        if congestion > 0 {
            base.sender.connections = 1
            base.sender.streams = 1
            base.sender.queueLimit = 1
            base.sender.preempt = congestion == 1 ? .replace : .none
            base.sender.requestTime = .constant(12e6)
        }
        var swapped = base
        var others = Scenario.Cohort(name: "old", share: Probability(0.5))
        others.sections = Scenario.Cohort.Sections(base)
        swapped.cohorts.append(others)
        swapped.content.ttl = .seconds(3)
        swapped.content.payload.photoPolicy = .untilProven
        swapped.devices.swipe.share = Probability(1)
        swapped.devices.activitiesEnabled = .never
        swapped.monitor.enabled = false
        let (first, second) = (
            FinishedCell(try ScenarioLoader.world(base), ride: nil, speculation: speculation),
            FinishedCell(try ScenarioLoader.world(swapped), ride: nil, speculation: speculation)
        )
        #expect(first.fingerprint == second.fingerprint)
        #expect(first.measurements.counters == second.measurements.counters)
        let crowdedOut: [Counter] = [.pushesOverQueueLimit, .pushesDisplaced, .requestsCancelled]
        #expect(crowdedOut.contains { first.measurements[$0] > 10 } == (congestion > 0))
        for (ours, theirs) in [(FleetPart.cohort(1), FleetPart.cohort(1)), (.cohort(0), .cohort(2))] {
            let times = (
                first.measurements.all(.displayedTime, in: ours), second.measurements.all(.displayedTime, in: theirs)
            )
            #expect(times.0 == times.1)
            #expect(times.0 > 0)
        }
    }

    @Test("A rollout changes the share of the rides that are requested from then on")
    func rollout() throws {
        var scenario = Self.day(share: 0)
        scenario.cohorts[0].rollout = [
            .init(at: .minutes(20), share: Probability(1)), .init(at: .minutes(40), share: .never),
        ]
        scenario.clock.window = .minutes(20)
        let measured = try FinishedCell(scenario).measurements
        let rides = (0..<3)
            .map { window in
                [FleetPart.cohort(0), .cohort(1)].map { measured[window, $0, .ridesRequested] > 0 }
            }
        #expect(rides == [[true, false], [false, true], [true, false]])
    }

    @Test("A ride stays in a cohort whose share grows")
    func growth() throws {
        let world = try ScenarioLoader.world(Self.day(share: 0.2))
        let larger = try ScenarioLoader.world(Self.day(share: 0.6))
        let random = world.scenario.randomSource(ofReplication: 0, seed: nil)
        let (few, many) = (world, larger)
        let members = (0..<2000 as Range<UInt64>)
            .map { ride in
                [few, many].map { $0.cohort(ofRide: ride, at: .start, random) == 1 }
            }
        #expect(members.allSatisfy { !$0[0] || $0[1] })
        // Binomial: five standard deviations.
        #expect(abs(members.count { $0[0] } - 400) < 90)
        #expect(abs(members.count { $0[1] } - 1200) < 110)
    }

    @Test(
        "The cohort of a segment is the remainder by the number of cohorts",
        arguments: 1...(Scenario.Cohort.most + 1)
    )
    func segments(count: Int) {
        let cohorts = SegmentCohorts(count: count)
        for segment in 0...255 as ClosedRange<UInt8> {
            #expect(cohorts[segment] == Int(segment) % count)
        }
    }

    @Test("A history names the cohort after the request")
    func story() throws {
        let scenario = Self.day(share: 1)
        let lines = try FinishedCell(scenario).story.map(\.words)
        #expect(lines.dropFirst().first?.hasSuffix("joined cohort 1") ?? false, "\(lines)")
    }

    /// One ride of 100 s, which belongs to the only cohort.
    private static func ride(_ change: (inout Scenario) -> Void, own: (inout Scenario) -> Void) -> Scenario {
        var scenario = Scenario.ride(100)
        change(&scenario)
        var values = scenario
        own(&values)
        var cohort = Scenario.Cohort(name: "new", share: .always)
        cohort.sections = Scenario.Cohort.Sections(values)
        scenario.cohorts = [cohort]
        return scenario
    }

    @Test("The error of the ETA in a cohort has the estimate and the card of that cohort")
    func eta() throws {
        let scenario = Self.ride {
            $0.content.updatesAt = [.seconds(25), .seconds(45)]
            $0.content.eta = Scenario.ETA()
        } own: {
            $0.content.eta?.drift = 0.1
            $0.content.eta?.timer = true
            $0.content.updatesAt = [.seconds(25)]
        }
        let measured = try FinishedCell(scenario).measurements
        // One second later in each step of 10 s. Until 25: 0, 1, 2; until 100: 0, 1, 2, 3, 4, 5, 6, 7. Sums: 20, 280.
        let error = measured.etaError(in: .cohort(1))
        #expect((error.mean ?? 0) * Double(error.time) / 1e12 == 300)
        #expect(measured.etaBias(in: .cohort(1)) == -300_000_000)
        #expect(measured.etaError(in: .cohort(0)).time == 0)
        #expect(measured.etaError() == error && measured.etaBias() == -300_000_000)
        #expect(measured.all(.barError, in: .cohort(1)) == measured[.barError])
    }

    @Test("The driver's photo is missing in a cohort until the push with it has arrived")
    func photos() throws {
        let scenario = Self.ride {
            $0.content.payload.bytes = .constant(1500)
            $0.content.payload.photoBytes = .constant(2000)
            $0.content.payload.photoStage = "s0"
            $0.content.updatesAt = [.seconds(30)]
            $0.devices.pictures = Scenario.Pictures()
            $0.apns.latency = .seconds(2)
        } own: {
            $0.content.updatesAt = [.seconds(40)]
        }
        let measured = try FinishedCell(scenario).measurements
        #expect(measured.all(.driverTime, in: .cohort(1)) == 100_000_000)
        #expect(measured.all(.photoMissingTime, in: .cohort(1)) == 42_000_000)
        #expect(measured.all(.driverTime, in: .cohort(0)) == 0)
        let parts = measured.parts(of: .photoTime)
        #expect(parts.reduce(0, +) == measured[.driverTime])
        let missing = DriverPhoto.allCases.filter { !$0.isShown }.map { parts[Int($0.rawValue)] }
        #expect(missing.reduce(0, +) == measured[.photoMissingTime])
    }

    @Test("Pushes per activity count the requests of a cohort's own activities")
    func pushesPerActivity() throws {
        let scenario = Self.ride {
            $0.content.updatesAt = [.seconds(30)]
        } own: {
            $0.content.updatesAt = [.seconds(30), .seconds(40), .seconds(50)]
        }
        let measured = try FinishedCell(scenario).measurements
        let totals = [Total.wholeLives, .requestsOfWholeLives, .cutLives]
        // Three updates and the end.
        #expect(totals.map { measured.all($0, in: .cohort(1)) } == [1, 4, 0])
        #expect(totals.map { measured.all($0, in: .cohort(0)) } == [0, 0, 0])
        let day = try FinishedCell(Self.day()).measurements
        for total in totals {
            #expect(day.all(total, in: .cohort(0)) + day.all(total, in: .cohort(1)) == day[total])
        }
        #expect(day.all(.requestsOfWholeLives, in: .cohort(0)) > 0)
    }

    @Test("A roll-back is a rollout from all rides to none: rides keep the values with which they began")
    func rollBack() throws {
        var scenario = Self.day(share: 1) { $0.content.ttl = .seconds(90) }
        scenario.rides.arrivals.ratesPerHour = [600]
        scenario.cohorts[0].rollout = [.init(at: .minutes(30), share: .never)]
        scenario.clock.window = .minutes(10)
        let rolledBack = try FinishedCell(scenario).measurements
        scenario.cohorts[0].rollout = []
        let kept = try FinishedCell(scenario).measurements
        func fresh(_ measured: Measurements, _ windows: Range<Int>, _ part: FleetPart) -> Int64 {
            windows.reduce(0) { $0 + measured[$1, part, .displayedFreshTime] }
        }
        // Before the step, both are the same, and no ride has the old values.
        #expect(fresh(rolledBack, 0..<3, .cohort(1)) == fresh(kept, 0..<3, .cohort(1)))
        #expect(fresh(rolledBack, 0..<3, .cohort(0)) == 0)
        // A ride takes at most 100 s, so no ride of the cohort is left ten minutes later.
        #expect(fresh(rolledBack, 3..<4, .cohort(1)) > 0)
        #expect((4..<6).allSatisfy { rolledBack[$0, .cohort(1), .rideTime] == 0 })
        #expect((4..<6).allSatisfy { rolledBack[$0, .cohort(0), .rideTime] == kept[$0, .cohort(1), .rideTime] })
        #expect(fresh(rolledBack, 4..<6, .cohort(0)) < fresh(kept, 4..<6, .cohort(1)))
    }

    @Test("Cohorts divide each city")
    func cities() throws {
        var scenario = Self.day()
        scenario.rides.arrivals.cities = ["a", "b"].map { Scenario.City(name: $0, share: Probability(0.5)) }
        let measured = try FinishedCell(scenario).measurements
        for parts in [[FleetPart.city(0), .city(1)], [.cohort(0), .cohort(1)]] {
            let times = parts.map { measured.all(.displayedTime, in: $0) }
            #expect(times.reduce(0, +) == measured[.displayedTime])
            #expect(times.allSatisfy { $0 > 0 })
        }
        #expect(measured.segmentSeries.segmentCount == 4)
    }

    @Test("Random scenarios have cohorts with values of their own")
    func swarm() {
        let own = (0..<400 as Range<UInt64>)
            .flatMap { ScenarioSwarm.scenario(seed: $0).cohorts }
            .filter { !$0.settings.isEmpty && $0.sections != nil && $0.share != .never }
        #expect(own.count >= 10)
    }
}
