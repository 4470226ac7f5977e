import SimulationKernel
import Statistics
import Testing

@Suite("The effect of chance on a difference")
struct DifferenceRuleTests {
    @Test("Differences without unobserved events have Student's interval")
    func student() throws {
        let rule = try #require(DifferenceRule(count: 3))
        let found = rule.difference([10, 20, 30], [11, 22, 33])
        #expect(found.interval == StudentInterval([1, 2, 3])?.range)
        #expect(found.reach == found.halfWidth && found.isBeyondChance == (found.mean > found.reach))
        #expect(DifferenceRule(count: 1) == nil)
    }

    /// The exact interval of a count of 0 ends at 3.689 (Garwood).
    @Test("There is no interval if plausible unobserved events would change the mean by more than its half-width")
    func unseen() throws {
        let rule = try #require(DifferenceRule(count: 3))
        let halfWidth = try #require(StudentInterval([1, 2, 3])).halfWidth
        let light = rule.difference([1, 2, 3], event: halfWidth / 3.69)
        #expect(light.halfWidth == halfWidth)
        let heavy = rule.difference([1, 2, 3], event: halfWidth / 3.68)
        #expect(heavy.interval == nil && heavy.reach > halfWidth)
        // Two is less than 3.7 events of a half, and more than 3.7 of a quarter.
        #expect(!rule.difference([2, 2, 2], event: 1).isBeyondChance)
        let sure = rule.difference([2, 2, 2], event: 0.25)
        #expect(sure.isBeyondChance && sure.interval == nil)
    }

    @Test("No interval has zero width; settings that never differ are equal, regardless of other events")
    func zeroWidth() throws {
        let rule = try #require(DifferenceRule(count: 4))
        let certain = rule.difference([1, 1, 1, 1])
        #expect(certain.interval == nil && certain.isBeyondChance && certain.reach == 0)
        let equal = rule.difference([0, 0, 0, 0], event: 5)
        #expect(equal.mean == 0 && equal.reach == 0 && !equal.isBeyondChance)
    }

    @Test("Skewed differences have no interval")
    func skewed() throws {
        let rule = try #require(DifferenceRule(count: 8))
        #expect(rule.difference([1, 1.1, 0.9, 1, 1.1, 0.9, 1, 30]).interval == nil)
        #expect(rule.difference([1, 1.1, 0.9, 1, 1.1, 0.9, 1, 1.3]).interval != nil)
    }

    @Test("Counts need a difference of ten events for an interval, and six changes for a verdict")
    func counts() throws {
        let rule = try #require(DifferenceRule(count: 5))
        let few = rule.difference([3, 5, 4, 6, 5], [4, 6, 5, 7, 7], areCounts: true)
        #expect(few.interval == nil)
        let coincidence = rule.difference([3, 5, 4, 6, 5], [4, 6, 5, 7, 6], areCounts: true)
        #expect(coincidence.reach == .infinity && coincidence.bounds == nil && !coincidence.isBeyondChance)
        let many = rule.difference([3, 5, 4, 6, 5], [14, 12, 14, 17, 15], areCounts: true)
        #expect(many.interval != nil && many.isBeyondChance)
        // A mean of counts is not a count.
        #expect(
            rule.difference([0.5, 0.7, 0.6, 0.5, 0.6], [0.6, 0.8, 0.7, 0.7, 0.7], areCounts: true).interval != nil
        )
    }

    /// Events of one size: the mean is their number times the size, and the variance their number times its square.
    @Test("The size of an event is the variance of the mean over the mean, for shares over the rarer side")
    func eventSize() {
        // Mean 2, variance of the mean 1.
        #expect(DifferenceRule.eventSize(of: [1, 3], isShare: false) == 0.5)
        #expect(DifferenceRule.eventSize(of: [4, 4], isShare: false) == 0)
        #expect(DifferenceRule.eventSize(of: [1], isShare: false) == 0)
        #expect(DifferenceRule.eventSize(of: [0, 0], isShare: true) == 0)
        let rare = DifferenceRule.eventSize(of: [0.1, 0.3], isShare: true)
        let common = DifferenceRule.eventSize(of: [0.9, 0.7], isShare: true)
        #expect(abs(rare - common) < 1e-12)
    }

    /// Two equivalent settings: 40 rides differ between them slightly; one in 400 counts a thousandfold.
    @Test("A rare heavy event does not create a spurious difference")
    func coverage() throws {
        let source = RandomSource(seed: 5, replication: 0)
        let rule = try #require(DifferenceRule(count: 5))
        var (student, printed, misses, verdicts) = (0, 0, 0, 0)
        for study in 0..<300 as Range<UInt64> {
            func contribution(_ replication: UInt64, _ ride: UInt32) -> Double {
                let draw = source.draw(entity: study << 8 | replication, purpose: 1, index: ride)
                return Double(draw >> 11) * 0x1p-53 < 1.0 / 400 ? 1000 : 1 + Double(draw & 1023) / 1024
            }
            // The rides that differ are ordinary rides: the mean of all is the same in the long run.
            let first = (0..<5 as Range<UInt64>)
                .map { replication in (0..<400).reduce(0.0) { $0 + contribution(replication, $1) } / 400 }
            let second = (0..<5 as Range<UInt64>)
                .map { replication in (0..<440).reduce(0.0) { $0 + contribution(replication, $1) } / 440 }
            let event = max(
                DifferenceRule.eventSize(of: first, isShare: false),
                DifferenceRule.eventSize(of: second, isShare: false)
            )
            let found = rule.difference(first, second, event: event)
            let plain = try #require(StudentInterval(ofDifferences: first, second))
            if !plain.range.contains(0) { student += 1 }
            if let interval = found.interval {
                printed += 1
                if !interval.contains(0) { misses += 1 }
            }
            if found.isBeyondChance { verdicts += 1 }
        }
        // Student's interval alone is wrong in a quarter of the studies.
        #expect(student > 45)
        #expect(misses <= 24 && verdicts <= 24, "\(printed) printed, \(misses) misses, \(verdicts) verdicts")
    }
}
