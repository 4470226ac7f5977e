public import Quantities

/// Recorded estimates of arrival, by ride and, if the file has stages, by stage.
public struct ETASeries: Hashable, Sendable {
    /// One estimate.
    public struct Estimate: Hashable, BitwiseCopyable, Sendable {
        /// The time of the estimate since the request or, in a series by stage, since the beginning of the stage.
        public var at: TimeSpan
        /// The estimated arrival, since the same instant.
        public var arrival: TimeSpan

        /// Creates an estimate.
        public init(at: TimeSpan, arrival: TimeSpan) {
            (self.at, self.arrival) = (at, arrival)
        }
    }

    /// The number of stages that have estimates of their own; 0 if all times count from the request.
    public let stageCount: Int
    /// The estimates of all rides, one part after another, each in the order of time.
    public private(set) var estimates: [Estimate] = []
    /// The end of each part.
    private var ends: [Int] = []

    /// Creates a series without rides.
    ///
    /// - Parameter stageCount: The number of parts that each ride has, one for each stage; 0 for a single part.
    public init(stageCount: Int = 0) {
        self.stageCount = stageCount
    }

    /// Adds the next part: of the next stage or, after the last one, of the next ride.
    ///
    /// - Precondition: The times do not fall.
    public mutating func addPart(_ part: some Sequence<Estimate>) {
        estimates += part
        ends.append(estimates.count)
    }

    /// The number of rides.
    public var rideCount: Int { ends.count / max(stageCount, 1) }

    /// The estimates of each part.
    public var parts: some Sequence<ArraySlice<Estimate>> {
        zip([0] + ends, ends).lazy.map { [estimates] in estimates[$0..<$1] }
    }

    /// The estimates of a ride that hold in a stage, as indices.
    func part(ofRide number: Int, inStage stage: Int) -> Range<Int> {
        let part = stageCount == 0 ? number : number * stageCount + stage
        return (part == 0 ? 0 : ends[part - 1])..<ends[part]
    }

    /// The number of changes of the estimate in a part up to a time; the first estimate holds before its time as well.
    ///
    /// - Complexity: O(log *n*).
    func changeCount(in part: Range<Int>, upTo time: TimeSpan) -> UInt32 {
        var (low, high) = (part.lowerBound, part.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if estimates[middle].at <= time { low = middle + 1 } else { high = middle }
        }
        return UInt32(clamping: low - part.lowerBound - 1)
    }

    /// The change of the estimated arrival [µs] with a number, from 1.
    func change(_ number: UInt32, in part: Range<Int>) -> Int64 {
        let index = part.lowerBound + Int(number)
        return (estimates[index].arrival - estimates[index - 1].arrival).microseconds
    }

    /// The time of the change with a number, from 1; nil after the last.
    func time(ofChange number: UInt32, in part: Range<Int>) -> TimeSpan? {
        let index = part.lowerBound + Int(number)
        return index < part.upperBound ? estimates[index].at : nil
    }
}
