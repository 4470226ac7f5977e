/// The columns of the time series: times in microseconds, then counts, then a level.
///
/// `fresh + recoverable + severe == monitored` and `displayedFresh + displayedStale == displayed`, exactly.
public enum SeriesColumn: Int, CaseIterable, Sendable {
    /// Instances watched by the monitor.
    case monitoredTime
    /// Instances believed fresh.
    case freshTime
    /// Instances that are stale but recoverable.
    case recoverableTime
    /// Instances that are severely stale, from the decision to the invalidated token.
    case severeTime
    /// Activities on screens.
    case displayedTime
    /// Activities with content before its stale date.
    case displayedFreshTime
    /// Activities with content past its stale date.
    case displayedStaleTime
    /// Activities whose content has lapsed while the monitor believes the instance fresh.
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
    /// A level: unlike the other columns, it adds up over cells and replications, but not over windows.
    case liveAtStart
    /// Rides, with or without an activity.
    case rideTime
    /// Rides with an activity on a screen.
    case rideDisplayedTime
    /// Rides with content before its stale date on a screen.
    case rideDisplayedFreshTime
    /// Rides with an earlier stage on a screen.
    case rideWrongStageTime
    /// Requests in flight, integrated over all measured time including the drain, as are the next four columns.
    case busyTime
    /// Pushes in the sender's queue.
    case queuedTime
    /// Pushes that a full queue has deferred, to be offered again.
    case orbitTime
    /// The time without a free stream.
    ///
    /// Either every stream of the open connections is in use, or no connection is open.
    case saturatedTime
    /// The time with a push in the sender's queue.
    case waitingTime
    /// Retries that the monitor decided on.
    case retriesDecided
    /// Retries that the monitor's budget withheld.
    case retriesWithheld
    /// Requests that the sender repeated.
    case repeatsSent
    /// Repeats that the sender's budget withheld.
    case repeatsWithheld
    /// Rides with their current stage on a screen.
    case rideStageTime
    /// The part of ``busyTime`` in which rides arrive.
    case busyTimeOfArrivals
    /// The part of ``queuedTime`` in which rides arrive.
    case queuedTimeOfArrivals
    /// The part of ``orbitTime`` in which rides arrive.
    case orbitTimeOfArrivals
    /// The part of ``saturatedTime`` in which rides arrive.
    case saturatedTimeOfArrivals
    /// The measured time in which rides arrive, summed over cells.
    case arrivalTime
}

extension SeriesColumn {
    /// The columns of `timeseries.csv`; the others only serve metrics.
    public static let written = allCases.filter { $0.rawValue <= SeriesColumn.repeatsWithheld.rawValue }

    /// The columns that count requests as they are sent; each request counts in one of them.
    public static let requests: [SeriesColumn] = [.updatesSent, .retriesSent, .endsSent, .startsSent]

    /// The column's name in `timeseries.csv`, its unit last.
    public var name: String {
        switch self {
        case .monitoredTime: "monitored_time_us"
        case .freshTime: "fresh_time_us"
        case .recoverableTime: "recoverable_time_us"
        case .severeTime: "severe_time_us"
        case .displayedTime: "displayed_time_us"
        case .displayedFreshTime: "displayed_fresh_time_us"
        case .displayedStaleTime: "displayed_stale_time_us"
        case .silentlyStaleTime: "silently_stale_time_us"
        case .activitiesStarted: "activities_started_count"
        case .activitiesEnded: "activities_ended_count"
        case .updatesSent: "updates_sent_count"
        case .retriesSent: "retries_sent_count"
        case .endsSent: "ends_sent_count"
        case .startsSent: "starts_sent_count"
        case .responsesAccepted: "responses_accepted_count"
        case .responsesRefused: "responses_refused_count"
        case .responsesMissing: "responses_missing_count"
        case .updatesShown: "updates_shown_count"
        case .episodesBegun: "stale_episodes_count"
        case .episodesRecovered: "recovered_count"
        case .endedSevere: "ended_severe_count"
        case .liveAtStart: "live_at_start"
        case .rideTime: "ride_time_us"
        case .rideDisplayedTime: "ride_displayed_time_us"
        case .rideDisplayedFreshTime: "ride_displayed_fresh_time_us"
        case .rideWrongStageTime: "ride_wrong_stage_time_us"
        case .busyTime: "send_busy_time_us"
        case .queuedTime: "send_queued_time_us"
        case .orbitTime: "send_orbit_time_us"
        case .saturatedTime: "send_saturated_time_us"
        case .waitingTime: "send_waiting_time_us"
        case .retriesDecided: "retry_attempts_count"
        case .retriesWithheld: "retries_withheld_count"
        case .repeatsSent: "repeats_sent_count"
        case .repeatsWithheld: "repeats_withheld_count"
        case .rideStageTime: "ride_stage_time_us"
        case .busyTimeOfArrivals: "send_busy_time_of_arrivals_us"
        case .queuedTimeOfArrivals: "send_queued_time_of_arrivals_us"
        case .orbitTimeOfArrivals: "send_orbit_time_of_arrivals_us"
        case .saturatedTimeOfArrivals: "send_saturated_time_of_arrivals_us"
        case .arrivalTime: "arrival_time_us"
        }
    }
}

/// Sums per window, column by column.
public struct Series: Hashable, Sendable {
    static let columnCount = SeriesColumn.allCases.count

    /// Grouped by window, each with all columns.
    private var cells: [Int64]
    /// The ``SeriesColumn/waitingTime`` of the cell with the longest, by window.
    public private(set) var longestWaits: [Int64]
    /// The number of windows.
    public let windowCount: Int

    init(windowCount: Int) {
        self.windowCount = windowCount
        longestWaits = [Int64](repeating: 0, count: windowCount)
        cells = [Int64](repeating: 0, count: windowCount * Series.columnCount)
    }

    /// Creates a series from a recorder's sums, grouped by window, each with all columns.
    init(_ cells: [Int64]) {
        self.init(windowCount: cells.count / Series.columnCount)
        self.cells = cells
        complete()
    }

    /// Replaces the sums that a recorder keeps by their complements.
    ///
    /// Most times are times of rides with an activity on the screen, while rides arrive. So the recorder adds the rarer
    /// rest in their columns: rides without an activity, activities after their ride, and the sender's load in the drain.
    private mutating func complete() {
        for window in 0..<windowCount {
            func set(_ column: SeriesColumn, _ value: Int64) {
                cells[window * Series.columnCount + column.rawValue] = value
            }
            let displayed = self[window, .displayedTime] - self[window, .rideDisplayedTime]
            set(.rideTime, displayed + self[window, .rideTime])
            set(.rideDisplayedTime, displayed)
            set(.rideDisplayedFreshTime, self[window, .displayedFreshTime] - self[window, .rideDisplayedFreshTime])
            set(.rideStageTime, displayed - self[window, .rideWrongStageTime])
            longestWaits[window] = self[window, .waitingTime]
            for (part, whole) in Series.partsOfArrivals { set(part, self[window, whole] - self[window, part]) }
        }
    }

    private static let partsOfArrivals: [(part: SeriesColumn, whole: SeriesColumn)] = [
        (.busyTimeOfArrivals, .busyTime), (.queuedTimeOfArrivals, .queuedTime), (.orbitTimeOfArrivals, .orbitTime),
        (.saturatedTimeOfArrivals, .saturatedTime),
    ]

    /// The sum of a column in a window.
    public subscript(window: Int, column: SeriesColumn) -> Int64 {
        cells[window * Series.columnCount + column.rawValue]
    }

    /// The sum of a column over all windows; meaningless for a level.
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
        for window in longestWaits.indices {
            longestWaits[window] = max(longestWaits[window], other.longestWaits[window])
        }
    }

    mutating func transfer(through numbers: inout some NumberTransfer) {
        numbers.transfer(&cells)
        numbers.transfer(&longestWaits)
    }
}
