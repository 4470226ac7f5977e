import FreshnessCore
import Quantities
import Studies
import Testing

@testable import LiveActivityModel

/// The load on senders over time: maxima, and the waits of pushes that were never sent.
@Suite("The load on senders over time")
struct SenderCourseTests {
    /// A ride of 100 s, one stream, requests of 30 s, updates at fixed times.
    private static func scenario(_ updates: Double...) -> Scenario {
        var scenario = Scenario.ride(100)
        scenario.sender.streams = 1
        scenario.sender.requestTime = .seconds(30)
        scenario.sender.timeout = .hours(1)
        scenario.clock.window = .seconds(10)
        scenario.content.updatesAt = updates.map { TimeSpan(microseconds: Int64($0 * 1e6)) }
        return scenario
    }

    @Test(
        "Requests count in the second in which they begin; the busiest consecutive seconds are found wherever they are"
    )
    func requests() throws {
        let course = try FinishedCell(Self.scenario(10, 12.5, 45)).measurements.senderCourse
        // At 10, 40 and 70, and the end at 100.
        #expect(course.requests.enumerated().filter { $0.element > 0 }.map(\.offset) == [10, 40, 70, 100])
        #expect(course.mostRequests(inSeconds: 1) == 1)
        #expect(course.mostRequests(inSeconds: 10) == 1)
        // The first and the third are 61 seconds apart.
        #expect(course.mostRequests(inSeconds: 60) == 2)
    }

    @Test(
        "Settling keeps the maxima and no seconds; two settled series have the larger maxima, not those of their sum"
    )
    func settled() throws {
        let course = try FinishedCell(Self.scenario(10, 12.5, 45)).measurements.senderCourse
        var settled = course
        settled.settle()
        #expect(settled.requests.isEmpty && settled.streams.isEmpty)
        for width in SenderCourse.peakWidths {
            #expect(settled.mostRequests(inSeconds: width) == course.mostRequests(inSeconds: width))
        }
        #expect(settled.mostStreams == course.mostStreams && settled.mostStreams == 1)
        var both = settled
        both.add(settled)
        #expect(both.mostRequests(inSeconds: 60) == 2 && both.mostStreams == 1)
        #expect(both.waits.map(\.count) == course.waits.map { 2 * $0.count })
        settled.settle()
        #expect(settled.mostRequests(inSeconds: 60) == 2)
    }

    @Test(
        "A request in flight at the horizon counts once in the last second, whether that is complete or not",
        arguments: [(109, 110), (109.5, 110), (100, 110), (109, 109.5)]
    )
    func lastSecond(last: Double, horizon: Double) throws {
        var scenario = Self.scenario(10, last)
        scenario.rides.stages[0].duration = .seconds(1000)
        scenario.clock.drain = TimeSpan(microseconds: Int64((horizon - 1) * 1e6))
        let course = try FinishedCell(scenario).measurements.senderCourse
        #expect(course.streams.count == 110 && course.streams[109] == 1)
        #expect(course.mostStreams == 1)
    }

    @Test("Streams count in every second in which they are in use, even without an event")
    func streams() throws {
        let course = try FinishedCell(Self.scenario(10)).measurements.senderCourse
        #expect(course.streams[9] == 0)
        #expect(course.streams[10..<40].allSatisfy { $0 == 1 })
        #expect(course.streams[41..<100].allSatisfy { $0 == 0 })
        #expect(course.mostStreams == 1)
    }

    @Test("Streams and queue have a maximum in each window, before and after settling; a second may be in two windows")
    func windows() throws {
        // One request from 10 to 40 and one to 70; the second push waits from 12.5 on.
        let course = try FinishedCell(Self.scenario(10, 12.5)).measurements.senderCourse
        var settled = course
        settled.settle()
        #expect(settled.queued.isEmpty)
        for course in [course, settled] {
            #expect((0..<8).map { course.mostQueued(in: $0..<$0 + 1) } == [0, 1, 1, 1, 1, 0, 0, 0])
            #expect((0..<8).map { course.mostStreams(in: $0..<$0 + 1) } == [0, 1, 1, 1, 1, 1, 1, 1])
            #expect(course.mostQueued == 1 && course.mostQueued(in: 5..<9) == 0 && course.mostQueued(in: 0..<0) == 0)
        }
        var scenario = Self.scenario(10, 12.5)
        scenario.clock.window = TimeSpan(microseconds: 2_500_000)
        let halves = try FinishedCell(scenario).measurements.senderCourse
        #expect((3..<7).map { halves.mostQueued(in: $0..<$0 + 1) } == [0, 1, 1, 1])
    }

    @Test("The integrals of the load cover the drain; those of the arrivals end with them")
    func drain() throws {
        var scenario = Self.scenario(10, 12.5)
        scenario.clock.duration = .seconds(35)
        let run = try FinishedCell(scenario).measurements
        func window(_ column: SeriesColumn, _ seconds: [Double]) {
            #expect((0..<8).map { Double(run.series[$0, column]) / 1e6 } == seconds, "\(column)")
        }
        window(.busyTime, [0, 10, 10, 10, 10, 10, 10, 0])
        window(.saturatedTime, [0, 10, 10, 10, 10, 10, 10, 0])
        window(.queuedTime, [0, 7.5, 10, 10, 0, 0, 0, 0])
        window(.waitingTime, [0, 7.5, 10, 10, 0, 0, 0, 0])
        window(.busyTimeOfArrivals, [0, 10, 10, 5, 0, 0, 0, 0])
        window(.saturatedTimeOfArrivals, [0, 10, 10, 5, 0, 0, 0, 0])
        window(.queuedTimeOfArrivals, [0, 7.5, 10, 5, 0, 0, 0, 0])
        window(.arrivalTime, [10, 10, 10, 5, 0, 0, 0, 0])
    }

    @Test("Years without events take no memory; the years before them are unchanged")
    func years() throws {
        var scenario = Self.scenario(10)
        scenario.clock.window = .hours(24)
        let short = try FinishedCell(scenario).measurements.senderCourse
        scenario.clock.drain = .hours(24 * 365 * 10)
        scenario.clock.window = .hours(24 * 365)
        let long = try FinishedCell(scenario).measurements.senderCourse
        #expect(long.requests.count == 131 && long.streams.count == 131)
        #expect(long.requests == short.requests && long.streams == short.streams)
    }

    @Test("Seconds beyond the initial capacity are all kept, also in the group's sum")
    func growth() throws {
        var scenario = Scenario.ride(20_000)
        scenario.content.updatesAt = [.seconds(4095), .seconds(4096), .seconds(15_000)]
        scenario.sender.requestTime = .seconds(1)
        let course = try FinishedCell(scenario).measurements.senderCourse
        let seconds = course.requests.enumerated().filter { $0.element > 0 }.map(\.offset)
        #expect(seconds.starts(with: [4095, 4096, 15_000]), "\(seconds)")
        var (sum, other) = (course, SenderCourse())
        sum.add(other)
        #expect(sum == course)
        other.add(course)
        #expect(other == course)
    }

    @Test("A push that is never sent waits until it is given up")
    func unsent() throws {
        var scenario = Self.scenario(10, 12, 14)
        scenario.sender.patience = .seconds(5)
        let run = try FinishedCell(scenario).measurements
        #expect(run[.unsentWait].count == 2)
        #expect(run[.unsentWait].sum == 10_000_000)
        // In the window in which it was given up.
        #expect(run.waits(in: 1..<2).count == 3)
        #expect(run.waits(in: 0..<2).sum == 10_000_000)
    }

    @Test("The cells of a group share one series, which is the sum of the cells' own")
    func group() throws {
        var scenario = Scenario.ride(30, 60).times(40)
        scenario.cells = 4
        let world = try ScenarioLoader.world(scenario)
        var group = CellGroup(world: world, cells: 0..<4, replication: 0)
        while group.run(atMost: 1000) {}
        let together = Measurements.sum(group.outcomes.map(\.measurements))
        let alone = (0..<4)
            .map { cell in
                var simulation = CellSimulation(world: world, cell: cell, replication: 0)
                _ = simulation.run(through: world.horizon)
                simulation.finish()
                return simulation.measurements
            }
        #expect(together.senderCourse == Measurements.sum(alone).senderCourse)
        #expect(group.outcomes.count { !$0.measurements.senderCourse.requests.isEmpty } == 1)
    }
}
