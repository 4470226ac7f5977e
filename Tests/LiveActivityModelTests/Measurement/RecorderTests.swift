import Quantities
import Studies
import TestSupport
import Testing

@testable import LiveActivityModel

@Suite("Recorder")
struct RecorderTests {
    /// Ten windows of 10 s and a last one of 5 s.
    private static func world(
        ageOver: [TimeSpan] = [],
        waitOver: [TimeSpan] = [],
        cities: [Scenario.City] = []
    ) throws -> World {
        var scenario = Scenario.ride(1, 1)
        scenario.clock.duration = .seconds(100)
        scenario.clock.drain = .seconds(5)
        scenario.clock.window = .seconds(10)
        scenario.measure.ageOver = ageOver
        scenario.measure.waitOver = waitOver
        scenario.rides.arrivals.cities = cities
        return try ScenarioLoader.world(scenario)
    }

    private static func column(_ recorder: borrowing Recorder, _ column: SeriesColumn) -> [Int64] {
        let series = recorder.measurements.series
        return (0..<series.windowCount).map { series[$0, column] }
    }

    @Test("An empty recorder gives empty measurements")
    func empty() throws {
        let world = try Self.world(ageOver: [.seconds(1)], waitOver: [.seconds(1), .seconds(2)])
        #expect(Recorder(world).measurements == Measurements(emptyFor: world))
    }

    @Test(
        "An interval is split at the boundaries of windows",
        arguments: [
            // from, to [s], and the times in windows 0, 1, 2 and so on [s]
            (0, 10, [10]), (3, 7, [4]), (9, 11, [1, 1]), (10, 20, [0, 10]), (5, 35, [5, 10, 10, 5]),
            (99, 104, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 4]), (100, 105, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5]),
            (0, 105, [10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 5]), (20, 20, []), (30, 20, []),
        ] as [(Int64, Int64, [Int64])]
    )
    func stretches(from: Int64, to: Int64, parts: [Int64]) throws {
        var recorder = Recorder(try Self.world())
        recorder.add(from: from * 1_000_000, to: to * 1_000_000, column: .freshTime)
        let expected = (0..<11).map { $0 < parts.count ? parts[$0] * 1_000_000 : 0 }
        #expect(Self.column(recorder, .freshTime) == expected)
        #expect(Self.column(recorder, .monitoredTime).allSatisfy { $0 == 0 })
    }

    @Test("A microsecond on either side of a boundary, and the last instant of the run")
    func borders() throws {
        var recorder = Recorder(try Self.world())
        for (instant, window) in [(0, 0), (9_999_999, 0), (10_000_000, 1), (99_999_999, 9), (105_000_000, 10)] {
            recorder.add(1 << window, to: .updatesSent, at: Instant(microseconds: Int64(instant)))
        }
        #expect(Self.column(recorder, .updatesSent) == [2, 2, 0, 0, 0, 0, 0, 0, 0, 512, 1024])
        recorder.add(from: 9_999_999, to: 10_000_001, column: .severeTime)
        #expect(Self.column(recorder, .severeTime) == [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    }

    @Test("An addition in a city goes to its window, city and column only; an interval is split at the boundaries")
    func cities() throws {
        let cities = ["a", "b"].map { Scenario.City(name: $0, share: Probability(0.5)) }
        var recorder = Recorder(try Self.world(cities: cities))
        recorder.add(SegmentTimes(isRiding: true), from: 5_000_000, to: 25_000_000, inSegment: 1)
        recorder.add(SegmentTimes(isRiding: true), from: 30_000_000, to: 20_000_000, inSegment: 1)
        for (instant, amount) in [(104_999_999, 3), (105_000_000, 4), (9_999_999, 1), (10_000_000, 2)] {
            recorder.add(Int64(amount), to: .endsSent, inSegment: 0, at: Instant(microseconds: Int64(instant)))
        }
        // The row of the run advances as well.
        recorder.add(9, to: .endsSent, at: Instant(microseconds: 10_000_000))
        let measured = recorder.measurements
        for window in 0..<11 {
            for column in SegmentColumn.allCases {
                let times: [Int64] = [5_000_000, 10_000_000, 5_000_000]
                let counts: [Int: Int64] = [0: 1, 1: 2, 10: 7]
                let time = column == .rideTime && window < 3 ? times[window] : 0
                #expect(measured.segmentSeries[window, 1, column] == time)
                #expect(measured.segmentSeries[window, 0, column] == (column == .endsSent ? counts[window] ?? 0 : 0))
            }
        }
        #expect(measured.total(.rideTime, in: .city(1)) == 20_000_000)
        #expect(measured.total(.endsSent, in: .city(0)) == 10)
        #expect(Self.column(recorder, .endsSent) == [0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    }

    @Test("Returning to an earlier window gives the same result as advancing", arguments: 0..<20)
    func series(seed: UInt64) throws {
        var stream = TestStream(seed: seed)
        let length = stream.number(1...50)
        var scenario = Scenario.ride(1)
        scenario.clock.duration = .seconds(stream.number(1...200))
        scenario.clock.drain = .zero
        scenario.clock.window = .seconds(length)
        let horizon = scenario.clock.duration.microseconds
        let world = try ScenarioLoader.world(scenario)
        #expect(Int64(world.windowCount) == (horizon + length * 1_000_000 - 1) / (length * 1_000_000))

        var recorder = Recorder(world)
        var naive = [Int64](repeating: 0, count: world.windowCount * SeriesColumn.allCases.count)
        func add(_ amount: Int64, to column: SeriesColumn, window: Int) {
            naive[min(window, world.windowCount - 1) * SeriesColumn.allCases.count + column.rawValue] += amount
        }
        for _ in 0..<300 {
            let column = stream.one(of: SeriesColumn.allCases)
            if stream.yes(40) {
                let instant = stream.number(0...horizon)
                let amount = stream.number(-3...9)
                recorder.add(amount, to: column, at: Instant(microseconds: instant))
                add(amount, to: column, window: Int(instant / (length * 1_000_000)))
                continue
            }
            let ends = [stream.number(0...horizon), stream.number(0...horizon)].sorted()
            // Most intervals are short, and many end at a boundary.
            let from = ends[0]
            var to = stream.yes(50) ? min(ends[1], from + stream.number(0...9)) : ends[1]
            if stream.yes(20) { to = max(from, to / (length * 1_000_000) * length * 1_000_000) }
            recorder.add(from: from, to: to, column: column)
            for window in 0..<world.windowCount {
                let begins = Int64(window) * length * 1_000_000
                let part = min(to, begins + length * 1_000_000) - max(from, begins)
                add(max(0, part), to: column, window: window)
            }
        }
        #expect(recorder.measurements.series == Series(naive))
    }

    @Test("The recorder matches the measurements as a value", arguments: 0..<10)
    func values(seed: UInt64) throws {
        var stream = TestStream(seed: seed)
        let world = try Self.world(
            ageOver: [.seconds(1), .seconds(2)],
            waitOver: [.seconds(3)],
            cities: ["east", "west"].map { Scenario.City(name: $0, share: Probability(0.5)) }
        )
        let thresholds: [Int64] = [1_000_000, 2_000_000]
        var recorder = Recorder(world)
        var value = Measurements(emptyFor: world)
        var observations = value.observations.map { _ in Tally.Open() }
        var ages = value.ages.map { _ in RampTally.Open() }
        defer {
            for tally in observations { tally.close() }
            for tally in ages { tally.close() }
        }
        /// For three slots of activities, the time above each threshold.
        var over = [[Int64]](repeating: [0, 0], count: 3)
        for place in over.indices { recorder.beginAge(inPlace: UInt32(place)) }
        for _ in 0..<400 {
            let number = stream.number(0...(Int64(1) << stream.number(0...40)))
            let other = number + stream.number(0...(Int64(1) << stream.number(0...40)))
            let counter = stream.one(of: Counter.allCases)
            let place = stream.next(below: 3)
            switch stream.next(below: 7) {
            case 0:
                recorder.count(counter, by: number)
                value.counters[counter.rawValue] += number
            case 1:
                recorder.keepExample(UInt64(number), of: counter)
                value.firstRides[counter.rawValue] = min(value.firstRides[counter.rawValue], UInt64(number))
            case 2:
                let total = stream.one(of: Total.allCases)
                let part = stream.next(below: value.shape.keptPartCount(of: total.division))
                recorder.add(number, to: total, part: part)
                value.totals[part * Total.allCases.count + total.rawValue] += number
            case 3:
                let observation = stream.one(of: Observation.allCases)
                let part = stream.next(below: value.shape.keptPartCount(of: observation.division))
                recorder.record(number, as: observation, part: part)
                observations[part * Observation.allCases.count + observation.rawValue].record(number)
            case 4:
                let peak = stream.one(of: Peak.allCases)
                recorder.raise(peak, to: number)
                value.peaks[peak.rawValue] = max(value.peaks[peak.rawValue], number)
            case 5:
                let (stage, city) = (stream.next(below: 3), stream.next(below: 2))
                let part = 3 * city + stage
                recorder.recordAge(
                    from: number,
                    to: other,
                    part: part,
                    isAfterRide: stage == 2,
                    inPlace: UInt32(place)
                )
                ages[part].record(from: number, to: other)
                for (index, threshold) in thresholds.enumerated() where other > threshold {
                    let time = other - max(number, threshold)
                    let part = 2 * index + (stage == 2 ? 1 : 0)
                    value.totals[part * Total.allCases.count + Total.timeOverAge.rawValue] += time
                    over[place][index] += time
                }
            default:
                let time = max(1, over[place][0]) + number
                recorder.endAge(inPlace: UInt32(place), after: time)
                for index in thresholds.indices {
                    value.activityAgeShares[index].record(part: over[place][index], of: time)
                }
                recorder.beginAge(inPlace: UInt32(place))
                over[place] = [0, 0]
            }
        }
        value.observations = observations.map { Tally($0) }
        value.ages = ages.map { RampTally($0) }
        #expect(recorder.measurements == value)
        // Reading changes nothing: the second result equals the first.
        #expect(recorder.measurements == recorder.measurements)
    }

    @Test("A recorder without thresholds and with one window")
    func smallest() throws {
        var scenario = Scenario.ride(1)
        scenario.clock.drain = .zero
        scenario.clock.window = .hours(1)
        scenario.measure.ageOver = []
        var recorder = Recorder(try ScenarioLoader.world(scenario))
        recorder.add(from: 0, to: 1_000_000, column: .displayedTime)
        #expect(Self.column(recorder, .displayedTime) == [1_000_000])
        #expect(recorder.measurements.parts(of: .timeOverAge).isEmpty)
        #expect(recorder.measurements.parts(of: .waitsOver).isEmpty)
    }
}
