import Testing

@testable import LiveActivityModel

/// Tests that `transfer` omits nothing; `Mirror`, which finds every field, is the reference.
@Suite("Measurements: transfer")
struct MeasurementsTransferTests {
    /// Records the numbers that it is given.
    private struct Listing: NumberTransfer {
        var numbers: [Int64] = []

        mutating func transfer(_ number: inout Int64) {
            numbers.append(number)
        }
    }

    /// Replays recorded numbers, followed by zeros, like a reader of a file.
    private struct Replay: NumberTransfer {
        var numbers: ArraySlice<Int64>

        mutating func transfer(_ number: inout Int64) {
            number = numbers.popFirst() ?? 0
        }
    }

    @Test("Every stored number is transferred exactly once")
    func everyNumber() throws {
        let world = try Measurements.fullWorld()
        // All transferred numbers differ, and none is a value of empty measurements: 0, or `UInt64.max`.
        var numbers = CountingTransfer(next: Measurements.large)
        var measurements = Measurements(emptyFor: world)
        measurements.transfer(through: &numbers)
        let handedOver = UInt64(Measurements.large)..<UInt64(numbers.next)

        var found: Set<UInt64> = []
        var announcedCount = 4
        for field in StoredNumbers(of: measurements).fields where !Measurements.isFixed(field.path) {
            // An array without elements would pass whatever `transfer` does with it.
            #expect(!field.numbers.isEmpty, "\(field.path) is empty; extend fullWorld() so that it is filled")
            let isHandedOver = field.words.allSatisfy { handedOver.contains($0) && found.insert($0).inserted }
            #expect(isHandedOver, "transfer omits \(field.path), or transfers another field instead")
            if field.numbers.count == LogLinear.bucketCount { announcedCount += 1 }
        }
        // The numbers that are transferred but not stored: the number of buckets before each histogram, and for the
        // sender's load whether it is kept, and the numbers of seconds with requests, streams and a queue.
        #expect(found.count + announcedCount == handedOver.count)
        #expect(measurements.series.windowCount == world.windowCount)
    }

    @Test("The transferred numbers are complete: they turn any other measurements into the same ones")
    func replay() throws {
        let world = try Measurements.fullWorld()
        let samples = [
            Measurements(emptyFor: world), .counting(from: Measurements.large, in: world),
            .counting(from: 1 << 32, in: world),
        ]
        for original in samples {
            // `transfer` is mutating, although not here: the recorder leaves the numbers unchanged.
            var source = original
            var listing = Listing()
            source.transfer(through: &listing)
            // Compared beforehand: a failure would print a hundred thousand numbers.
            let isLeftAlone = source == original
            #expect(isLeftAlone)
            for var copy in samples {
                var replay = Replay(numbers: listing.numbers[...])
                copy.transfer(through: &replay)
                let (isSame, isAll) = (copy == original, replay.numbers.isEmpty)
                #expect(isSame)
                #expect(isAll)
            }
        }
    }
}
