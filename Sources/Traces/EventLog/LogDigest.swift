import Foundation
import LiveActivityModel
public import Statistics

/// Sums and samples of an event log, collected event by event in bounded memory.
///
/// A recorded log and a simulated one are digested by this code, so both are measured alike.
public final class LogDigest {
    /// The length of a bin of the time series [µs].
    public static let binLength: Int64 = 5_000_000

    /// One bin of the time series.
    public struct Bin: Sendable {
        /// Rides requested.
        public var requests = 0
        /// Activities that apps started.
        public var starts = 0
        /// First tokens of activities.
        public var tokens = 0
        /// Requests to APNs that began.
        public var pushes = 0
        /// Requests for the monitor's attempts.
        public var retries = 0
        /// Requests that end activities.
        public var ends = 0
        /// Updates, by the time of their first request.
        public var updates = 0
        /// Updates, by the time of their content.
        public var contents = 0
        /// Requests that began here and were accepted.
        public var accepted = 0
        /// Requests that began here and were rejected for a reason other than the token, the push or its rate.
        public var unavailable = 0
        /// Requests that began here and were rejected for any other reason.
        public var rejected = 0
        /// Requests that began here and were never answered.
        public var unanswered = 0
        /// The sum of the logarithms of the latencies of accepted requests [ln µs].
        public var logLatency = 0.0
        /// The sum of the waits of updates from their content to their first request [µs], and their number.
        public var wait = 0.0
        public var waits = 0
        /// The time in which instances were watched [µs].
        public var watched = 0.0
        /// The time of it in which the server believed them fresh [µs].
        public var fresh = 0.0
        /// Activities that apps reported as ended during the ride.
        public var reportedEnds = 0
        /// Rides in progress at the beginning of the bin.
        public var openRides = 0
    }

    /// A ride of the log.
    public struct Ride: Sendable {
        public let requestedAt: Int64
        /// The stages in the order in which they began, with their lengths [µs].
        public let stages: [(stage: Int, length: Int64)]
        public let isCancelled: Bool
        /// `true` if its end is in the log.
        public let isComplete: Bool
    }

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

    /// The start of the axis of bins, a whole five minutes.
    public private(set) var origin: Int64
    /// The bins from the origin on.
    public private(set) var bins: [Bin] = []
    /// The instant of the last event.
    public private(set) var end = Int64.min
    /// The rides: all, or a sample.
    public private(set) var rides: Reservoir<Ride>
    /// Times to the next refresh after a refresh, by stage; and after the announcement of the stage.
    public private(set) var refreshes: [Int: Reservoir<Timing>] = [:]
    public private(set) var firstRefreshes: [Int: Reservoir<Timing>] = [:]
    /// Times from content to its stale date.
    public private(set) var ttls = Reservoir<Int64>()
    public private(set) var contentCount = 0
    public private(set) var withoutStaleDate = 0
    /// The time in each bin for which rides in a stage had a token [µs], by stage, and the updates in the stage.
    public private(set) var exposure: [Int: [Float]] = [:]
    public private(set) var updatesByStage: [Int: Int] = [:]
    /// Updates by priority: 5 and 10; first those that announce a stage, then the others.
    public private(set) var priorities = [[0, 0], [0, 0]]
    /// Latencies of accepted requests.
    public private(set) var latencies = Reservoir<Timed>()
    /// Times after which the sender gave up.
    public private(set) var giveUps = Reservoir<Timed>()
    /// Rejections with the time of the request, by reason.
    public private(set) var rejections = Reservoir<(at: Int64, reason: Int, status: Int)>(capacity: 200_000)
    public private(set) var startDelays = Reservoir<Timing>()
    public private(set) var tokenDelays = Reservoir<Timed>()
    public private(set) var tokenDelayOutcomes = Reservoir<Timing>()
    public private(set) var rotations = 0
    /// The time for which activities had a token [µs].
    public private(set) var tokenTime = 0.0
    /// Times from the start of the activity to an end that the app reported during the ride while content was fresh.
    public private(set) var earlyEnds = Reservoir<Timing>()
    /// Times from a stale date to the monitor's first attempt, and between attempts.
    public private(set) var retryDelays = Reservoir<Int64>()
    public private(set) var retryPauses: [Int: Reservoir<Int64>] = [:]
    public private(set) var retryPriorities: [Int: [Int]] = [:]
    public private(set) var mostRetries = 0
    /// Times from a stale date to an end during the ride.
    public private(set) var severeDelays = Reservoir<Int64>()
    /// Times from the end of the ride to its end events, by their number.
    public private(set) var endDelays: [Int: Reservoir<Int64>] = [:]
    public private(set) var endsByRide = 0
    public private(set) var mostAttempts = 1
    /// The times between the attempts of a push.
    public private(set) var startPushes = 0
    /// The instant of the last request of a ride.
    public private(set) var lastRequest = Int64.min
    /// The largest number of requests in flight.
    public private(set) var peakInFlight = 0
    public private(set) var eventCount = 0
    public private(set) var shownCount = 0
    /// The number of ends that apps reported.
    public private(set) var reportedEndCount = 0
    /// The longest time without any row in which there should be some [µs].
    public private(set) var longestGap: Int64 = 0
    /// The sum of times of first appearance of each stage since the request, and their number.
    private var stageOrder: [Int: (sum: Double, count: Double)] = [:]
    private var open: [UInt64: State] = [:]
    private var inFlight = 0
    private var openRides = 0
    private var sinceSweep = 0
    /// How long past its stale date content still counts as fresh [µs].
    public let freshLimit: Int64
    private let isSimulated: Bool
    /// Called for findings.
    var note: (LogCleaning.Finding, LogEvent) -> Void = { _, _ in }

    /// Creates an empty digest.
    ///
    /// - Parameters:
    ///   - origin: The start of the axis; nil to take it from the first event.
    ///   - freshLimit: How long past its stale date content still counts as fresh [µs].
    ///   - keepsRides: `true` to keep all rides instead of a sample.
    public init(origin: Int64? = nil, freshLimit: Int64 = 60_000_000, keepsRides: Bool = false) {
        self.origin = origin ?? .min
        self.freshLimit = freshLimit
        isSimulated = origin != nil
        rides = Reservoir(capacity: keepsRides ? .max : 50_000)
    }

    private struct Flight {
        let push: UInt64
        let at: Int64
        let kind: StoryLine.PushKind
        let staleDate: Int64
    }

    /// An open ride.
    private final class State {
        var requestedAt = LogEvent.none
        var stage = -1
        var stageBeganAt = LogEvent.none
        var stages: [(stage: Int, length: Int64)] = []
        var endedAt = LogEvent.none
        var isCancelled = false
        var startedAt = LogEvent.none
        /// `true` if a row reports the start.
        var hasStarted = false
        var tokenAt = LogEvent.none
        var hasToken = false
        var watchedSince = LogEvent.none
        var accountedTo = LogEvent.none
        var freshUntil = LogEvent.none
        var flights: [Flight] = []
        /// The content after which the next refresh is awaited; `isFirst` if it announced the stage.
        var mark = LogEvent.none
        var markIsFirst = false
        var isStageAnnounced = true
        var retries = 0
        var retryAt = LogEvent.none
        var ends = 0
        var reportedEnd = LogEvent.none
        var lastAt = LogEvent.none
        var recent: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        /// The first event of the ride in the log.
        var first: LogEvent?
    }

    // MARK: - Events

    /// Adds an event; events come in the order of time, with little disorder.
    public func add(_ event: LogEvent) {
        if origin == .min {
            // The clock of an app may be wrong, so its events do not begin the log.
            guard !event.kind.isOfApp else { return }
            origin = event.at - ((event.at % 300_000_000) + 300_000_000) % 300_000_000
        }
        guard isSimulated || index(event.at) < Self.mostBins else {
            note(.farTime, event)
            return
        }
        eventCount += 1
        if !event.kind.isOfApp, event.kind != .answer || event.at > end {
            noteGap(before: event)
            end = max(end, event.at)
        }
        sinceSweep += 1
        if sinceSweep >= Self.sweepInterval { sweep() }
        guard let state = open[event.ride] ?? begin(event) else { return }
        guard !isRepeated(event, state) else {
            note(.duplicate, event)
            return
        }
        state.lastAt = max(state.lastAt, event.at)
        let at = event.at
        switch event.kind {
        case .rideRequested:
            state.requestedAt = at
            if state.hasStarted { startedBeforeRequest(event, state) }
            lastRequest = max(lastRequest, at)
            bin(at) { $0.requests += 1 }
            openRides += 1
        case .stage: stageBegan(event, state)
        case .rideEnded: rideEnded(event, state)
        case .activityStarted:
            bin(at) { $0.starts += 1 }
            if !state.hasStarted, state.requestedAt != LogEvent.none {
                if at < state.requestedAt { note(.startFirst, event) }
                startDelays.add(Timing(at: state.requestedAt, time: max(0, at - state.requestedAt), isEvent: true))
            }
            state.hasStarted = true
            if state.startedAt == LogEvent.none { state.startedAt = at }
        case .tokenPosted: tokenPosted(at, state)
        case .tokenInvalidated: stopWatching(state, at)
        case .push: pushSent(event, state)
        case .answer: answered(event, state)
        case .activityEnded:
            reportedEndCount += 1
            if state.endedAt == LogEvent.none {
                bin(at) { $0.reportedEnds += 1 }
                if state.reportedEnd == LogEvent.none, state.startedAt != LogEvent.none {
                    // With stale content, the app or iOS may have ended it; then it is not known when a swipe would have come.
                    let isFresh = state.freshUntil == LogEvent.none || at < state.freshUntil
                    earlyEnds.add(Timing(at: state.startedAt, time: max(0, at - state.startedAt), isEvent: isFresh))
                }
                state.reportedEnd = at
            }
            stopWatching(state, at)
        case .shown: shownCount += 1
        }
    }

    /// The time without any row that may count as a gap [µs].
    private static let longestSilence: Int64 = 120_000_000

    /// Notes a time without any row, if the log had enough rows before that there should be some.
    private func noteGap(before event: LogEvent) {
        guard end != .min, event.at - end > Self.longestSilence, openRides > 0 else { return }
        // The rows of the last ten minutes.
        let recent = bins.suffix(120).reduce(0) { $0 + $1.pushes + $1.requests }
        guard Double(recent) / 600e6 * Double(event.at - end) > 30 else { return }
        longestGap = max(longestGap, event.at - end)
        note(.gap, event)
    }
    /// The number of events between two removals of rides that are over.
    private static let sweepInterval = 100_000
    /// The time after which a ride that is over, or one without any events, is closed [µs].
    private static let rest: (over: Int64, silent: Int64) = (1_800_000_000, 43_200_000_000)

    /// The first part of a log, in which a ride without a request counts as begun before the log [µs].
    private static let longestRide: Int64 = 7_200_000_000

    private func begin(_ event: LogEvent) -> State? {
        let state = State()
        open[event.ride] = state
        state.first = event
        return state
    }

    private func isRepeated(_ event: LogEvent, _ state: State) -> Bool {
        var hash = UInt64(bitPattern: event.at) &* 0x9E37_79B9_7F4A_7C15
        hash ^= event.push &+ UInt64(event.kind.rawValue) &* 0xBF58_476D_1CE4_E5B9 &+ UInt64(event.stage)
        guard !isSimulated else { return false }
        // 0 marks the lack of an earlier event.
        hash = max(1, hash)
        let recent = state.recent
        if hash == recent.0 || hash == recent.1 || hash == recent.2 || hash == recent.3 { return true }
        state.recent = (hash, recent.0, recent.1, recent.2)
        return false
    }

    /// Adds the start of an activity by a clock that is behind the server's.
    private func startedBeforeRequest(_ request: LogEvent, _ state: State) {
        note(.startFirst, request)
        startDelays.add(Timing(at: request.at, time: 0, isEvent: true))
        // Times from the start count from the request, the earliest that is possible.
        state.startedAt = max(state.startedAt, request.at)
    }

    private func stageBegan(_ event: LogEvent, _ state: State) {
        let at = event.at
        account(state, at)
        closeGap(state, at, isEvent: false)
        closeStage(state, at)
        if state.requestedAt != LogEvent.none, !state.stages.contains(where: { $0.stage == event.stage }) {
            let known = stageOrder[event.stage] ?? (0, 0)
            stageOrder[event.stage] = (known.sum + Double(at - state.requestedAt), known.count + 1)
        }
        (state.stage, state.stageBeganAt) = (event.stage, at)
        state.isStageAnnounced = false
    }

    private func closeStage(_ state: State, _ at: Int64) {
        guard state.stage >= 0 else { return }
        state.stages.append((state.stage, max(0, at - state.stageBeganAt)))
        state.stage = -1
    }

    private func closeGap(_ state: State, _ at: Int64, isEvent: Bool) {
        guard state.mark != LogEvent.none, state.stage >= 0 else { return }
        let observation = Timing(at: state.mark, time: max(0, at - state.mark), isEvent: isEvent)
        if state.markIsFirst {
            firstRefreshes[state.stage, default: Reservoir()].add(observation)
        } else {
            refreshes[state.stage, default: Reservoir()].add(observation)
        }
        state.mark = LogEvent.none
    }

    private func rideEnded(_ event: LogEvent, _ state: State) {
        guard state.endedAt == LogEvent.none else { return }
        closeGap(state, event.at, isEvent: false)
        stopWatching(state, event.at)
        closeStage(state, event.at)
        (state.endedAt, state.isCancelled) = (event.at, event.isCancelled)
        if state.requestedAt != LogEvent.none { openRides -= 1 }
    }

    private func tokenPosted(_ at: Int64, _ state: State) {
        // A log without starts shows the token only.
        if state.startedAt == LogEvent.none { state.startedAt = state.requestedAt }
        if !state.hasToken, state.startedAt != LogEvent.none, state.tokenAt == LogEvent.none {
            bin(at) { $0.tokens += 1 }
            tokenDelays.add(Timed(at: state.startedAt, value: max(0, at - state.startedAt)))
            tokenDelayOutcomes.add(Timing(at: state.startedAt, time: max(0, at - state.startedAt), isEvent: true))
        } else if state.hasToken {
            rotations += 1
        }
        if state.tokenAt == LogEvent.none { state.tokenAt = at }
        state.hasToken = true
        // The first update after a token need not be a refresh that was due.
        state.mark = LogEvent.none
        // The content with which the app started shows the stage; the first refresh counts from the beginning of the stage.
        if state.stage >= 0, state.stages.isEmpty, state.startedAt >= state.stageBeganAt {
            state.isStageAnnounced = true
            if at - state.stageBeganAt < 10_000_000 { (state.mark, state.markIsFirst) = (state.stageBeganAt, true) }
        }
        if state.watchedSince == LogEvent.none, state.endedAt == LogEvent.none {
            (state.watchedSince, state.accountedTo) = (at, at)
        }
    }

    private func stopWatching(_ state: State, _ at: Int64) {
        account(state, at)
        if state.watchedSince != LogEvent.none { tokenTime += Double(max(0, at - state.watchedSince)) }
        state.watchedSince = LogEvent.none
        state.hasToken = false
    }

    private func pushSent(_ event: LogEvent, _ state: State) {
        let at = event.at
        bin(at) {
            $0.pushes += 1
            if event.pushKind == .retry { $0.retries += 1 }
            if event.pushKind == .end { $0.ends += 1 }
        }
        inFlight += 1
        peakInFlight = max(peakInFlight, inFlight)
        let id = event.push != 0 ? event.push : event.ride ^ UInt64(bitPattern: at)
        if state.flights.count >= 64 {
            state.flights.removeFirst()
            inFlight -= 1
        }
        state.flights.append(Flight(push: id, at: at, kind: event.pushKind, staleDate: event.staleDate))
        mostAttempts = max(mostAttempts, min(event.attempt, 31) + 1)
        guard event.attempt == 0 else { return }
        let content = event.generatedAt == LogEvent.none ? at : event.generatedAt
        if event.generatedAt != LogEvent.none, event.pushKind == .update {
            bin(at) {
                $0.wait += Double(max(0, at - event.generatedAt))
                $0.waits += 1
            }
        }
        switch event.pushKind {
        case .update: updateSent(event, content, state)
        case .retry: retrySent(event, content, state)
        case .end: endSent(at, state)
        case .start: startPushes += 1
        }
    }

    private func updateSent(_ event: LogEvent, _ content: Int64, _ state: State) {
        bin(content) { $0.contents += 1 }
        bin(event.at) { $0.updates += 1 }
        contentCount += 1
        updatesByStage[state.stage, default: 0] += 1
        if event.staleDate == LogEvent.none {
            withoutStaleDate += 1
        } else {
            ttls.add(max(0, event.staleDate - content))
        }
        let announces = !state.isStageAnnounced && content - state.stageBeganAt < 2_000_000
        priorities[announces ? 0 : 1][event.priority >= 10 ? 1 : 0] += 1
        if announces || !state.isStageAnnounced {
            closeGap(state, content, isEvent: false)
            (state.mark, state.markIsFirst) = announces ? (content, true) : (LogEvent.none, false)
        } else {
            // Many servers push at once when they receive a token; that is no refresh.
            if state.tokenAt != LogEvent.none, content - state.tokenAt < 500_000 {
                state.mark = LogEvent.none
            } else {
                closeGap(state, content, isEvent: true)
                (state.mark, state.markIsFirst) = (content, false)
            }
        }
        state.isStageAnnounced = true
    }

    private func retrySent(_ event: LogEvent, _ content: Int64, _ state: State) {
        if state.retries == 0, let delay = timeSinceStale(content, state) {
            retryDelays.add(delay)
        } else if state.retries > 0, state.retryAt != LogEvent.none {
            retryPauses[state.retries, default: Reservoir(capacity: 5000)].add(content - state.retryAt)
        }
        retryPriorities[min(state.retries, 9), default: [0, 0]][event.priority >= 10 ? 1 : 0] += 1
        state.retries += 1
        state.retryAt = content
        mostRetries = max(mostRetries, state.retries)
    }

    /// Returns the time since the stale date [µs]; nil before it, and if there is none.
    private func timeSinceStale(_ at: Int64, _ state: State) -> Int64? {
        guard state.freshUntil != LogEvent.none, at >= state.freshUntil - freshLimit else { return nil }
        return at - (state.freshUntil - freshLimit)
    }

    private func endSent(_ at: Int64, _ state: State) {
        if state.endedAt != LogEvent.none {
            if state.ends == 0 { endsByRide += 1 }
            if state.ends < 16 {
                endDelays[state.ends, default: Reservoir(capacity: 5000)].add(max(0, at - state.endedAt))
            }
            state.ends += 1
        } else if let delay = timeSinceStale(at, state) {
            severeDelays.add(delay)
        }
    }

    private func answered(_ event: LogEvent, _ state: State) {
        let place = event.push == 0 ? state.flights.indices.first : state.flights.firstIndex { $0.push == event.push }
        guard let place else {
            note(.answerWithoutPush, event)
            return
        }
        let flight = state.flights.remove(at: place)
        inFlight -= 1
        if event.at < flight.at { note(.answerFirst, event) }
        let latency = max(0, event.at - flight.at)
        switch event.status {
        case 200:
            bin(flight.at) {
                $0.accepted += 1
                $0.logLatency += log(Double(max(1, latency)))
            }
            latencies.add(Timed(at: flight.at, value: latency))
            if flight.kind != .end, flight.staleDate != LogEvent.none { believe(flight.staleDate, state, event.at) }
            if flight.kind != .end, flight.staleDate == LogEvent.none { believe(.max, state, event.at) }
        case 0:
            bin(flight.at) { $0.unanswered += 1 }
            giveUps.add(Timed(at: flight.at, value: latency))
        default:
            bin(flight.at) {
                if event.status >= 500 { $0.unavailable += 1 } else { $0.rejected += 1 }
            }
            rejections.add((flight.at, event.reason, event.status))
        }
    }

    private func believe(_ staleDate: Int64, _ state: State, _ at: Int64) {
        account(state, at)
        let until = staleDate > .max - freshLimit ? .max : staleDate + freshLimit
        if until > state.freshUntil {
            state.freshUntil = until
            if until > at { state.retries = 0 }
        }
    }

    /// Adds the time since the last call to the belief in the windows that it covers.
    private func account(_ state: State, _ at: Int64) {
        guard state.watchedSince != LogEvent.none, at > state.accountedTo else { return }
        spread(state.accountedTo, at) { $0.watched += $1 }
        if state.stage >= 0 { expose(state.stage, state.accountedTo, at) }
        if state.freshUntil > state.accountedTo {
            spread(state.accountedTo, min(at, state.freshUntil)) { $0.fresh += $1 }
        }
        state.accountedTo = at
    }

    // MARK: - Bins

    private func index(_ at: Int64) -> Int { max(0, Int((at - origin) / Self.binLength)) }

    /// The largest number of bins: two months.
    private static let mostBins = 1_100_000

    private func bin(_ at: Int64, _ change: (inout Bin) -> Void) {
        let index = index(at)
        guard index < Self.mostBins else { return }
        while bins.count <= index {
            bins.append(Bin())
            bins[bins.count - 1].openRides = openRides
        }
        change(&bins[index])
    }

    private func spread(_ from: Int64, _ to: Int64, _ change: (inout Bin, Double) -> Void) {
        var start = max(from, origin)
        let to = min(to, origin + Int64(Self.mostBins) * Self.binLength)
        while start < to {
            let next = min(to, origin + Int64(index(start) + 1) * Self.binLength)
            bin(start) { change(&$0, Double(next - start)) }
            start = next
        }
    }

    private func expose(_ stage: Int, _ from: Int64, _ to: Int64) {
        var start = max(from, origin)
        while start < to {
            let index = index(start)
            guard index < Self.mostBins else { return }
            let next = min(to, origin + Int64(index + 1) * Self.binLength)
            let missing = index + 1 - (exposure[stage]?.count ?? 0)
            if missing > 0 { exposure[stage, default: []] += [Float](repeating: 0, count: missing) }
            exposure[stage]?[index] += Float(next - start)
            start = next
        }
    }

    // MARK: - The end

    private func sweep() {
        sinceSweep = 0
        // The order of a dictionary must not matter, so rides are closed in the order of their names.
        let over = open.filter { _, state in
            state.lastAt < end - (state.endedAt != LogEvent.none ? Self.rest.over : Self.rest.silent)
        }
        for key in over.keys.sorted() {
            if let state = open.removeValue(forKey: key) { close(state) }
        }
    }

    private func close(_ state: State) {
        inFlight -= state.flights.count
        stopWatching(state, state.endedAt == LogEvent.none ? end : state.endedAt)
        guard state.requestedAt != LogEvent.none else {
            // Much later than the beginning of the log, these are rows of a ride that had been over for long, or the request is missing.
            if let first = state.first, first.kind != .answer {
                note(first.at - origin < Self.longestRide ? .beganBefore : .withoutRequest, first)
            }
            return
        }
        let last = state.endedAt == LogEvent.none ? end : state.endedAt
        if state.endedAt == LogEvent.none {
            openRides -= 1
            closeStage(state, end)
        }
        if state.startedAt == LogEvent.none {
            startDelays.add(Timing(at: state.requestedAt, time: max(0, last - state.requestedAt), isEvent: false))
        } else if state.tokenAt == LogEvent.none {
            let until = state.reportedEnd == LogEvent.none ? last : state.reportedEnd
            tokenDelayOutcomes.add(Timing(at: state.startedAt, time: max(0, until - state.startedAt), isEvent: false))
        }
        if state.startedAt != LogEvent.none, state.reportedEnd == LogEvent.none {
            earlyEnds.add(Timing(at: state.startedAt, time: max(0, last - state.startedAt), isEvent: false))
        }
        rides.add(
            Ride(
                requestedAt: state.requestedAt,
                stages: state.stages,
                isCancelled: state.isCancelled,
                isComplete: state.endedAt != LogEvent.none
            )
        )
    }

    /// Ends the log.
    public func finish() {
        for key in open.keys.sorted() {
            guard let state = open[key] else { continue }
            if state.requestedAt != LogEvent.none, state.endedAt == LogEvent.none {
                note(.openAtEnd, LogEvent(.rideRequested, at: end, ride: key))
            }
            close(state)
        }
        open = [:]
    }

    /// The stages in the order of a ride: by the mean time of their first appearance.
    public var stagesInOrder: [Int] {
        stageOrder.sorted { ($0.value.sum / $0.value.count, $0.key) < ($1.value.sum / $1.value.count, $1.key) }
            .map(\.key)
    }

    /// The time from the origin to the last event [µs].
    public var length: Int64 { max(0, end - origin) }
}
