public import Foundation
public import LiveActivityModel
public import Statistics

/// Sums and samples of an event log, collected event by event in bounded memory.
///
/// A recorded log and a simulated one are digested by this code, so both are measured alike. The sums in bins are whole numbers, so
/// they do not depend on the order of rides; other sums are collected from recorded logs alone, whose order is fixed.
public struct LogDigest: Sendable {
    /// A time until an event, or until the observation ended, with the instant from which it counts.
    public struct Timing: Sendable, Hashable {
        public let at: Int64
        public let time: Int64
        /// `true` if the event came.
        public let isEvent: Bool

        /// The observation without its instant.
        public var observation: ProductLimit.Observation { .init(time: time, isEvent: isEvent) }
    }

    /// A latency with the time of its request.
    public struct Timed: Sendable {
        public let at: Int64
        public let value: Int64
    }

    /// The time of an update from its content to its first request.
    public struct Wait: Sendable {
        /// The time of the request.
        public let at: Int64
        /// The wait [µs]; it is negative if the clocks of content and of requests differ.
        public let time: Int64
        /// The number of requests in flight, this one included.
        public let inFlight: Int
        /// The index of the file.
        public let file: Int
    }

    /// The start of the axis of bins, a whole five minutes.
    public internal(set) var origin: Int64
    /// The bins from the origin on; times in them are complete after ``finish()``.
    public internal(set) var bins: [Bin] = []
    /// The instants of the first and the last event.
    public internal(set) var begin = Int64.max
    public internal(set) var end = Int64.min
    /// The rides: all, or a sample.
    public internal(set) var rides: Reservoir<Ride>
    /// Times to the next refresh after a refresh, by stage; and after the announcement of the stage.
    public internal(set) var refreshes: [Int: Reservoir<Timing>] = [:]
    public internal(set) var firstRefreshes: [Int: Reservoir<Timing>] = [:]
    /// Times from content to its stale date.
    public internal(set) var ttls = Reservoir<Int64>()
    public internal(set) var contentCount = 0
    public internal(set) var withoutStaleDate = 0
    public internal(set) var updatesByStage: [Int: Int] = [:]
    /// Updates by priority: 5 and 10; first those that announce a stage, then the others.
    public internal(set) var priorities = [[0, 0], [0, 0]]
    /// Latencies of accepted requests.
    public internal(set) var latencies = Reservoir<Timed>()
    /// The number of answers without a latency.
    public internal(set) var untimedAnswers = 0
    /// Times after which the sender gave up.
    public internal(set) var giveUps = Reservoir<Timed>()
    /// Waits of updates.
    public internal(set) var waits = Reservoir<Wait>()
    /// Rejections with the time of the request, by reason.
    public internal(set) var rejections = Reservoir<(at: Int64, reason: Int, status: Int)>(capacity: 200_000)
    public internal(set) var startDelays = Reservoir<Timing>()
    /// `true` if the log has the start of any activity.
    public internal(set) var hasStarts = false
    /// `true` if any start states the stale date of its content, which then counts as fresh until that date.
    public internal(set) var statesInitialContent = false
    /// Times from the start of an activity to its first token, or from the request if the log has no starts.
    public internal(set) var tokenDelays = Reservoir<Timed>()
    public internal(set) var tokenDelayOutcomes = Reservoir<Timing>()
    /// Times from the request to the first token of activities whose start is not in the log.
    var tokenDelaysFromRequest = Reservoir<Timing>()
    public internal(set) var rotations = 0
    /// The tokens of rides in progress whose stage was shown already, and those that an update followed at once nevertheless.
    public internal(set) var tokensReceived = 0
    public internal(set) var tokensAnswered = 0
    /// The time for which activities had a token [µs].
    public internal(set) var tokenTime = 0.0
    /// Times from the start of the activity to an end that the app reported during the ride while content was fresh.
    public internal(set) var earlyEnds = Reservoir<Timing>()
    /// Times from the start to an end that the app reported, for activities that still show their initial content.
    public internal(set) var initialEnds = Reservoir<Timing>()
    /// Times from a stale date to the monitor's first attempt, and between attempts.
    public internal(set) var retryDelays = Reservoir<Int64>()
    /// Times from stale dates of watched activities to the monitor's first attempt, or to new content or the end of the watch.
    var lapses = Reservoir<Timing>(capacity: 200_000)
    /// Times from the start of an activity to the monitor's first attempt, if no update came before.
    public internal(set) var firstRetryDelays = Reservoir<Int64>()
    public internal(set) var retryPauses: [Int: Reservoir<Int64>] = [:]
    public internal(set) var retryPriorities: [Int: [Int]] = [:]
    public internal(set) var mostRetries = 0
    /// Times from a stale date to an end during the ride.
    public internal(set) var severeDelays = Reservoir<Int64>()
    /// Times from the end of the ride to its end events, by their number.
    public internal(set) var endDelays: [Int: Reservoir<Int64>] = [:]
    public internal(set) var endsByRide = 0
    public internal(set) var mostAttempts = 1
    public internal(set) var startPushes = 0
    /// The instant of the last request of a ride.
    public internal(set) var lastRequest = Int64.min
    /// The largest number of requests in flight.
    public internal(set) var peakInFlight = 0
    public internal(set) var eventCount = 0
    public internal(set) var shownCount = 0
    /// The requests of activities whose apps report what they show.
    public internal(set) var screens = Reservoir<[ScreenPush]>(capacity: 5000)
    /// The step of the times of reports [µs].
    var reportResolution: Int64 = 1_000_000
    /// The number of ends that apps reported.
    public internal(set) var reportedEndCount = 0
    /// The times without any row in which there should be some, on the log's axis [µs].
    public internal(set) var gaps: [Range<Int64>] = []
    /// How long past its stale date content still counts as fresh [µs].
    public let freshLimit: Int64
    /// The time from content to its stale date, if a log has no stale dates [µs]; nil to count such content as fresh forever.
    public let assumedTTL: Int64?
    /// The step of the times of pushes and answers [µs]: whole seconds, milliseconds or microseconds.
    public internal(set) var resolution: Int64
    /// The length of a bin [µs].
    public let binLength: Int64
    /// `false` if stale dates of the content with which apps start do not count.
    let countsInitialContent: Bool
    /// `false` if only the bins are collected, as for the model's side of a backtest.
    let keepsSamples: Bool
    /// The sum of times of first appearance of each stage since the request, and their number.
    var stageOrder: [Int: (sum: Double, count: Double)] = [:]
    /// The time in which rides were in progress: those with a request in the log, and those that began before it.
    private var known: Occupancy
    private var begunBefore: Occupancy
    /// The number of answers that may belong to another request.
    var uncertainAnswers = 0
    /// The time in which instances were watched in each stage, from none on, and the time in which they were believed fresh.
    var watched: [Occupancy] = []
    var fresh: Occupancy
    /// The part of the watched time after an end that was sent during the ride, in which no update is due.
    var closing: [Occupancy] = []
    var inFlight = 0
    var openRides = 0
    /// The mean latency of answers that belong to a push without doubt [µs], and their number up to a thousand.
    var usualLatency = (mean: 0.0, count: 0.0)
    /// The states of open rides, and the places in it that are free.
    var states: [RideState] = []
    private var freePlaces: [Int] = []
    private var places: [UInt64: Int] = [:]
    /// The ride of the last event with its place; events of one ride often follow each other in a simulation.
    private var last: (ride: UInt64, place: Int)?
    private var sinceSweep = 0
    /// The findings about a recorded log that were not taken yet.
    private(set) var findings: [(finding: LogCleaning.Finding, event: LogEvent)] = []

    /// Creates the digest of a log.
    ///
    /// - Parameters:
    ///   - origin: The start of the axis; nil to take it from the first event.
    ///   - freshLimit: How long past its stale date content still counts as fresh [µs].
    ///   - assumedTTL: The time from content to its stale date, if the log has no stale dates [µs].
    ///   - keepsRides: `true` to keep all rides instead of a sample.
    public init(
        origin: Int64? = nil,
        freshLimit: Int64 = 60_000_000,
        assumedTTL: Int64? = nil,
        keepsRides: Bool = false
    ) {
        self.origin = origin ?? .min
        (self.freshLimit, self.assumedTTL) = (freshLimit, assumedTTL)
        binLength = Self.usualBinLength
        (fresh, known, begunBefore) = (
            Occupancy(binLength: binLength), Occupancy(binLength: binLength), Occupancy(binLength: binLength)
        )
        keepsSamples = true
        countsInitialContent = true
        resolution = 1_000_000
        rides = Reservoir(capacity: keepsRides ? .max : 50_000)
    }

    /// Creates the digest of a simulated log, which has only bins.
    ///
    /// - Parameters:
    ///   - origin: The start of the run on the axis [µs].
    ///   - end: The end of the axis [µs].
    ///   - resolution: The step of the times of the log with which it is compared [µs].
    ///   - binLength: The length of a bin [µs].
    ///   - countsInitialContent: `false` if the log with which it is compared has no stale dates of the content with which apps start.
    public init(
        simulatedFrom origin: Int64,
        to end: Int64,
        freshLimit: Int64,
        resolution: Int64,
        binLength: Int64,
        countsInitialContent: Bool = true
    ) {
        self.countsInitialContent = countsInitialContent
        (self.origin, self.end, self.freshLimit, self.binLength) = (origin, end, freshLimit, binLength)
        (fresh, known, begunBefore) = (
            Occupancy(binLength: binLength), Occupancy(binLength: binLength), Occupancy(binLength: binLength)
        )
        assumedTTL = nil
        keepsSamples = false
        self.resolution = resolution
        rides = Reservoir(capacity: 0)
    }

    // MARK: - Events

    /// Adds an event; events of one ride come in the order of time, with little disorder, and in a recorded log all events do.
    public mutating func add(_ event: LogEvent) {
        if keepsSamples, !admit(event) { return }
        let place = place(of: event)
        guard !keepsSamples || !isRepeated(event, place) else { return }
        states[place].lastAt = max(states[place].lastAt, event.at)
        switch event.kind {
        case .rideRequested: rideRequested(event, place)
        case .stage: stageBegan(event, place)
        case .rideEnded: rideEnded(event, place)
        case .activityStarted: activityStarted(event, place)
        case .tokenPosted: tokenPosted(event.at, place)
        case .tokenInvalidated: stopWatching(event.at, place)
        case .push: pushSent(event, place)
        case .answer: answered(event, place)
        case .activityEnded: activityEnded(event.at, place)
        case .shown: shown(event, place)
        }
    }

    /// Adds the rows of a simulated log; those of one ride are in the order of time.
    public mutating func add(_ rows: [ServerEvent]) {
        for row in rows { add(LogEvent(row, origin: origin)) }
    }

    mutating func note(_ finding: LogCleaning.Finding, _ event: LogEvent) {
        if keepsSamples { findings.append((finding, event)) }
    }

    /// Removes and returns the findings.
    mutating func takeFindings() -> [(finding: LogCleaning.Finding, event: LogEvent)] {
        guard !findings.isEmpty else { return [] }
        defer { findings.removeAll(keepingCapacity: true) }
        return findings
    }

    /// Places an event of a recorded log on the axis; returns `false` if it has no place there.
    private mutating func admit(_ event: LogEvent) -> Bool {
        if origin == .min {
            // The clock of an app may be wrong, so its events do not begin the log.
            guard !event.kind.isOfApp else { return false }
            // The clock of a host may be a little behind when the log begins with an hour.
            let at = event.at + Self.rowDifference
            origin = at - ((at % 300_000_000) + 300_000_000) % 300_000_000
        }
        guard index(event.at) < Self.mostBins else {
            note(.farTime, event)
            return false
        }
        eventCount += 1
        // Other programs, such as apps, may log finer times than the sender.
        if event.kind == .push || event.kind == .answer {
            while event.at % resolution != 0 { resolution /= 1000 }
        }
        if !event.kind.isOfApp, event.kind != .answer || event.at > end {
            noteGap(before: event)
            (begin, end) = (min(begin, event.at), max(end, event.at))
        }
        sinceSweep += 1
        if sinceSweep >= Self.sweepInterval {
            sinceSweep = 0
            sweep(at: end)
        }
        return true
    }

    /// The time without any row that may count as a gap [µs].
    private static let longestSilence: Int64 = 120_000_000

    /// Notes a time without any row, if the log had enough rows before that there should be some.
    private mutating func noteGap(before event: LogEvent) {
        guard end != .min, event.at - end > Self.longestSilence, openRides > 0 else { return }
        // The rows of the last ten minutes.
        let recent = bins.suffix(120).reduce(0) { $0 + $1.pushes + $1.requests }
        guard Double(recent) / 600e6 * Double(event.at - end) > 30 else { return }
        gaps.append(end..<event.at)
        note(.gap, event)
    }

    private mutating func place(of event: LogEvent) -> Int {
        if let last, last.ride == event.ride { return last.place }
        let place: Int
        if let known = places[event.ride] {
            place = known
        } else {
            if let free = freePlaces.popLast() {
                place = free
            } else {
                place = states.count
                states.append(RideState())
            }
            states[place].begin(event)
            places[event.ride] = place
        }
        last = (event.ride, place)
        return place
    }

    private mutating func isRepeated(_ event: LogEvent, _ place: Int) -> Bool {
        var hash = UInt64(bitPattern: event.at) &* 0x9E37_79B9_7F4A_7C15
        hash ^= event.push &+ UInt64(event.kind.rawValue) &* 0xBF58_476D_1CE4_E5B9 &+ UInt64(event.stage)
        // Requests without an id can differ in any field.
        hash ^= event.fields
        // 0 marks the lack of an earlier event.
        hash = max(1, hash)
        let recent = states[place].recent
        if hash == recent.0 || hash == recent.1 || hash == recent.2 || hash == recent.3 {
            // The row of a push with its answer counts once.
            if !event.isInRowOfPush { note(event.fields == 0 ? .duplicate : .duplicateWithoutID, event) }
            return true
        }
        states[place].recent = (hash, recent.0, recent.1, recent.2)
        return false
    }

    // MARK: - The end

    /// The number of events between two removals of rides that are over.
    private static let sweepInterval = 100_000
    /// The time after which a ride that is over, or one without any events, is closed [µs].
    private static let rest: (over: Int64, silent: Int64) = (1_800_000_000, 43_200_000_000)
    /// The first part of a log, in which a ride without a request counts as begun before the log [µs].
    static let longestRide: Int64 = 7_200_000_000

    /// Closes the rides that are over at an instant which the log has reached.
    public mutating func sweep(at now: Int64) {
        // The order of a dictionary must not matter, so rides are closed in the order of their names.
        let over = places.filter { _, place in
            states[place].lastAt < now - (states[place].endedAt != LogEvent.none ? Self.rest.over : Self.rest.silent)
        }
        for (ride, place) in over.sorted(by: { $0.key < $1.key }) {
            close(place, at: now)
            places[ride] = nil
            states[place].flights.removeAll(keepingCapacity: true)
            freePlaces.append(place)
        }
        last = nil
    }

    private mutating func close(_ place: Int, at now: Int64) {
        inFlight -= states[place].flights.count
        let endedAt = states[place].endedAt
        // A ride without a row after a gap ended in it.
        let gap = endedAt == LogEvent.none ? gaps[firstGap(from: states[place].lastAt)...].first : nil
        let now = gap?.lowerBound ?? now
        stopWatching(endedAt == LogEvent.none ? now : endedAt, place)
        guard keepsSamples else { return }
        settleRefreshAtEnd(place)
        confirmEarlyEnd(place)
        closeScreen(place)
        guard states[place].requestedAt != LogEvent.none else {
            // Much later than the beginning of the log, these are rows of a ride that had been over for long, or the request is missing.
            if let first = states[place].first, first.kind != .answer {
                let isEarly = first.at - origin < Self.longestRide
                note(isEarly ? .beganBefore : .withoutRequest, first)
                let gap = gaps[..<firstGap(from: first.at)].last
                if isEarly || gap.map({ first.at - $0.upperBound < Self.longestRide }) ?? false {
                    let last = endedAt == LogEvent.none ? states[place].lastAt : endedAt
                    begunBefore.add(max(0, first.at - origin), last - origin)
                }
            }
            return
        }
        if endedAt == LogEvent.none {
            openRides -= 1
            closeStage(now, place)
        }
        let state = states[place]
        let last = endedAt == LogEvent.none ? now : endedAt
        known.add(max(0, state.requestedAt - origin), last - origin)
        if state.startedAt == LogEvent.none {
            startDelays.add(Timing(at: state.requestedAt, time: max(0, last - state.requestedAt), isEvent: false))
        } else if state.tokenAt == LogEvent.none {
            let until = state.reportedEnd == LogEvent.none ? last : state.reportedEnd
            tokenDelayOutcomes.add(Timing(at: state.startedAt, time: max(0, until - state.startedAt), isEvent: false))
        }
        if state.startedAt != LogEvent.none, state.reportedEnd == LogEvent.none {
            let observed = Timing(at: state.startedAt, time: max(0, last - state.startedAt), isEvent: false)
            if state.hasAcceptedContent { earlyEnds.add(observed) } else { initialEnds.add(observed) }
        }
        rides.add(
            Ride(
                requestedAt: state.requestedAt,
                stages: state.stages,
                isCancelled: state.isCancelled,
                isComplete: state.endedAt != LogEvent.none,
                endsInGap: gap != nil
            )
        )
    }

    /// Ends the log.
    public mutating func finish() {
        for (ride, place) in places.sorted(by: { $0.key < $1.key }) {
            if keepsSamples, states[place].requestedAt != LogEvent.none, states[place].endedAt == LogEvent.none,
                firstGap(from: states[place].lastAt) == gaps.count
            {
                note(.openAtEnd, LogEvent(.rideRequested, at: end, ride: ride))
            }
            close(place, at: end)
        }
        (places, states, freePlaces, last) = ([:], [], [], nil)
        if !hasStarts {
            for delay in tokenDelaysFromRequest.elements { tokenDelays.add(Timed(at: delay.at, value: delay.time)) }
            tokenDelayOutcomes = tokenDelaysFromRequest
        }
        addTimes()
    }

    /// The stages in the order of a ride: by the mean time of their first appearance.
    public var stagesInOrder: [Int] {
        stageOrder.sorted { ($0.value.sum / $0.value.count, $0.key) < ($1.value.sum / $1.value.count, $1.key) }
            .map(\.key)
    }

    /// Returns the number of windows at the beginning of the log to leave out, because more than 2 % of the rides in progress had
    /// begun before it.
    ///
    /// - Parameter length: The number of bins in a window.
    public func windowsBegunBefore(length: Int) -> Int {
        windowBegunAfter(0, length: length, known.times, begunBefore.times)
    }

    /// Returns the windows that a gap covers in part or whole, and those after it, as long as more than 2 % of the rides in progress had begun
    /// in the gap.
    ///
    /// - Parameter length: The number of bins in a window.
    public func windowsInGaps(length: Int) -> IndexSet {
        let (known, before) = (known.times, begunBefore.times)
        var windows = IndexSet()
        for gap in gaps {
            let (first, last) = (index(gap.lowerBound) / length, index(gap.upperBound) / length)
            windows.insert(integersIn: first..<windowBegunAfter(last + 1, length: length, known, before))
        }
        return windows
    }

    /// Returns the first window from one on in which at most 2 % of the time of rides belongs to those whose request is missing.
    private func windowBegunAfter(_ first: Int, length: Int, _ known: [Int64], _ before: [Int64]) -> Int {
        func sum(_ times: [Int64], _ window: Int) -> Int64 {
            times.dropFirst(window * length).prefix(length).reduce(0, +)
        }
        var window = first
        while window * length < before.count, sum(before, window) * 50 > sum(known, window) + sum(before, window) {
            window += 1
        }
        return window
    }

    /// Returns the part of a time in which the log has rows [µs]: without its gaps.
    ///
    /// - Parameter time: The time since the origin [µs].
    func observed(_ time: Range<Int64>) -> Int64 {
        gaps[max(0, firstGap(from: time.lowerBound + origin) - 1)...]
            .prefix { $0.lowerBound < time.upperBound + origin }
            .reduce(Int64(time.count)) { rest, gap in
                rest - Int64((gap.lowerBound - origin..<gap.upperBound - origin).clamped(to: time).count)
            }
    }

    /// Returns the index of the first gap that begins at or after an instant.
    private func firstGap(from instant: Int64) -> Int {
        var (low, high) = (0, gaps.count)
        while low < high {
            let middle = (low + high) / 2
            if gaps[middle].lowerBound < instant { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The median latency of accepted requests [µs]; nil without any.
    var medianLatency: Int64? {
        let latencies = latencies.elements.map(\.value).sorted()
        return latencies.isEmpty ? nil : latencies[latencies.count / 2]
    }

    /// The number of requests that APNs accepted.
    public var acceptedCount: Int { bins.reduce(0) { $0 + $1.accepted } }

    /// `true` if any content has a stale date.
    public var hasStaleDates: Bool { ttls.count > 0 }

    /// The time from the origin to the last event [µs].
    public var length: Int64 { max(0, end - origin) }
}
