import Foundation
import Statistics
import Testing

@Suite("Kaplan and Meier's product limit")
struct ProductLimitTests {
    private static func observations(_ events: [Int64], cut: [Int64]) -> [ProductLimit.Observation] {
        events.map { .init(time: $0, isEvent: true) } + cut.map { .init(time: $0, isEvent: false) }
    }

    /// The weeks of remission under 6-mercaptopurine of Freireich et al., the usual textbook example.
    private static let remissions = observations(
        [6, 6, 6, 7, 10, 13, 16, 22, 23],
        cut: [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]
    )

    @Test("The textbook's survival of remissions: 0.857, 0.807, 0.753, 0.690, 0.627, 0.538, 0.448")
    func textbook() {
        let limit = ProductLimit(Self.remissions)
        #expect(limit.steps.map(\.time) == [6, 7, 10, 13, 16, 22, 23])
        let survival = [0.857, 0.807, 0.753, 0.690, 0.627, 0.538, 0.448]
        for (step, expected) in zip(limit.steps, survival) { #expect(abs(1 - step.share - expected) < 0.0006) }
        #expect(limit.count == 21 && limit.eventCount == 9)
        #expect(limit.shareInterval.contains(limit.share))
    }

    @Test("Without cut times it is the empirical distribution, and the sample is the values")
    func whole() {
        let limit = ProductLimit(Self.observations([4, 1, 3, 2], cut: []))
        #expect(limit.share == 1)
        #expect(limit.sample(atMost: 10) == [1, 2, 3, 4])
    }

    @Test("A cut time is neither left out nor an event")
    func cut() {
        // Of two, one has the event at 1; of the other it is not known. Then another at 3 of the rest.
        let limit = ProductLimit(Self.observations([1, 3], cut: [2]))
        #expect(abs(limit.steps[0].share - 1 / 3) < 1e-12)
        #expect(limit.steps[1].share == 1)
    }

    @Test("Events among the last few observations are left out")
    func least() {
        let observations = Self.observations([1, 50], cut: [Int64](repeating: 10, count: 98))
        #expect(ProductLimit(observations).share == 1)
        #expect(abs(ProductLimit(observations, leastAtRisk: 5).share - 0.01) < 1e-12)
    }

    @Test("If all have the event at last, the median of half-observed times is that of all")
    func certain() {
        // Exponential times with mean 1,000, cut at 800: 55 % are seen. The median of all is 693, that of the seen ones 319.
        let all = (0..<2000).map { -1000 * log(1 - (Double($0) + 0.5) / 2000) }
        let limit = ProductLimit(all.map { .init(time: Int64(min($0, 800)), isEvent: $0 < 800) })
        let seen = limit.sample(atMost: 10_000)
        let whole = limit.sample(atMost: 10_000, isCertain: true)
        #expect(abs(Double(seen[seen.count / 2]) - 319) < 5)
        #expect(abs(Double(whole[whole.count / 2]) - 693) < 5)
        #expect(abs(Double(whole[whole.count * 95 / 100]) - 2996) < 100)
    }

    @Test("Nothing is observed")
    func empty() {
        #expect(ProductLimit([]).share == 0)
        #expect(ProductLimit([]).sample(atMost: 5) == [])
    }
}
