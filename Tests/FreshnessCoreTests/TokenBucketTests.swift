import FreshnessCore
import Quantities
import TestSupport
import Testing

@Suite struct TokenBucketTests {
    @Test(
        "Whole tokens come on a grid from the start of the run, regardless of when tokens are taken",
        arguments: [
            // per second, (instant [µs], is taken), next token after the last [µs]
            (1000, [(0, true), (0, false), (999_999, false), (1_000_000, true), (1_999_999, false)], 2_000_000),
            // Taken at 1.5 s, yet the next comes at 2 s.
            (1000, [(1_500_000, true), (1_500_000, false), (2_000_000, true)], 3_000_000),
            // One every 333,333⅓ µs: at the first whole microsecond after it, and every third one on the second.
            (3000, [(0, true), (333_333, false), (333_334, true), (666_666, false), (666_667, true)], 1_000_000),
            (3000, [(999_999, true), (999_999, false), (1_000_000, true)], 1_333_334),
        ] as [(Int, [(Int64, Bool)], Int64)]
    )
    func wholeTokens(rate: Int, takes: [(at: Int64, isTaken: Bool)], next: Int64) throws {
        var bucket = try TokenBucket(capacityThousandths: 1000, thousandthsPerSecond: rate, refill: .whole)
        var taken: [Bool] = []
        for take in takes {
            taken.append(bucket.take(at: Instant(microseconds: take.at)))
        }
        #expect(taken == takes.map(\.isTaken))
        let last = try #require(takes.last)
        let foretold = bucket.nextToken(notBefore: Instant(microseconds: last.at))
        #expect(foretold == Instant(microseconds: next))
    }

    @Test("A fraction of a token counts once it is whole", arguments: [TokenBucket.Refill.continuous, .whole])
    func fractions(refill: TokenBucket.Refill) throws {
        var bucket = try TokenBucket(capacityThousandths: 2500, thousandthsPerSecond: 1000, refill: refill)
        var taken: [Bool] = []
        for at in [0, 0, 0, 499_999, 500_000, 1_000_000] as [Int64] {
            taken.append(bucket.take(at: Instant(microseconds: at)))
        }
        #expect(taken == [true, true, false, false] + (refill == .continuous ? [true, false] : [false, true]))
    }

    @Test("A deposit fills the bucket up to its capacity, and a reserve is kept")
    func deposits() throws {
        var bucket = try TokenBucket(capacityThousandths: 2000, thousandthsPerSecond: 0)
        var taken = [1001, 1000, 1000].map { bucket.take(leavingThousandths: $0, at: .start) }
        bucket.deposit(thousandths: 999, at: .start)
        taken.append(bucket.take(leavingThousandths: 1000, at: .start))
        #expect(taken == [false, true, false, false])
        bucket.deposit(thousandths: 5000, at: .start)
        let rest = (0..<3).map { _ in bucket.take(at: .start) }
        #expect(rest == [true, true, false])
    }

    @Test("No token comes if there is no refill, or if the bucket cannot hold one")
    func never() throws {
        var dry = try TokenBucket(capacityThousandths: 1000, thousandthsPerSecond: 0)
        let full = dry.nextToken(notBefore: .start)
        _ = dry.take(at: .start)
        let empty = dry.nextToken(notBefore: .start)
        #expect([full, empty] == [.start, .never])
        var small = try TokenBucket(capacityThousandths: 999, thousandthsPerSecond: 1000)
        let next = small.nextToken(notBefore: .start)
        #expect(next == .never)
    }

    /// The predicted instant is the first at which a token can be taken: one microsecond before it there is none.
    @Test("The next token comes at the predicted instant", arguments: 0..<200 as Range<UInt64>)
    func nextToken(seed: UInt64) throws {
        var stream = TestStream(seed: seed)
        let refill: TokenBucket.Refill = seed % 2 == 0 ? .continuous : .whole
        var bucket = try TokenBucket(
            capacityThousandths: 1000 + stream.next(below: 3000),
            thousandthsPerSecond: 1 + stream.next(below: seed % 3 == 0 ? 5000 : 5_000_000),
            refill: refill
        )
        var now = Instant.start
        for _ in 0..<100 {
            now = now + TimeSpan(microseconds: Int64(stream.next(below: 3000)))
            while bucket.take(at: now) {}
            let next = bucket.nextToken(notBefore: now)
            #expect(next > now)
            var early = bucket
            let isEarly = early.hasToken(at: Instant(microseconds: next.microseconds - 1))
            let isThere = bucket.hasToken(at: next)
            #expect(!isEarly && isThere)
            now = next
        }
    }

    @Test("The largest numbers do not overflow", arguments: [TokenBucket.Refill.continuous, .whole])
    func extremes(refill: TokenBucket.Refill) throws {
        var large = try TokenBucket(
            capacityThousandths: 1_000_000_000_000,
            thousandthsPerSecond: 1_000_000_000,
            refill: refill
        )
        let late = Instant(microseconds: .max - 1)
        let taken = [Instant.start, late].map { large.take(leavingThousandths: 999_999_999_000, at: $0) }
        #expect(taken == [true, true])
        var slow = try TokenBucket(capacityThousandths: 1000, thousandthsPerSecond: 1, refill: refill)
        let first = slow.take(at: .start)
        let next = slow.nextToken(notBefore: .start)
        let last = slow.take(at: late)
        #expect(first && last)
        #expect(next == Instant(microseconds: 1_000_000_000))
    }
}
