/// The columns of the time series: times in microseconds, then counts, then a level.
public enum SeriesColumn: Int, CaseIterable, Sendable {
    case monitoredTime
    case freshTime
    case recoverableTime
    case severeTime
    case displayedTime
    case displayedFreshTime
    case displayedStaleTime
    case silentlyStaleTime
    case activitiesStarted
    case activitiesEnded
    case updatesSent
    case retriesSent
    case endsSent
    case startsSent
    case responsesAccepted
    case responsesRefused
    case responsesMissing
    case updatesShown
    case episodesBegun
    case episodesRecovered
    case endedSevere
    /// Activities on screens at the first measured instant of the window, before the events of that instant.
    ///
    /// A level: unlike all other columns it adds up over cells and replications, not over windows.
    case liveAtStart
}

/// Sums per window of time, column by column.
public struct Series: Hashable, Sendable {
    static let columnCount = SeriesColumn.allCases.count

    /// Window by window, each with all columns.
    private var cells: [Int64]
    /// How many windows there are.
    public let windowCount: Int

    init(windowCount: Int) {
        self.windowCount = windowCount
        cells = [Int64](repeating: 0, count: windowCount * Series.columnCount)
    }

    /// The sums that a ledger holds, window by window, each with all columns.
    init(_ cells: UnsafeBufferPointer<Int64>) {
        windowCount = cells.count / Series.columnCount
        self.cells = Array(cells)
    }

    /// The sum of a column in a window.
    public subscript(window: Int, column: SeriesColumn) -> Int64 {
        cells[window * Series.columnCount + column.rawValue]
    }

    /// The sum of a column over all windows; of no meaning for a level.
    public func total(_ column: SeriesColumn) -> Int64 {
        (0..<windowCount).reduce(0) { $0 + self[$1, column] }
    }

    mutating func add(_ amount: Int64, to column: SeriesColumn, window: Int) {
        // The last instant of a run belongs to its last window.
        cells[min(window, windowCount - 1) * Series.columnCount + column.rawValue] += amount
    }

    mutating func add(_ other: Series) {
        for index in cells.indices {
            cells[index] += other.cells[index]
        }
    }

    mutating func transfer(through numbers: inout some NumberTransfer) {
        numbers.transfer(&cells)
    }
}
