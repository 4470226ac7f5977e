/// The merger of results from shares of one load.
public struct ShareMerger: Hashable, Sendable {
    /// The number of shares of the load.
    public let count: Int
    /// The merged shares, in ascending order.
    public let merged: [Int]
    /// The merged shares that sent late.
    public let late: [Int]
    /// The merged shares that ended early.
    public let endedEarly: [Int]
    /// The start of all shares [µs since 1970].
    public let start: Int64

    /// Creates a description of a merger.
    public init(of count: Int, merged: [Int], late: [Int], endedEarly: [Int], start: Int64) {
        self.count = count
        self.merged = merged
        self.late = late
        self.endedEarly = endedEarly
        self.start = start
    }

    /// The missing shares.
    public var missing: [Int] { (1...max(1, count)).filter { !merged.contains($0) } }

    /// `true` if the results cover less than the requested load.
    public var isPart: Bool { !missing.isEmpty || !endedEarly.isEmpty }
}
