/// The columns of the time series of each city: its rides, its screens and its pushes.
///
/// Most are the city's part of a ``SeriesColumn`` (``whole``) and add up to it over the cities.
public enum CityColumn: Int, CaseIterable, Sendable {
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
    /// The level of ``SeriesColumn/liveAtStart`` in the city.
    case liveAtStart
}

extension CityColumn {
    /// The columns that count requests as they are sent; each request counts in one of them.
    public static let requests: [CityColumn] = [.updatesSent, .retriesSent, .endsSent, .startsSent]

    /// The column of all cities together; nil if the time series has none.
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

/// Sums per window and city, column by column; empty in a scenario without cities.
public struct CitySeries: Hashable, Sendable {
    static let columnCount = CityColumn.allCases.count

    /// Grouped by window, then by city, then by column.
    private var cells: [Int64]
    /// The number of cities in the scenario.
    public let cityCount: Int

    /// Creates a series from a recorder's sums in the same order.
    init(_ cells: [Int64], cityCount: Int) {
        self.cells = cells
        self.cityCount = cityCount
    }

    init(windowCount: Int, cityCount: Int) {
        let count = windowCount * cityCount * CitySeries.columnCount
        self.init([Int64](repeating: 0, count: count), cityCount: cityCount)
    }

    /// The sum of a column in a window and a city.
    public subscript(window: Int, city: Int, column: CityColumn) -> Int64 {
        cells[(window * cityCount + city) * CitySeries.columnCount + column.rawValue]
    }

    /// Returns `true` if any sum of a window is not 0.
    ///
    /// - Complexity: O(*cities*).
    public func hasAnything(in window: Int) -> Bool {
        let width = cityCount * CitySeries.columnCount
        return cells[window * width..<(window + 1) * width].contains { $0 != 0 }
    }

    /// The sum of a column in a city over all windows; meaningless for a level.
    ///
    /// - Complexity: O(*windows*).
    public func total(_ column: CityColumn, inCity city: Int) -> Int64 {
        let first = city * CitySeries.columnCount + column.rawValue
        return stride(from: first, to: cells.count, by: cityCount * CitySeries.columnCount).reduce(0) { $0 + cells[$1] }
    }

    mutating func add(_ other: CitySeries) {
        for index in cells.indices {
            cells[index] += other.cells[index]
        }
    }

    mutating func transfer(through numbers: inout some NumberTransfer) {
        numbers.transfer(&cells)
    }
}
