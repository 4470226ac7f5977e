import Evaluation
import LiveActivityModel
import Quantities
import Results
import SimulationKernel
import TestSupport
import Testing

@testable import Reporting

@Suite("Depth and recovery of a fault")
struct FaultRecoveryTests {
    /// Two hours of rides in windows of five minutes.
    private static func scenario(_ faults: [Scenario.Fault]) -> Scenario {
        var scenario = Scenario.oneRide
        scenario.clock.duration = .hours(2)
        scenario.rides.arrivals.count = 240
        scenario.rides.arrivals.spread = .hours(2)
        scenario.faults = faults
        return scenario
    }

    private static func silent(_ minutes: Int64, at begin: Int64 = 40) -> Scenario.Fault {
        Scenario.Fault(kind: .apnsSilent, at: .minutes(begin), duration: .minutes(minutes))
    }

    private func minute(_ number: Int64) -> Instant { .start + .minutes(number) }

    @Test("Before, lowest and recovered values are the run's windows, and the report states their width")
    func recovery() async throws {
        // Due updates follow at the end of the pause: no card is left over.
        let pause = Scenario.Fault(kind: .senderPaused, at: .minutes(40), duration: .minutes(10))
        let result = try await RunResult.running(Self.scenario([pause]))
        let recovery = try #require(FaultRecovery.all(in: result).first)
        let steps = TimeSteps(result, windowsPerStep: 1).steps
        func share(_ minutes: Range<Int64>) -> Double {
            let inside = steps.filter {
                $0.from >= minute(minutes.lowerBound) && $0.until <= minute(minutes.upperBound)
            }
            let fresh = inside.reduce(0) { $0 + $1[.rideDisplayedFreshTime] }
            return Double(fresh) / Double(inside.reduce(0) { $0 + $1[.rideDisplayedTime] })
        }
        #expect(recovery.before == share(10..<40))
        let lowest = try #require(recovery.lowest)
        #expect(lowest.from == minute(40) && lowest.until == minute(45) && lowest.share == share(40..<45))
        #expect(recovery.end == .back(by: minute(55)))
        let text = Report(result).blocks.markdown
        #expect(text.contains("| fault         | time of day    |   before | lowest 5 min |"), "\(text)")
        #expect(text.contains("| sender paused | 12:40 to 12:50 |"))
        #expect(text.contains(" | 12:40 to 12:45 | by 12:55, within 5 min of its end | "), "\(text)")
        let sentence = try #require(FaultRecovery.sentences(of: result).first)
        #expect(sentence.hasPrefix("sender paused, 12:40 to 12:50: fresh on phones during rides "))
        // The curve of the report is of all screen time, so its lowest value is stated too.
        let drawn = try #require(
            TimeSteps(result, windowsPerStep: 1).steps.filter { $0.until > minute(40) && $0.from <= minute(80) }
                .compactMap { $0.share(.displayedFreshTime, of: .displayedTime) }.min()
        )
        let suffix = ", \(Format.percent(drawn)) with leftover cards; back: by 12:55, within 5 min of its end."
        #expect(sentence.hasSuffix(" at the lowest (12:40 to 12:45)\(suffix)"), "\(sentence)")
        #expect(recovery.lowestOnScreens == drawn && drawn < lowest.share)
        // The directory of the run gives the same sentence.
        let scratch = Scratch()
        for file in RunFiles(result).files { try scratch.write(file.text, to: "run/\(file.path)") }
        #expect(FaultRecovery.sentences(of: try RecordedResults(directory: scratch.path("run"))) == [sentence])
    }

    @Test("The sections on faults and on capacity agree about one outage")
    func capacity() async throws {
        var scenario = Self.scenario([Self.silent(10)])
        scenario.sender.connections = 1
        scenario.sender.streams = 2
        let result = try await RunResult.running(scenario)
        let fault = try #require(FaultRecovery.all(in: result).first)
        let queue = try #require(Congestion.worstFirst(Congestion.all(in: result)).first)
        #expect(fault.before == queue.dip.before && fault.lowest == queue.dip.lowest && fault.end == queue.dip.end)
        guard case .back(by: let instant) = fault.end else {
            Issue.record("\(fault.end)")
            return
        }
        // No window is over before its end.
        #expect(instant > minute(50))
    }

    @Test("Several replications count together, and the sentence says so")
    func replications() async throws {
        let result = try await RunResult.running(Self.scenario([Self.silent(10)]), replications: 2)
        let sentence = try #require(FaultRecovery.sentences(of: result).first)
        #expect(sentence.hasSuffix("; 2 replications together."), "\(sentence)")
        #expect(Report(result).blocks.markdown.contains("each a mean over its window, over all replications together."))
    }

    @Test("The sentence on capacity has both ends of an outage: in the slowest replication, and of all together")
    func bothEnds() async throws {
        var scenario = Self.scenario([Self.silent(10)])
        scenario.sender.connections = 1
        scenario.sender.streams = 2
        scenario.devices.connectivity.online = .exponential(mean: 600e6)
        scenario.devices.connectivity.offline = .exponential(mean: 60e6)
        let result = try await RunResult.running(scenario, replications: 3)
        let slowest = Congestion.all(in: result)
            .compactMap { if case .back(by: let end) = $0.dip.end { end } else { nil } }.max()
        guard case .back(by: let together) = try #require(FaultRecovery.all(in: result).first).end, let slowest else {
            Issue.record("no recovery")
            return
        }
        let clock = ClockTime(scenario)
        let words =
            "; screens during rides were as fresh as before by \(clock.short(slowest)) in the slowest replication, and by "
            + "\(clock.short(together)) with 3 replications together."
        let sentence = try #require(Congestion.sentences(of: result).first)
        #expect(sentence.hasSuffix(words), "\(sentence)")
        #expect(Report(result).firstLimit[0].hasSuffix(words), "\(Report(result).firstLimit)")
        #expect(Report(result).shortCapacityLine.hasSuffix(words))
    }

    @Test("A chart that ends before the recovery says when it is")
    func afterTheChart() async throws {
        func subtitle(_ faults: [Scenario.Fault]) async throws -> String {
            // Long subtitles have several lines.
            Chart.freshness(try await RunResult.running(Self.scenario(faults))).text.replacing(/",\s*"/, with: " ")
        }
        let late = try await subtitle([Self.silent(2, at: 116)])
        #expect(late.contains(#/; screens recovered after the end of this chart, by 14:[0-9]{2}/#), "\(late)")
        #expect(try await !subtitle([Self.silent(10)]).contains("recovered"))
        let never = try await subtitle([Self.silent(90)])
        #expect(never.contains("; screens had not recovered by the end of the run"), "\(never)")
    }

    @Test("No recovery by the end, a drop below one point, and no window before the fault")
    func ends() async throws {
        func ends(_ faults: [Scenario.Fault]) async throws -> [FreshnessDip.End] {
            FaultRecovery.all(in: try await RunResult.running(Self.scenario(faults))).map(\.end)
        }
        #expect(try await ends([Self.silent(90)]) == [.notBack])
        let paused = Scenario.Fault(kind: .monitorPaused, at: .minutes(40), duration: .minutes(1))
        let lost = Scenario.Fault(kind: .connectionLost, at: .minutes(40), duration: .minutes(9))
        #expect(try await ends([paused, lost]) == [.neverDown, .neverDown])
        #expect(try await ends([Self.silent(10, at: 0)]) == [.unknown])
        #expect(try await ends([]).isEmpty)
    }

    @Test("A narrower window finds a lower value; the definition is the same")
    func windows() async throws {
        func lowest(_ window: TimeSpan) async throws -> Double {
            var scenario = Self.scenario([Self.silent(10)])
            scenario.clock.window = window
            let recovery = FaultRecovery.all(in: try await RunResult.running(scenario)).first
            return try #require(recovery?.lowest?.share)
        }
        #expect(try await lowest(.minutes(1)) < (try await lowest(.minutes(20))))
    }
}
