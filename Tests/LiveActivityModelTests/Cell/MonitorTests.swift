import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@Suite("The monitor in a cell")
struct MonitorTests {
    /// A long ride without updates: its first content lapses at 60 s.
    private static func silent(_ retries: [Int64], count: Int = 1) -> Scenario {
        var scenario = Scenario.ride(1000).times(count)
        scenario.watch(retries: retries)
        return scenario
    }

    /// A long ride without updates, up to an instant [s].
    private static func silent(_ retries: [Int64], until end: Int64, count: Int = 1) -> Scenario {
        var scenario = silent(retries, count: count)
        scenario.clock.duration = .seconds(end)
        scenario.clock.drain = .zero
        return scenario
    }

    @Test("A successful retry ends the episode; the next begins when its content lapses")
    func recovery() throws {
        let cell = try FinishedCell(Self.silent([5, 20], until: 140))
        #expect(
            cell.log(.monitor, .request, .push) == [
                "60 class recoverable", "65 queued retry", "65 sent retry", "65 accepted retry",
                "65 recovered since 60",
                "65 retry shown", "125 class recoverable", "130 queued retry", "130 sent retry", "130 accepted retry",
                "130 recovered since 125", "130 retry shown",
            ]
        )
        #expect(cell.measurements.time(.recoverableTime) == 10_000_000)
        #expect(cell.measurements[.recoveryTime].sum == 10_000_000)
        #expect(cell[.episodesBegun] == 2)
        #expect(cell[.episodesRecovered] == 2)
    }

    @Test("Without a monitor nothing is retried, but the ride's end is sent")
    func disabled() throws {
        var scenario = Self.silent([0])
        scenario.monitor.enabled = false
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.monitor, .push) == ["1000 end ended"])
        #expect(cell.measurements.time(.recoverableTime) == 940_000_000)
        // The monitor did not notice the episode, but it counts: as cut short by the end of the ride.
        #expect(cell[.episodesBegun] == 1)
        #expect(cell[.episodesCutShort] == 1)
        #expect(cell[.episodesRecovered] == 0)
    }

    // MARK: - Belief and truth

    @Test("Acceptance counts as display: lost retries leave the screen silently stale")
    func silentStaleness() throws {
        var scenario = Self.silent([0], until: 200)
        scenario.apns.loss = .always
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.monitor) == [
                "60 class recoverable", "60 recovered since 60", "120 class recoverable", "120 recovered since 120",
                "180 class recoverable", "180 recovered since 180",
            ]
        )
        #expect(cell.measurements.time(.freshTime) == 200_000_000)
        #expect(cell.measurements.time(.displayedStaleTime) == 140_000_000)
        #expect(cell.measurements.time(.silentlyStaleTime) == 140_000_000)
    }

    @Test(
        "A screen is silently stale only from the lapse on, because before it the monitor would not call it stale either"
    )
    func silenceBeginsAtLapse() throws {
        var scenario = Self.silent([0], until: 100)
        scenario.monitor.freshLimit = .seconds(30)
        scenario.apns.loss = .always
        scenario.update(at: 20)
        // The screen's content is past its stale date from 60 and lapses at 90; the server believes in that of 20.
        let time = try FinishedCell(scenario).measurements.time(_:)
        #expect(time(.displayedStaleTime) == 40_000_000)
        #expect(time(.silentlyStaleTime) == 10_000_000)
    }

    @Test("A server that knows the screens is never silently wrong")
    func delivery() throws {
        var scenario = Self.silent([0, 20], until: 200)
        scenario.apns.loss = .always
        scenario.monitor.feedback = .delivery
        scenario.monitor.endSchedule = [.zero, .seconds(5)]
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.monitor, .push) == [
                "60 class recoverable", "60 retry lost", "80 retry lost", "160 class severe", "160 end lost",
                "165 end lost",
            ]
        )
        #expect(cell.measurements.time(.silentlyStaleTime) == 0)
        #expect(cell.measurements.time(.recoverableTime) == 100_000_000)
        #expect(cell.measurements.time(.severeTime) == 40_000_000)
        #expect(cell[.episodesEndedSevere] == 1)
        #expect(cell[.falseKills] == 0)
    }

    @Test("The monitor gives up on an instance with a fresh screen if no response comes")
    func falseKill() throws {
        var scenario = Self.silent([0])
        scenario.monitor.recoveryWindow = .seconds(50)
        scenario.sender.requestTime = .seconds(15)
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.monitor, .push, .activity) == [
                "0 started", "60 class recoverable", "60 retry shown", "110 class severe", "110 end ended",
                "110 ended: severe", "110 end reported",
            ]
        )
        #expect(cell[.falseKills] == 1)
        #expect(cell[.endedSevere] == 1)
    }

    // MARK: - Pauses and scans

    @Test("A paused monitor acts once after the pause")
    func paused() throws {
        var scenario = Self.silent([0, 20], until: 120)
        scenario.fail(.monitorPaused, from: 50, to: 90)
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.monitor) == ["90 class recoverable", "90 recovered since 60"])
        #expect(cell[.retriesSent] == 1)
        #expect(cell.measurements.time(.recoverableTime) == 30_000_000)
    }

    @Test("A monitor that is paused beyond the recovery window gives up afterwards")
    func pausedTooLong() throws {
        var scenario = Self.silent([0, 20])
        scenario.fail(.monitorPaused, from: 50, to: 161)
        #expect(
            try FinishedCell(scenario).log(.monitor, .request) == [
                "161 class recoverable", "161 class severe", "161 queued end", "161 sent end", "161 accepted end",
            ]
        )
    }

    @Test(
        "A monitor that scans acts at the first scan at or after each instant",
        arguments: [(phase: 0, at: 75), (phase: 10, at: 60), (phase: 11, at: 61), (phase: 9, at: 84)]
    )
    func scans(row: (phase: Int64, at: Int64)) throws {
        var scenario = Self.silent([0], until: 90)
        scenario.monitor.scanInterval = .seconds(25)
        scenario.monitor.scanPhase = .seconds(row.phase)
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.monitor) == ["\(row.at) class recoverable", "\(row.at) recovered since 60"])
        #expect(cell.measurements.time(.recoverableTime) == (row.at - 60) * 1_000_000)
    }

    @Test("An episode that no scan has noticed counts once it is over")
    func unnoticedEpisode() throws {
        var scenario = Self.silent([0], until: 90)
        scenario.monitor.scanInterval = .seconds(80)
        scenario.update(at: 70)
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.monitor) == ["70 recovered since 60"])
        #expect(cell[.episodesBegun] == 1)
        #expect(cell[.episodesRecovered] == 1)
        #expect(cell.measurements[.recoveryTime].sum == 10_000_000)
    }

    @Test("The end of a ride does not wait for a scan, even after a pause")
    func endWaitsForNoScan() throws {
        var scenario = Self.silent([0])
        scenario.rides.stages[0].duration = .seconds(55)
        scenario.monitor.scanInterval = .seconds(50)
        #expect(try FinishedCell(scenario).log(.push) == ["55 end ended"])
        scenario.fail(.monitorPaused, from: 50, to: 58)
        #expect(try FinishedCell(scenario).log(.push) == ["58 end ended"])
    }

    // MARK: - Limits

    @Test("A spent budget withholds retries")
    func budget() throws {
        var scenario = Self.silent([0, 20], until: 85, count: 3)
        scenario.apns.loss = .always
        scenario.monitor.feedback = .delivery
        scenario.monitor.retry.budget = Scenario.Budget()
        scenario.monitor.retry.budget?.capacity = 2
        scenario.monitor.retry.budget?.perSecond = 0.05
        // Two at 60, in the order of rides; by 80 one more has been added.
        let logs = try (UInt64(0)..<3).map { try FinishedCell(scenario, ride: $0).log(.monitor, .push) }
        #expect(logs[0] == ["60 class recoverable", "60 retry lost", "80 retry lost"])
        #expect(logs[1] == ["60 class recoverable", "60 retry lost", "80 retry withheld"])
        #expect(logs[2] == ["60 class recoverable", "60 retry withheld", "80 retry withheld"])
        let cell = try FinishedCell(scenario)
        #expect(cell[.retriesWithheld] == 3)
        #expect(cell[.retriesDecided] == 6)
        #expect(cell[.retriesSent] == 3 && cell[.retryRepeatsSent] == 0)
        #expect(cell[.retriesAccepted] == 3 && cell[.retriesRecovering] == 0)
    }

    @Test("A monitor that waits 15 minutes after a 503 gives up before", arguments: [true, false])
    func fifteenMinutes(isObeyed: Bool) throws {
        var scenario = Self.silent([0, 20], until: 170)
        scenario.monitor.retry.obeysFifteenMinutes = isObeyed
        scenario.fail(.apnsUnavailable, from: 50, to: 70)
        #expect(
            try FinishedCell(scenario).log(.monitor)
                == (isObeyed
                    ? ["60 class recoverable", "160 class severe"]
                    : [
                        "60 class recoverable", "80 recovered since 60", "140 class recoverable",
                        "140 recovered since 140",
                    ])
        )
    }

    @Test("Delivery confirms the content of the screen, even if the app was faster than the push")
    func alreadyShown() throws {
        var scenario = Scenario.ride(100)
        scenario.watch(retries: [])
        scenario.monitor.feedback = .delivery
        scenario.devices.localUpdates.enabled = true
        scenario.apns.latency = .seconds(2)
        scenario.update(at: 50)
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.push).first == "52 update older")
        // Content of the start would have lapsed at 60.
        #expect(cell.log(.monitor) == ["52 still fresh"])
    }

    @Test("Retries carry the priorities of the policy")
    func priorities() throws {
        var scenario = Self.silent([0, 10, 20], until: 90)
        scenario.monitor.retry.priorities = [.considerate, .immediate]
        scenario.apns.loss = .always
        scenario.monitor.feedback = .delivery
        #expect(
            try FinishedCell(scenario).log(.request).filter { $0.contains("sent") } == [
                "60 sent retry at 5", "70 sent retry", "80 sent retry",
            ]
        )
    }

    @Test("A retry without content counts as made")
    func noContent() throws {
        var scenario = Self.silent([0, 20], until: 100)
        scenario.fail(.contentDown, from: 50, to: 70)
        #expect(
            try FinishedCell(scenario).log(.monitor, .request).prefix(2) == [
                "60 class recoverable", "60 retry not sent: noContent",
            ]
        )
    }

    @Test("The ride's end closes an open episode")
    func cutShort() throws {
        var scenario = Self.silent([])
        scenario.rides.stages[0].duration = .seconds(70)
        let cell = try FinishedCell(scenario)
        #expect(cell[.episodesBegun] == 1)
        #expect(cell[.episodesCutShort] == 1)
        #expect(cell.log(.push) == ["70 end ended"])
    }
}
