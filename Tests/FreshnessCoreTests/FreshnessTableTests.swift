import FreshnessCore
import Quantities
import TestSupport
import Testing

/// The table of deadlines, compared with the rule for one instance.
@Suite("Freshness table")
struct FreshnessTableTests {
    private static func policy(window: TimeSpan = .minutes(8)) throws -> FreshnessPolicy {
        try FreshnessPolicy(
            freshLimit: .minutes(1),
            recoveryWindow: window,
            retry: RetryPolicy(schedule: [.zero]),
            endSchedule: [.zero]
        )
    }

    /// The rule of `FreshnessPolicy`.
    private static func rule(lapse: Instant, at now: Instant, window: TimeSpan) -> FreshnessClass {
        now < lapse ? .fresh : now < lapse + window ? .recoverable : .severe
    }

    @Test(
        "Every row follows the rule around both boundaries, to the microsecond",
        arguments: [TimeSpan.zero, .milliseconds(1), .minutes(8)],
        [0, 1, 15, 16, 17, 100, 5000]
    )
    func boundaries(window: TimeSpan, before: Int) throws {
        let now = Instant(microseconds: 86_400_000_000)
        var lapses = [Instant](repeating: now + .seconds(1), count: before)
        for microseconds in [-2000, -1999, -1001, -1000, -999, -1, 0, 1, 2, 999, 1000, 1001] as [Int64] {
            lapses.append(Instant(microseconds: now.microseconds + microseconds))
            lapses.append(Instant(microseconds: now.microseconds + microseconds - window.microseconds))
        }
        lapses += [.never, .start]
        var table = try FreshnessTable(rows: lapses.count, policy: Self.policy(window: window), at: .start)
        for (row, lapse) in lapses.enumerated() {
            table.set(row, freshUntil: lapse)
        }
        let counts = table.scan(at: now)
        let expected = lapses.map { Self.rule(lapse: $0, at: now, window: window) }
        #expect(lapses.indices.map { table.classAtLastScan($0) } == expected)
        #expect(counts.fresh == expected.count { $0 == .fresh })
        #expect(counts.recoverable == expected.count { $0 == .recoverable })
        #expect(counts.severe == expected.count { $0 == .severe })
        #expect(counts.vacant == 0)
    }

    @Test("A clock that is set back by years makes nothing lapse, and the table recovers when it is right again")
    func clockBack() throws {
        let now = Instant(microseconds: 1_700_000_000_000_000)
        var table = try FreshnessTable(rows: 2, policy: Self.policy(), at: now)
        table.set(0, freshUntil: now + .minutes(1))
        table.set(1, freshUntil: .never)
        #expect(table.scan(at: .start).fresh == 2)
        #expect(table.scan(at: Instant(microseconds: -86_400_000_000)).fresh == 2)
        #expect(table.scan(at: now).fresh == 2)
        #expect(table.scan(at: now + .minutes(2)).fresh == 1)
    }

    @Test("An instance without updates is classified as the core classifies it")
    func agreesWithInstance() throws {
        let policy = try Self.policy()
        let lapse = Instant(microseconds: 600_000_000)
        var instance = InstanceFreshness(
            content: ContentStamp(generatedAt: .start, staleDate: Instant(microseconds: 540_000_000)),
            at: .start,
            policy: policy
        )
        var table = try FreshnessTable(rows: 1, policy: policy, at: .start)
        table.set(0, freshUntil: try #require(instance.freshUntil))
        var budget: RetryBudget?
        for millisecond in -3...3 as ClosedRange<Int64> {
            for boundary in [lapse, lapse + policy.recoveryWindow] where boundary == lapse {
                let now = boundary + .milliseconds(millisecond)
                _ = table.scan(at: now)
                #expect(table.classAtLastScan(0) == instance.classification(at: now))
            }
        }
        for millisecond in -3...3 as ClosedRange<Int64> {
            let now = lapse + policy.recoveryWindow + .milliseconds(millisecond)
            while instance.wake(at: now, policy: policy, budget: &budget, draw: 0) != .nothing {}
            _ = table.scan(at: now)
            #expect(table.classAtLastScan(0) == instance.classification(at: now))
        }
    }

    /// A few thousand rows are set, given up and vacated at random, scan after scan, over 40 days, so that the epoch
    /// moves.
    @Test(
        "Scans over weeks follow the rule, count correctly and report every change",
        .enabled(if: Loop.isFull),
        arguments: [1, 2, 3] as [UInt64]
    )
    func random(seed: UInt64) throws {
        let window = TimeSpan.minutes(8)
        var table = try FreshnessTable(rows: 1003, policy: Self.policy(window: window), at: .start)
        enum Row: Equatable {
            case vacant
            case until(Instant)
            case givenUp
        }
        var rows = [Row](repeating: .vacant, count: 1003)
        var seen = [FreshnessClass?](repeating: nil, count: 1003)
        var state = seed
        func draw(_ bound: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % bound
        }
        var now = Instant.start
        for scan in 0..<400 {
            now = now + .milliseconds(Int64(draw(scan % 7 == 0 ? 86_400_000 * 2 / 3 : 60_000)))
            for _ in 0..<300 {
                let row = Int(draw(1003))
                switch draw(10) {
                case 0:
                    table.vacate(row)
                    (rows[row], seen[row]) = (.vacant, nil)
                case 1:
                    table.giveUp(row)
                    rows[row] = .givenUp
                default:
                    let lapse = now + TimeSpan(microseconds: Int64(draw(1_200_000_000)) - 600_000_000)
                    table.set(row, freshUntil: lapse)
                    rows[row] = .until(lapse)
                }
            }
            let expected = rows.map { row -> FreshnessClass? in
                switch row {
                case .vacant: nil
                case .givenUp: .severe
                case .until(let lapse): Self.rule(lapse: lapse, at: now, window: window)
                }
            }
            var counts = FreshnessTable.Counts()
            if scan.isMultiple(of: 3) {
                counts = table.scan(at: now)
            } else {
                var told: [Int] = []
                counts = table.scan(at: now) { row, old, new in
                    told.append(row)
                    #expect(old == seen[row] && new == expected[row])
                }
                #expect(told == rows.indices.filter { expected[$0] != seen[$0] })
            }
            seen = expected
            #expect(rows.indices.map { table.classAtLastScan($0) } == expected)
            #expect(counts.fresh == expected.count { $0 == .fresh })
            #expect(counts.recoverable == expected.count { $0 == .recoverable })
            #expect(counts.severe == expected.count { $0 == .severe })
            #expect(counts.vacant == expected.count { $0 == nil })
        }
    }

    @Test("A window that the table cannot hold is rejected")
    func refused() throws {
        let odd = try Self.policy(window: TimeSpan(microseconds: 1500))
        let long = try Self.policy(window: .hours(24 * 13))
        #expect(throws: PolicyError.self) { try FreshnessTable(rows: 1, policy: odd, at: .start) }
        #expect(throws: PolicyError.self) { try FreshnessTable(rows: 1, policy: long, at: .start) }
    }
}
