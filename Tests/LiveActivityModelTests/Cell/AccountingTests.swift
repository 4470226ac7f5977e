import Quantities
import SimulationKernel
import Testing

@testable import LiveActivityModel

@Suite("Accounting")
struct AccountingTests {
    private static func windowed() -> Scenario {
        var scenario = Scenario.ride(40, 60)
        scenario.clock.duration = .seconds(200)
        scenario.clock.drain = .zero
        scenario.clock.window = .seconds(30)
        scenario.watch(retries: [15])
        scenario.apns.loss = .always
        scenario.apns.script = [.delivered(after: .zero), .lost, .delivered(after: .seconds(2))]
        scenario.monitor.feedback = .delivery
        scenario.content.ttl = .seconds(35)
        return scenario
    }

    @Test("Times are split exactly at windows, stale dates and stage changes")
    func times() throws {
        // The screen: content of 0 until 40, then content of 40 until the ride's end at 100; the end arrives at 102.
        // Stale dates at 35 and 75; a retry at 90 is lost.
        let measurements = try FinishedCell(Self.windowed()).measurements
        func column(_ column: SeriesColumn) -> [Int64] {
            (0..<7).map { measurements.series[$0, column] / 1_000_000 }
        }
        #expect(column(.displayedTime) == [30, 30, 30, 12, 0, 0, 0])
        #expect(column(.displayedFreshTime) == [30, 25, 15, 0, 0, 0, 0])
        #expect(column(.displayedStaleTime) == [0, 5, 15, 12, 0, 0, 0])
        #expect(column(.monitoredTime) == [30, 30, 30, 10, 0, 0, 0])
        #expect(column(.freshTime) == [30, 25, 15, 0, 0, 0, 0])
        #expect(column(.recoverableTime) == [0, 5, 15, 10, 0, 0, 0])
        #expect(measurements.parts(of: .displayedTime).map { $0 / 1_000_000 } == [40, 60, 2])
        #expect(measurements.parts(of: .displayedFreshTime).map { $0 / 1_000_000 } == [35, 35, 0])
        #expect(measurements[.populationTime] == 102_000_000)
        #expect(measurements[.population] == 1)
        #expect(measurements[.lifetime].sum == 102_000_000)
        #expect((0..<7).map { measurements.series[$0, .updatesShown] } == [0, 1, 0, 0, 0, 0, 0])
    }

    @Test("The age is a sawtooth, measured without sampling")
    func age() throws {
        let measurements = try FinishedCell(Self.windowed()).measurements
        // Teeth from 0 to 40 s and from 0 to 62 s.
        #expect(measurements.age.time == 102_000_000)
        #expect(measurements.age.mean == Double(40 * 40 + 62 * 62) / 2 / 102 * 1e6)
        #expect(measurements[.peakAge].count == 1)
        #expect(measurements[.peakAge].sum == 40_000_000)
    }

    @Test("A tooth is split where the stage changes, and exceeds a threshold for the exact time")
    func ageByStage() throws {
        var scenario = Self.windowed()
        scenario.measure.ageOver = [.seconds(30), .seconds(50), .seconds(70)]
        let measurements = try FinishedCell(scenario).measurements
        // Teeth: 0 to 40 s in the first stage, 0 to 60 s in the second, 60 to 62 s after the ride.
        #expect(measurements.ageByStage.map(\.time) == [40_000_000, 60_000_000, 2_000_000])
        #expect(measurements.ageByStage.map(\.mean) == [20e6, 30e6, 61e6])
        #expect(measurements.parts(of: .peakAge).map(\.count) == [0, 1, 0])
        // Above each threshold, during the ride and after it.
        #expect(measurements.parts(of: .timeOverAge) == [40_000_000, 2_000_000, 10_000_000, 2_000_000, 0, 0])
    }

    @Test("Each activity has a mean and a largest age over its own time")
    func activityAges() throws {
        var scenario = Self.windowed()
        scenario.measure.ageOver = [.seconds(50)]
        scenario.rides.arrivals.count = 2
        scenario.rides.arrivals.spread = .zero
        let measurements = try FinishedCell(scenario).measurements
        // Two alike, each with 102 s on the screen.
        let mean = (40 * 40 + 62 * 62) / 2.0 / 102 * 1e6
        #expect(measurements[.activityAgeMean].count == 2)
        #expect(measurements[.activityAgeMean].sum == 2 * Int64(mean.rounded()))
        #expect(measurements[.activityPeakAge].sum == 124_000_000)
        #expect(measurements.activityAgeShares.map(\.count) == [2])
        #expect(abs(measurements.activityAgeShares[0].total - 2 * 12.0 / 102) < 1e-9)
    }

    @Test("Means over activities weigh activities, not time")
    func weights() throws {
        // One activity of 10 s, and one that nothing ends until the horizon at 1000 s; neither is ever updated.
        var scenario = Scenario.ride(10).times(2)
        scenario.clock.duration = .seconds(1000)
        scenario.clock.drain = .zero
        scenario.rides.arrivals.spread = .seconds(1800)
        scenario.measure.ageOver = [.seconds(5)]
        let measurements = try FinishedCell(scenario).measurements
        // At 0 and at 900 s, each with 10 s on the screen.
        #expect(measurements[.activityAgeMean].count == 2)
        var long = scenario
        long.faults = [Scenario.Fault(kind: .apnsSilent, at: .seconds(905), duration: .seconds(95))]
        let mixed = try FinishedCell(long).measurements
        // Now the second stays until the horizon: 10 s and 100 s.
        #expect(mixed.time(.displayedTime) == 110_000_000)
        #expect(mixed.parts(of: .timeOverAge) == [10_000_000, 90_000_000])
        #expect(abs(mixed.activityAgeShares[0].total - (0.5 + 0.95)) < 1e-9)
        #expect(mixed[.activityAgeMean].sum == 5_000_000 + 50_000_000)
    }

    @Test("The level of a window is the level before the events of its first instant")
    func levels() throws {
        // On the screen from 0 until 102 s; a second one from 30 s, exactly the start of a window.
        var scenario = Self.windowed()
        scenario.rides.arrivals.count = 2
        scenario.rides.arrivals.spread = .seconds(60)
        let series = try FinishedCell(scenario).measurements.series
        #expect((0..<7).map { series[$0, .liveAtStart] } == [0, 1, 2, 2, 1, 0, 0])
        scenario.clock.warmUp = .seconds(45)
        let measured = try FinishedCell(scenario).measurements
        // The measurement of the second window begins at 45 s.
        #expect((0..<7).map { measured.series[$0, .liveAtStart] } == [0, 2, 2, 2, 1, 0, 0])
        #expect(measured[.liveAtWarmUp] == 2)
    }

    @Test("The warm-up is excluded from everything")
    func warmUp() throws {
        var scenario = Self.windowed()
        scenario.clock.warmUp = .seconds(50)
        let cell = try FinishedCell(scenario)
        let measurements = cell.measurements
        #expect(measurements.time(.displayedTime) == 52_000_000)
        #expect(measurements.time(.displayedFreshTime) == 25_000_000)
        #expect(measurements.time(.freshTime) == 25_000_000)
        #expect(measurements.time(.recoverableTime) == 25_000_000)
        #expect(measurements[.populationTime] == 52_000_000)
        #expect(measurements.age.time == 52_000_000)
        #expect(measurements.age.mean == Double(62 * 62 - 10 * 10) / 2 / 52 * 1e6)
        #expect(measurements[.peakAge].count == 0)
        #expect(cell[.activitiesStarted] == 0)
        #expect(cell[.updatesSent] == 0)
        #expect(cell[.fateShown] == 0)
        #expect(cell[.retriesSent] == 1)
        #expect(cell[.endedRideOver] == 1)
    }

    @Test("Pushes and activities that are not finished at the horizon are counted as such")
    func horizon() throws {
        var scenario = Scenario.ride(1000).times(4)
        scenario.clock.duration = .seconds(100)
        scenario.clock.drain = .zero
        scenario.watch(retries: [])
        scenario.sender.streams = 2
        scenario.sender.requestTime = .seconds(50)
        scenario.sender.timeout = .seconds(60)
        scenario.apns.latency = .seconds(70)
        scenario.update(at: 80)
        let cell = try FinishedCell(scenario)
        #expect(cell[.liveAtHorizon] == 4)
        #expect(cell[.inFlightAtHorizon] == 2)
        #expect(cell[.queuedAtHorizon] == 2)
        #expect(cell[.episodesAtHorizon] == 4)
        #expect(cell.leftOver.unanswered == 2)
        #expect(cell.measurements.time(.displayedTime) == 400_000_000)
    }

    @Test("The peak of activities is at least what was on screens when the warm-up ended")
    func peakAtWarmUp() throws {
        var scenario = Scenario.ride(100).times(3)
        scenario.clock.duration = .seconds(60)
        scenario.clock.warmUp = .seconds(50)
        #expect(try FinishedCell(scenario).measurements[.population] == 3)
    }
}
