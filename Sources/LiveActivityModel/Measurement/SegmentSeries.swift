/// The columns of the time series of each segment of the fleet: its rides, its screens and its pushes.
///
/// Most are the segment's part of a ``SeriesColumn`` (``whole``) and add up to it over the segments.
public enum SegmentColumn: Int, CaseIterable, Sendable {
    /// Rides that were requested.
    case ridesRequested
    /// Time during rides, with or without an activity.
    case rideTime
    /// Time during rides with an activity on a screen.
    case rideDisplayedTime
    /// The part of ``rideDisplayedTime`` with content before its stale date.
    case rideDisplayedFreshTime
    /// The part of ``rideDisplayedTime`` with a stage that is over.
    case rideWrongStageTime
    case monitoredTime
    case freshTime
    case displayedTime
    case displayedFreshTime
    case activitiesStarted
    case activitiesEnded
    case updatesSent
    case retriesSent
    case endsSent
    case startsSent
    /// The level of ``SeriesColumn/liveAtStart`` in the segment.
    case liveAtStart
}

extension SegmentColumn {
    /// The columns that count requests as they are sent; each request counts in one of them.
    public static let requests: [SegmentColumn] = [.updatesSent, .retriesSent, .endsSent, .startsSent]

    /// The column of all segments together; nil if the time series has none.
    public var whole: SeriesColumn? { declaration.whole }

    /// The column's name in `timeseries_by_city.csv`, its unit last; the same as in the time series, if it is there.
    public var name: String { declaration.name }

    private var declaration: (name: String, whole: SeriesColumn?) {
        func part(of whole: SeriesColumn) -> (String, SeriesColumn?) { (whole.name, whole) }
        return switch self {
        case .ridesRequested: ("rides_requested_count", nil)
        case .rideTime: part(of: .rideTime)
        case .rideDisplayedTime: part(of: .rideDisplayedTime)
        case .rideDisplayedFreshTime: part(of: .rideDisplayedFreshTime)
        case .rideWrongStageTime: part(of: .rideWrongStageTime)
        case .monitoredTime: part(of: .monitoredTime)
        case .freshTime: part(of: .freshTime)
        case .displayedTime: part(of: .displayedTime)
        case .displayedFreshTime: part(of: .displayedFreshTime)
        case .activitiesStarted: part(of: .activitiesStarted)
        case .activitiesEnded: part(of: .activitiesEnded)
        case .updatesSent: part(of: .updatesSent)
        case .retriesSent: part(of: .retriesSent)
        case .endsSent: part(of: .endsSent)
        case .startsSent: part(of: .startsSent)
        case .liveAtStart: part(of: .liveAtStart)
        }
    }
}

/// The state of an activity in an interval, by which the interval counts in the columns of its segment.
struct SegmentTimes {
    /// `true` if the monitor has a belief.
    var isMonitored = false
    /// `true` if the ride goes on.
    var isRiding = false
    /// `true` if a screen shows the activity.
    var isDisplayed = false
    /// `true` if that screen shows the ride's current stage.
    var showsStage = false
    /// The end of the monitor's belief that the instance is fresh [µs].
    var believedFreshUntil: Int64 = 0
    /// The stale date of the content on the screen [µs].
    var freshUntil: Int64 = 0

    /// Adds an interval [µs] within one window to the columns of a segment.
    @inline(__always)
    func add(from: Int64, to: Int64, to row: UnsafeMutablePointer<Int64>) {
        func add(_ time: Int64, _ column: SegmentColumn) { row[column.rawValue] &+= time }
        let time = to &- from
        if isMonitored {
            add(time, .monitoredTime)
            add(max(0, min(to, believedFreshUntil) &- from), .freshTime)
        }
        if isRiding { add(time, .rideTime) }
        guard isDisplayed else { return }
        let freshTime = max(0, min(to, freshUntil) &- from)
        add(time, .displayedTime)
        add(freshTime, .displayedFreshTime)
        guard isRiding else { return }
        add(time, .rideDisplayedTime)
        add(freshTime, .rideDisplayedFreshTime)
        if !showsStage { add(time, .rideWrongStageTime) }
    }
}

/// Sums per window and segment of the fleet, column by column; empty if the fleet is not divided.
///
/// A segment is a cohort in a city.
public struct SegmentSeries: Hashable, Sendable {
    static let columnCount = SegmentColumn.allCases.count

    /// Grouped by window, then by segment, then by column.
    private var cells: [Int64]
    /// The number of segments.
    public let segmentCount: Int

    /// Creates a series from a recorder's sums in the same order.
    init(_ cells: [Int64], segmentCount: Int) {
        self.cells = cells
        self.segmentCount = segmentCount
    }

    init(windowCount: Int, segmentCount: Int) {
        let count = windowCount * segmentCount * SegmentSeries.columnCount
        self.init([Int64](repeating: 0, count: count), segmentCount: segmentCount)
    }

    /// The sum of a column in a window and a segment.
    subscript(window: Int, segment: Int, column: SegmentColumn) -> Int64 {
        cells[(window * segmentCount + segment) * SegmentSeries.columnCount + column.rawValue]
    }

    /// Returns `true` if any sum of a window is not 0.
    ///
    /// - Complexity: O(*segments*).
    public func hasAnything(in window: Int) -> Bool {
        let width = segmentCount * SegmentSeries.columnCount
        return cells[window * width..<(window + 1) * width].contains { $0 != 0 }
    }

    mutating func add(_ other: SegmentSeries) {
        for index in cells.indices {
            cells[index] += other.cells[index]
        }
    }

    mutating func transfer(through numbers: inout some NumberTransfer) {
        numbers.transfer(&cells)
    }
}
