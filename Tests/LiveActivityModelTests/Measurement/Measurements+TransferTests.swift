import Testing

@testable import LiveActivityModel

/// Whether `transfer` forgets nothing; `Mirror`, which knows of every field, is the other side.
@Suite("Measurements: transfer")
struct MeasurementsTransferTests {
    /// Takes down what it is shown.
    private struct Listing: NumberTransfer {
        var numbers: [Int64] = []

        mutating func transfer(_ number: inout Int64) {
            numbers.append(number)
        }
    }

    /// Hands over what was taken down; zeros after that, as a reader of a file does.
    private struct Replay: NumberTransfer {
        var numbers: ArraySlice<Int64>

        mutating func transfer(_ number: inout Int64) {
            number = numbers.popFirst() ?? 0
        }
    }

    @Test("Every stored number is handed over, each once")
    func everyNumber() throws {
        let world = try Measurements.fullWorld()
        // All numbers that are handed over differ, and none is what empty measurements hold: 0, or `UInt64.max`.
        var numbers = CountingTransfer(next: Measurements.large)
        var measurements = Measurements(emptyFor: world)
        measurements.transfer(through: &numbers)
        let handedOver = UInt64(Measurements.large)..<UInt64(numbers.next)

        var found: Set<UInt64> = []
        var announcedCount = 3
        for field in StoredNumbers(of: measurements).fields where !Measurements.isFixed(field.path) {
            // An array without elements would pass whatever `transfer` does with it.
            #expect(!field.numbers.isEmpty, "\(field.path) is empty; give fullWorld() what fills it")
            let isHandedOver = field.words.allSatisfy { handedOver.contains($0) && found.insert($0).inserted }
            #expect(isHandedOver, "transfer leaves out \(field.path), or hands over another field in its place")
            if field.numbers.count == LogLinear.bucketCount { announcedCount += 1 }
        }
        // What is handed over and stored nowhere: before the buckets of each histogram how many there are, and of the sender's
        // course whether it is kept, and of how many seconds there are requests and streams.
        #expect(found.count + announcedCount == handedOver.count)
        #expect(measurements.series.windowCount == world.windowCount)
    }

    @Test("What is handed over is all that there is: it makes the same measurements of any others")
    func replay() throws {
        let world = try Measurements.fullWorld()
        let samples = [
            Measurements(emptyFor: world), .counting(from: Measurements.large, in: world),
            .counting(from: 1 << 32, in: world),
        ]
        for original in samples {
            // `transfer` changes what it is called on, though not here: the listing leaves numbers as they are.
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
