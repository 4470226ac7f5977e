import Testing

@testable import Benchmarking

struct TimingWheelTests {
    @Test("rows wake at their scan, the latest first; moved and cancelled rows do not wake at their old scan")
    func chains() {
        var wheel = TimingWheel(rows: 10, buckets: 4)
        wheel.schedule(1, atScan: 5)
        wheel.schedule(2, atScan: 5)
        wheel.schedule(3, atScan: 5)
        wheel.schedule(2, atScan: 6)
        wheel.schedule(9, atScan: 5)
        wheel.cancel(9)
        wheel.cancel(0)
        #expect(wheel.count == 3)
        #expect(wheel.takeRow(ofScan: 5) == 3)
        #expect(wheel.takeRow(ofScan: 5) == 1)
        #expect(wheel.takeRow(ofScan: 5) == nil)
        #expect(wheel.takeRow(ofScan: 6) == 2)
        #expect(wheel.count == 0)
    }

    @Test("agrees with a dictionary for any sequence of operations")
    func againstDictionary() {
        var wheel = TimingWheel(rows: 16, buckets: 4)
        var expected: [Int: Int] = [:]
        var state: UInt64 = 1
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for _ in 0..<2000 {
            let row = next(16)
            switch next(4) {
            case 0: (_, expected[row]) = (wheel.cancel(row), nil)
            case 1:
                let bucket = next(4)
                while let taken = wheel.takeRow(ofScan: bucket) {
                    #expect(expected[taken] == bucket)
                    expected[taken] = nil
                }
                #expect(!expected.values.contains(bucket))
            default:
                let bucket = next(4)
                wheel.schedule(row, atScan: bucket)
                expected[row] = bucket
            }
            #expect(wheel.count == expected.count)
        }
    }
}

extension TimingWheel {
    /// The rows with a wake-up.
    var count: Int {
        var rest = self
        return (0..<TimingWheel.usualBuckets)
            .reduce(0) { count, scan in
                var count = count
                while rest.takeRow(ofScan: scan) != nil { count += 1 }
                return count
            }
    }
}
