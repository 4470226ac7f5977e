import Quantities
import ScenarioLanguage
import SimulationKernel
import Testing

@testable import LiveActivityModel

/// A queue that serves requests whose sender has given up can remain overloaded by retries long after the trigger is
/// gone.
///
/// See Bronson, Aghayev, Charapko and Zhu, "Metastable failures in distributed systems", HotOS 2021. One server with
/// 300 requests a second stops for 10 s; senders give up after 1 s and retry once. If the doubled load exceeds 300 a
/// second, the queue never empties again: the critical load is 150 a second.
@Suite("Metastable failure of the push service")
struct MetastabilityTests {
    /// The accepted updates per second in windows of 10 s; the server stops in the third.
    private static func goodput(
        perSecond load: Double,
        seconds: Int64,
        _ change: (inout Scenario.Capacity) -> Void = { _ in }
    ) throws -> [Double] {
        var scenario = Scenario.ride(Double(seconds))
        scenario.clock.drain = .seconds(seconds - 1)
        scenario.clock.window = .seconds(10)
        scenario.content.refresh = .constant(1e6 / load)
        var capacity = Scenario.Capacity()
        capacity.serviceTime = .constant(1e6 / 300)
        change(&capacity)
        scenario.apns.capacity = capacity
        scenario.sender.streams = 1_000_000
        scenario.sender.timeout = .seconds(1)
        scenario.sender.attempts = 2
        scenario.fail(.apnsCapacity, from: 20, to: 30)
        scenario.faults[0].factor = 0
        let series = try FinishedCell(scenario, ride: nil).measurements.series
        return (0..<series.windowCount).map { Double(series[$0, .responsesAccepted]) / 10 }
    }

    @Test("Below half the capacity the goodput recovers")
    func vulnerableNot() throws {
        let goodput = try Self.goodput(perSecond: 140, seconds: 180)
        #expect(abs(goodput[1] - 140) < 1)
        // The backlog with its retries, (19 · 140 - 300)/(300 - 280) = 118 s of it, delays every response.
        #expect(goodput[4...13].allSatisfy { $0 == 0 })
        #expect(goodput[16...].allSatisfy { abs($0 - 140) < 1 })
    }

    @Test("Above it no response is ever in time again")
    func collapse() throws {
        let goodput = try Self.goodput(perSecond: 280, seconds: 100)
        #expect(abs(goodput[1] - 280) < 1)
        #expect(goodput[4...].allSatisfy { $0 == 0 })
    }

    @Test("Serving the newest request first restores it")
    func lastInFirstOut() throws {
        let goodput = try Self.goodput(perSecond: 280, seconds: 80) { $0.order = .lifo }
        #expect(goodput[2] == 0)
        #expect(goodput[5...].allSatisfy { abs($0 - 280) < 1 })
    }

    /// Requests whose turn comes just before they expire are still served in vain, so only a part of the goodput
    /// remains.
    ///
    /// The numbers come from a simulation of this queue alone, written in Python.
    @Test("Discarding expired requests restores a part of it")
    func dropExpired() throws {
        let goodput = try Self.goodput(perSecond: 280, seconds: 80) { $0.dropExpired = true }
        let reference = [280.0, 280.0, 0.0, 47.7, 52.6, 48.4, 30.7, 36.6]
        #expect(zip(goodput, reference).allSatisfy { abs($0 - $1) < 0.2 }, "\(goodput)")
    }
}
