import Testing

@testable import LiveActivityModel

@Suite("Measurements")
struct MeasurementsTests {
    /// The expected number in a sum, by its field; `Mirror` finds every field, so none can be omitted.
    private static func folded(_ path: String, _ one: Int128, _ other: Int128) -> Int128 {
        switch path {
        case "firstRides":
            // The lowest ride is the example, regardless of its cell.
            min(one, other)
        case let path where path.hasSuffix(".largest"):
            max(one, other)
        case "series.longestWaits":
            max(one, other)
        case let path where path.hasPrefix("senderCourse.settled"):
            // Maxima of finished replications; those of unfinished ones add up second by second.
            max(one, other)
        case let path where Measurements.isFixed(path):
            // Equal in all cells of a run, and not a measurement.
            one
        default:
            // Including maxima: their sum is the upper bound that is reported.
            one + other
        }
    }

    @Test("Adding includes every stored number, in either order")
    func add() throws {
        let world = try Measurements.fullWorld()
        let small = Measurements.counting(from: Measurements.large, in: world)
        let large = Measurements.counting(from: 1 << 32, in: world)
        for (first, second) in [(small, large), (large, small)] {
            var sum = first
            sum.add(second)
            let parts = (StoredNumbers(of: first).fields, StoredNumbers(of: second).fields)
            let sums = StoredNumbers(of: sum).fields
            #expect(sums.map(\.path) == parts.0.map(\.path))
            #expect(sums.map(\.path) == parts.1.map(\.path))
            for (field, (one, other)) in zip(sums, zip(parts.0, parts.1)) {
                let expected = zip(one.numbers, other.numbers).map { Self.folded(field.path, $0, $1) }
                let isSum = field.numbers == expected
                #expect(isSum, "\(field.path) of the sum is not made of both")
            }
        }
    }

    @Test("Empty measurements add nothing, on either side")
    func addNothing() throws {
        let world = try Measurements.fullWorld()
        let something = Measurements.counting(from: Measurements.large, in: world)
        let nothing = Measurements(emptyFor: world)
        // Compared beforehand: a failure would print a hundred thousand numbers.
        let isNeutral = (
            first: Measurements.sum([nothing, something]) == something,
            last: Measurements.sum([something, nothing]) == something
        )
        #expect(isNeutral.first)
        #expect(isNeutral.last)
        #expect(Measurements.sum([nothing, nothing]) == nothing)
    }
}
