import Quantities
import SimulationKernel
import Testing

@testable import LoadGenerator

@Suite("Timestamps of a load's pushes")
struct PushStampsTests {
    /// Returns the timestamps of a plan's arrivals [s] with their due times [ns].
    private func stamps(_ plan: RatePlan, tokens: Int, process: ArrivalProcess = .even) -> [(due: Int64, stamp: Int64)]
    {
        var arrivals = ArrivalTimes(
            plan,
            process: process,
            random: RandomSource(seed: 3, replication: 0),
            purpose: 1
        )
        var stamps = PushStamps(tokens: tokens)
        var found: [(due: Int64, stamp: Int64)] = []
        while let due = arrivals.next() {
            stamps.note(found.count, due: due)
            found.append((due, stamps.stamp(found.count)))
        }
        return found
    }

    @Test("They are the due times in whole seconds if each token gets at most one push per second")
    func onTime() throws {
        for (rate, tokens) in [(10.0, 10), (3, 7), (0.5, 1), (1, 1)] {
            let found = stamps(try .constant(perSecond: rate, for: .seconds(20)), tokens: tokens)
            #expect(found.allSatisfy { $0.stamp == $0.due / 1_000_000_000 }, "\(rate)/s to \(tokens)")
        }
    }

    @Test("They rise by a second from push to push if a token gets more, and later return to the clock")
    func ahead() throws {
        // Two tokens get ten pushes each within the first two seconds, followed by one every two seconds.
        let points: [(TimeSpan, Double)] = [
            (.zero, 10), (.seconds(2), 10), (.seconds(2), 1), (.seconds(40), 1),
        ]
        let plan = try RatePlan(points: points.map { RatePlan.Point(at: $0.0, perSecond: $0.1) })
        let found = stamps(plan, tokens: 2)
        let first = found.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        #expect(first.prefix(10).map(\.stamp) == Array(0..<10))
        #expect(first.last.map { $0.stamp == $0.due / 1_000_000_000 } == true)
        // The lead of eight seconds shrinks by one second with each later push.
        #expect(plan.longestBacklog(servedPerSecond: 2) / 2 == 8)
    }

    @Test(
        "The timestamps of a token never repeat, and they run no further ahead than that needs",
        arguments: ArrivalProcess.allCases,
        [1, 2, 3, 7, 50]
    )
    func strict(process: ArrivalProcess, tokens: Int) throws {
        let plan = try RatePlan.ramp(from: 0, to: 13, over: .seconds(20), for: .seconds(30))
        let found = stamps(plan, tokens: tokens, process: process)
        for (number, push) in found.enumerated() {
            #expect(push.stamp >= push.due / 1_000_000_000)
            guard number >= tokens else { continue }
            let last = found[number - tokens].stamp
            #expect(push.stamp > last)
            #expect(push.stamp <= max(push.due / 1_000_000_000, last + 1) + 1)
        }
        guard process == .even else { return }
        let lead = found.map { Double($0.stamp) - Double($0.due) / 1e9 }.max() ?? 0
        #expect(lead <= plan.longestBacklog(servedPerSecond: Double(tokens)) / Double(tokens) + 1e-6)
    }

    @Test("A backlog grows above the speed, shrinks below it, and is never negative")
    func backlog() throws {
        let flat = try RatePlan.constant(perSecond: 10, for: .seconds(4))
        #expect(flat.longestBacklog(servedPerSecond: 10) == 0)
        #expect(flat.longestBacklog(servedPerSecond: 4) == 24)
        #expect(flat.peakRate == 10)
        // The rate is above 5/s for the second half, by 2.5/s on average.
        let rise = try RatePlan.ramp(from: 0, to: 10, over: .seconds(10), for: .seconds(10))
        #expect(abs(rise.longestBacklog(servedPerSecond: 5) - 12.5) < 1e-9)
        let fall = try RatePlan.ramp(from: 10, to: 0, over: .seconds(10), for: .seconds(10))
        #expect(abs(fall.longestBacklog(servedPerSecond: 5) - 12.5) < 1e-9)
        #expect(rise.peakRate == 10 && fall.peakRate == 10)
    }

    @Test("The lead of the longest and fastest plan is finite")
    func longest() throws {
        let plan = try RatePlan.constant(perSecond: RatePlan.highestRate, for: .longest)
        var load = PushLoad(LoadSchedule(.open(plan)), tokens: 1)
        #expect(load.longestLead == .longest)
        load.schedule.arrivals = .closed(concurrency: 1, duration: .seconds(1))
        #expect(load.longestLead == .zero)
    }
}
