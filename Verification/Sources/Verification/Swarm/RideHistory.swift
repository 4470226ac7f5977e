import FreshnessCore
import LiveActivityModel
import Quantities

/// The state of one ride according to its history so far, and the rules for the next line.
struct RideHistory {
    private(set) var told = Told()

    private var isRequested = false
    /// The number of pushes that came from its channel.
    private var copies: Int64 = 0
    /// `true` if it may have joined its group in a later stage.
    private var joinsLate = false
    /// `true` if it is the history of a channel's record, which is no ride.
    private var isRecord = false
    private var stage: Int?
    private var isRideOver = false
    private var screen = StoryLine.Screen.nothing
    /// The source of the content on the screen, and its beginning; nil while there is none.
    private var shown: (source: StoryLine.ContentSource, since: Instant)?
    private var firstContent: ContentStamp?
    private var serverHasToken = false
    private var isGivenUp = false
    private var belief = Belief.none
    private var lapse = Instant.never
    private var isEpisodeOpen = false
    private var retries = 0
    private var ends = 0
    /// The number of payloads with a photo of the current driver, or that had no room for it.
    private var photosPacked = 0
    /// The number of pushes that were not sent or cancelled, so that another may carry their photo.
    private var unsent = 0

    /// The numbers of events in the history.
    struct Told {
        /// The counted events.
        enum Thing: Int, CaseIterable {
            case sent, answered, unanswered, cancelled, interrupted, resumed, fates, started, ended, endsReported
            case driversDropped
        }

        private var counts = [Int64](repeating: 0, count: Thing.allCases.count)
        /// The time for which the screen showed content of each source [µs].
        var shown = [Int64](repeating: 0, count: StoryLine.ContentSource.allCases.count)

        subscript(thing: Thing) -> Int64 {
            get { counts[thing.rawValue] }
            set { counts[thing.rawValue] = newValue }
        }

        mutating func add(_ other: Told) {
            for thing in Thing.allCases { self[thing] += other[thing] }
            for source in shown.indices { shown[source] += other.shown[source] }
        }
    }

    /// The monitor's state, as far as the lines show it.
    private enum Belief: Hashable {
        /// No token has come yet.
        case none
        case fresh(until: Instant)
        case recoverable(since: Instant)
        case ending(isSevere: Bool)
        /// The token has died; an end that was in progress continues with the next token.
        case tokenDead(wasEnding: Bool, isSevere: Bool)
        case invalidated
    }

    private var isLive: Bool { screen != .nothing }

    /// Checks the next line.
    ///
    /// - Returns: The violated rules.
    mutating func take(_ line: StoryLine, _ rules: HistoryChecker.Rules) -> [String] {
        var found: [String] = []
        func require(_ holds: Bool, _ rule: String) {
            if !holds { found.append(rule) }
        }
        let before = screen
        let begins = line.happening == .requested || line.happening == .channelCreated
        require(isRequested || begins, "a ride begins with its request")
        switch line.happening {
        case .requested:
            require(!isRequested, "a ride is requested once")
            isRequested = true
        case .bookedAgain:
            require(stage == nil, "a phone goes on from the request of a ride")
        case .joined:
            require(stage == nil, "a ride belongs to a cohort from its request on")
        case .joinedGroup:
            require(stage == nil, "a ride belongs to a group from its request on")
            joinsLate = true
        case .channelCreated:
            isRequested = true
            joinsLate = true
            isRecord = true
            serverHasToken = true
        case .stageBegan(let next):
            let isStop = stage != nil && stage == rules.stops?.from && next == rules.stops?.to
            let follows = next == stage.map { $0 + 1 } ?? 0
            require(isStop || follows || joinsLate && stage == nil, "stages follow one another")
            require(!isRideOver, "no stage begins after the ride")
            stage = next
        case .driverDropped:
            require(!isRideOver, "a ride that is over is not dropped")
            require(stage != nil && stage == rules.rematching?.from, "a driver drops a ride in the stage for that")
            if !isRecord { told[.driversDropped] += 1 }
            photosPacked = 0
            stage = rules.rematching.flatMap { $0.to > 0 ? $0.to - 1 : nil }
        case .rideEnded:
            require(!isRideOver, "a ride ends once")
        case .startFailed:
            require(!isLive, "a start does not fail while the activity is on the screen")
        case .started:
            require(!isLive, "an activity starts when none is on the screen")
            told[.started] += 1
        case .ended:
            require(isLive, "an activity ends once")
            told[.ended] += 1
        case .endedOldCard:
            require(!isLive, "an app ends earlier cards before it starts one")
        case .endReported:
            require(!isLive, "an end is reported after it")
            told[.endsReported] += 1
            let missing = told[.ended] - told[.endsReported]
            require(missing == 0 || rules.reportsMayFail && missing > 0, "each end is reported once")
        case .endReportFailed:
            require(rules.reportsMayFail, "a report of an end fails only if the scenario says so")
            require(!isLive, "an end is reported after it")
        case .tokenYielded, .tokenRotated, .tokenPosted, .updatedLocally, .drawingWaits, .etaCorrected, .photoShown,
            .alerted:
            require(isLive, "only an activity on the screen does that")
        case .cardStays:
            require(!isLive, "only the card of an ended activity stays")
        case .photoPacked(let photo, let original, let packed, _):
            require(packed <= original, "a photo does not grow")
            if photo == .driver { photosPacked += 1 }
        case .photoLost, .photoDownloads, .payloadTooLarge, .alertCreated, .startDropped, .startTokenPosted,
            .contentRequested:
            break
        case .wasStale(let since, _):
            require(since < line.at, "content is stale after its stale date")
        case .tokenPostFailed:
            require(isLive, "only an activity on the screen posts a token")
        case .queued(let kind):
            countDecision(kind, line, rules, &found)
        case .notSent(let kind, let reason):
            unsent += 1
            switch reason {
            case .noContent, .coalesced, .rateLimited, .queueFull: countDecision(kind, line, rules, &found)
            case .displaced, .outOfPatience, .withinMinimumInterval, .tokenGone: break
            }
        case .retryWithheld:
            countDecision(.retry, line, rules, &found)
        case .putOff(_, let until), .postponed(let until):
            require(until > line.at, "a deferred push comes later")
        case .sent(let kind, _, _):
            told[.sent] += 1
            require(kind == .start || serverHasToken, "only a start is sent without a token")
            let isContent = kind == .update || kind == .retry
            require(!isContent || !isRideOver && !isGivenUp, "no content is sent after the decision to end")
            require(!rules.sendsPhotosOnce || photosPacked <= 1 + unsent, "a driver's photo is sent once")
        case .sentOn(let kind):
            copies += 1
            require(isLive, "a channel reaches only an activity on the screen")
            require(kind != .start, "a channel starts no activity")
        case .answered:
            told[.answered] += 1
        case .unanswered:
            told[.unanswered] += 1
        case .cancelled:
            told[.cancelled] += 1
            unsent += 1
        case .interrupted:
            told[.interrupted] += 1
        case .resumed:
            told[.resumed] += 1
            require(told[.resumed] <= told[.interrupted], "only an interrupted request is resumed")
        case .fate(let kind, let fate):
            told[.fates] += 1
            require(fate != .shown || kind == .update || kind == .retry, "only content is shown")
            require(fate != .ended || kind == .end, "only an end ends")
            require(fate != .started && fate != .startIgnored || kind == .start, "only a start starts")
            require(fate != .shown && fate != .ended || isLive, "that takes an activity on the screen")
        case .stored(_, let until):
            require(until > line.at, "a push is stored for later")
        case .repeatWithheld, .confirmed, .classified, .tokenInvalidated, .tokenDiscarded: break
        }
        require(told[.answered] + told[.unanswered] + told[.cancelled] <= told[.sent], "an answer needs a request")
        require(told[.fates] <= told[.sent] + copies, "a fate needs a push")
        noteSource(line)
        checkScreen(line, before: before, rules, &found)
        screen = line.screen
        advance(line, rules, &found)
        return found
    }

    // MARK: - Sources

    private mutating func noteSource(_ line: StoryLine) {
        let source: StoryLine.ContentSource?
        switch line.happening {
        case .started: source = .start
        case .updatedLocally: source = .app
        case .fate(_, .shown): source = .push
        case .ended: source = nil
        default: return
        }
        closeScreen(at: line.at)
        shown = source.map { ($0, line.at) }
    }

    /// Adds the time for which the screen has shown its current content.
    mutating func closeScreen(at instant: Instant) {
        guard let (source, since) = shown else { return }
        told.shown[Int(source.rawValue)] += (instant - since).microseconds
        shown = (source, instant)
    }

    // MARK: - Decisions

    /// Counts a decision of the monitor to send a retry or an end, regardless of its outcome.
    private mutating func countDecision(
        _ kind: StoryLine.PushKind,
        _ line: StoryLine,
        _ rules: HistoryChecker.Rules,
        _ found: inout [String]
    ) {
        guard !rules.pushesComeBack else { return }
        switch kind {
        case .retry:
            retries += 1
            if let most = rules.mostRetries, retries > most {
                found.append("an episode has at most \(most) retries")
            }
            if !isEpisodeOpen {
                found.append("retries are sent only while the instance is recoverable")
            }
            if rules.knowsScreens, case .recoverable(let since) = belief, line.at > since + rules.recoveryWindow {
                found.append("retries end with the recovery window")
            }
        case .end:
            ends += 1
            if let most = rules.mostEnds, ends > most {
                found.append("a decision to end sends at most \(most) ends")
            }
            if !isRideOver, !isGivenUp {
                found.append("an end is sent only after the decision to end")
            }
        case .update, .start:
            break
        }
    }

    // MARK: - The screen

    private func checkScreen(
        _ line: StoryLine,
        before: StoryLine.Screen,
        _ rules: HistoryChecker.Rules,
        _ found: inout [String]
    ) {
        guard case .content(let content) = line.screen else {
            if before != .nothing, !line.happening.isEnd {
                found.append("a screen becomes empty only when its activity ends")
            }
            return
        }
        if content.generatedAt > line.at { found.append("content is shown before it is generated") }
        if content.staleDate != .never, content.staleDate != content.generatedAt + rules.ttl {
            found.append("content has a stale date one TTL after its generation")
        }
        guard case .content(let shown) = before else {
            if line.happening != .started { found.append("content appears only when an activity starts") }
            return
        }
        guard content != shown else { return }
        switch line.happening {
        case .updatedLocally:
            if content.generatedAt <= shown.generatedAt { found.append("the app shows only newer content") }
        case .fate(_, .shown):
            guard rules.timestampsTell else { return }
            let isNewer =
                rules.timestampsTellStrictly
                ? content.generatedAt > shown.generatedAt : content.generatedAt >= shown.generatedAt
            if !isNewer { found.append("a screen shows only newer content") }
        default:
            found.append("a screen changes only when content is shown")
        }
    }

    // MARK: - The monitor

    /// Updates the server's expected state, and compares it with the line's belief.
    private mutating func advance(_ line: StoryLine, _ rules: HistoryChecker.Rules, _ found: inout [String]) {
        switch line.happening {
        case .started:
            if case .content(let content) = line.screen { firstContent = content }
            belief = .none
            isGivenUp = false
            isEpisodeOpen = false
        case .classified(.recoverable):
            if isEpisodeOpen { found.append("an episode begins only when none is open") }
            isEpisodeOpen = true
            retries = 0
            if rules.knowsScreens { notice(line, rules, &found) }
        case .classified(.severe):
            if !isEpisodeOpen { found.append("only a recoverable instance becomes severe") }
            if rules.knowsScreens { giveUp(line, rules, &found) }
            isEpisodeOpen = false
            isGivenUp = true
            ends = 0
            belief = .ending(isSevere: true)
        case .classified(.fresh):
            found.append("the monitor does not decide what is fresh")
        case .confirmed(let confirmation):
            if rules.knowsScreens { confirm(confirmation, line, rules, &found) }
            if case .recovered = confirmation { isEpisodeOpen = false }
        case .tokenInvalidated:
            loseToken()
            belief = .invalidated
        case .tokenDiscarded:
            if !serverHasToken { found.append("a token is discarded while there is one") }
            loseToken()
            if case .ending(let isSevere) = belief {
                belief = .tokenDead(wasEnding: true, isSevere: isSevere)
            } else {
                belief = .tokenDead(wasEnding: false, isSevere: false)
            }
        default:
            break
        }
        if rules.knowsScreens, !isBetween(line), line.belief != classification(at: line.at) {
            let expected = classification(at: line.at).map { "\($0)" } ?? "nothing"
            found.append("the monitor believes \(line.belief.map { "\($0)" } ?? "nothing"), not \(expected)")
        }
        // The consequences of these events come after their lines.
        switch line.happening {
        case .tokenPosted: postToken(at: line.at, rules)
        case .rideEnded: endRide()
        case .endReported:
            loseToken()
            if belief != .none { belief = .invalidated }
        default: break
        }
    }

    /// Returns `true` if a line is between the end of the ride and the monitor's reaction to it.
    private func isBetween(_ line: StoryLine) -> Bool {
        guard isRideOver else { return false }
        switch line.happening {
        case .wasStale, .ended, .cardStays, .startFailed: return true
        default: return false
        }
    }

    private func classification(at now: Instant) -> FreshnessClass? {
        switch belief {
        case .none, .tokenDead, .invalidated: nil
        case .fresh(let until): now < until ? .fresh : .recoverable
        case .recoverable: .recoverable
        case .ending(let isSevere): isSevere ? .severe : nil
        }
    }

    private mutating func notice(_ line: StoryLine, _ rules: HistoryChecker.Rules, _ found: inout [String]) {
        guard case .fresh(let until) = belief else {
            found.append("only a fresh instance becomes recoverable")
            return
        }
        if line.at < until || rules.isPunctual && line.at > until {
            found.append("content lapses at \(until.microseconds) us")
        }
        belief = .recoverable(since: until)
    }

    private func giveUp(_ line: StoryLine, _ rules: HistoryChecker.Rules, _ found: inout [String]) {
        guard case .recoverable(let since) = belief else { return }
        let end = since + rules.recoveryWindow
        if line.at < end || rules.isPunctual && line.at > end {
            found.append("the recovery window ends at \(end.microseconds) us")
        }
    }

    private mutating func confirm(
        _ confirmation: InstanceFreshness.Confirmation,
        _ line: StoryLine,
        _ rules: HistoryChecker.Rules,
        _ found: inout [String]
    ) {
        guard case .content(let content) = line.screen else {
            found.append("confirmed content is on a screen")
            return
        }
        switch confirmation {
        case .stillFresh, .recovered:
            lapse = rules.lapse(of: content)
            if line.at >= lapse { found.append("lapsed content does not make an instance fresh") }
            belief = .fresh(until: lapse)
        case .alreadyStale:
            lapse = rules.lapse(of: content)
            if line.at < lapse { found.append("content that has not lapsed makes an instance fresh") }
            if case .fresh(let until) = belief { belief = .fresh(until: min(until, line.at)) }
        case .older, .late, .closed:
            break
        }
    }

    private mutating func loseToken() {
        serverHasToken = false
        isEpisodeOpen = false
    }

    private mutating func postToken(at now: Instant, _ rules: HistoryChecker.Rules) {
        serverHasToken = true
        switch belief {
        case .none, .invalidated:
            if let firstContent { lapse = rules.lapse(of: firstContent) }
            belief = .fresh(until: max(now, lapse))
            isEpisodeOpen = false
            ends = 0
        case .tokenDead(wasEnding: true, let isSevere):
            belief = .ending(isSevere: isSevere)
            ends = 0
        case .tokenDead:
            belief = .fresh(until: max(now, lapse))
        case .fresh, .recoverable, .ending:
            break
        }
        if isRideOver || isGivenUp { decideToEnd() }
    }

    private mutating func endRide() {
        isRideOver = true
        decideToEnd()
    }

    private mutating func decideToEnd() {
        switch belief {
        case .fresh, .recoverable:
            belief = .ending(isSevere: false)
            isEpisodeOpen = false
            ends = 0
        case .tokenDead(wasEnding: false, _):
            belief = .tokenDead(wasEnding: true, isSevere: false)
        case .none, .ending, .tokenDead, .invalidated:
            break
        }
    }
}

extension StoryLine.Happening {
    fileprivate var isEnd: Bool {
        if case .ended = self { true } else { false }
    }
}
