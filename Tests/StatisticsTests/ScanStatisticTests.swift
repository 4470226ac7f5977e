import Statistics
import Testing

@Suite("Stretches of a series that differ")
struct ScanStatisticTests {
    /// Finds stretches in which more of 20 trials in a bin succeed than the usual 1 %.
    private static func stretches(_ successes: [Int]) -> [ScanStatistic.Stretch] {
        let shares = [0.1, 0.5, 0.95]
        return ScanStatistic.stretches(count: successes.count, amounts: shares.count, least: 20) { bin, amount in
            ScanStatistic.gain(successes: successes[bin], of: 20, share: shares[amount], insteadOf: 0.01)
        }
    }

    @Test("A stretch in which half of the trials succeed is found with its bounds and amount")
    func one() {
        let series = [Int](repeating: 0, count: 50) + [Int](repeating: 10, count: 12) + [Int](repeating: 0, count: 40)
        let found = Self.stretches(series)
        #expect(found.map(\.bins) == [50..<62])
        #expect(found.first?.amount == 1)
        #expect(found.first?.begins == 50...50)
        #expect(found.first?.ends == 62...62)
    }

    @Test("Two stretches are found in the order of time")
    func two() {
        var series = [Int](repeating: 0, count: 100)
        for bin in 10..<15 { series[bin] = 20 }
        for bin in 70..<90 { series[bin] = 3 }
        let found = Self.stretches(series)
        #expect(found.map(\.bins) == [10..<15, 70..<90])
        #expect(found.map(\.amount) == [2, 0])
    }

    @Test("Two stretches of different amounts are not joined across usual bins")
    func unlike() {
        var series = [Int](repeating: 0, count: 1000)
        for bin in 100..<170 { series[bin] = 40 }
        for bin in 670..<800 { series[bin] = 30 }
        let shares = [0.1, 0.2, 0.35, 0.5, 0.7, 0.85, 0.999]
        let found = ScanStatistic.stretches(count: series.count, amounts: shares.count, least: 26) { bin, amount in
            ScanStatistic.gain(successes: series[bin], of: 40, share: shares[amount], insteadOf: 1e-4)
        }
        #expect(found.map(\.bins) == [100..<170, 670..<800])
        #expect(found.map(\.amount) == [6, 4])
    }

    @Test("Stretches are joined if the bins between them cost less than another stretch")
    func joined() {
        // A bin without a success costs 20 · ln(0.5 / 0.99), or 13.7; another stretch costs 20.
        var series = [Int](repeating: 10, count: 30)
        series[10] = 0
        #expect(Self.stretches(series + [0, 0, 0]).map(\.bins) == [0..<30])
        series[11] = 0
        #expect(Self.stretches(series + [0, 0, 0]).map(\.bins) == [0..<10, 12..<30])
    }

    @Test("A single success in each of a few bins is chance")
    func chance() {
        var series = [Int](repeating: 0, count: 200)
        for bin in stride(from: 0, to: 200, by: 40) { series[bin] = 1 }
        #expect(Self.stretches(series) == [])
    }

    @Test("A bound that costs little to move has an interval: bins without trials belong to neither side")
    func interval() {
        let trials = [20, 20, 0, 0, 20, 20, 0, 20]
        let successes = [0, 0, 0, 0, 20, 20, 0, 0]
        let found = ScanStatistic.stretches(count: 8, amounts: 1, least: 20) { bin, _ in
            ScanStatistic.gain(successes: successes[bin], of: trials[bin], share: 0.95, insteadOf: 0.01)
        }
        #expect(found.first?.begins == 2...4)
        #expect(found.first?.ends == 6...7)
    }

    @Test("Expected events that do not come gain their number")
    func absence() {
        #expect(abs(ScanStatistic.gain(count: 0, expected: 10, factor: 0.02) - 9.8) < 1e-12)
        #expect(ScanStatistic.gain(count: 10, expected: 10, factor: 0.02) < 0)
    }
}
