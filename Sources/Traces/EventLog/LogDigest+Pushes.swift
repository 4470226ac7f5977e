import Foundation
import LiveActivityModel

/// Requests to APNs and their answers.
extension LogDigest {
    mutating func pushSent(_ event: LogEvent, _ place: Int) {
        let at = event.at
        bin(at) {
            $0.pushes += 1
            if event.pushKind == .retry { $0.retries += 1 }
            if event.pushKind == .end { $0.ends += 1 }
        }
        inFlight += 1
        peakInFlight = max(peakInFlight, inFlight)
        let content = event.generatedAt == LogEvent.none ? at : event.generatedAt
        if states[place].flights.count >= 64 {
            states[place].flights.removeFirst()
            inFlight -= 1
        }
        let staleDate = event.staleDate == LogEvent.none ? assumedTTL.map { content + $0 } : event.staleDate
        let push = event.push != 0 ? event.push : event.ride ^ UInt64(bitPattern: at)
        noteRequest(event, push, content, place)
        states[place].flights
            .append(
                RideState.Flight(
                    push: push,
                    at: at,
                    kind: event.pushKind,
                    generatedAt: event.generatedAt,
                    staleDate: staleDate ?? .max
                )
            )
        let attempt = attempt(event, place)
        mostAttempts = max(mostAttempts, min(attempt, 31) + 1)
        guard attempt == 0 else { return }
        if event.generatedAt != LogEvent.none, event.pushKind == .update {
            bin(at) {
                $0.wait += Int(max(0, at - event.generatedAt))
                $0.waits += 1
            }
            if keepsSamples {
                waits.add(Wait(at: at, time: at - event.generatedAt, inFlight: inFlight, file: event.file))
            }
        }
        guard keepsSamples else { return }
        switch event.pushKind {
        case .update: updateSent(event, content, place)
        case .retry: retrySent(event, content, place)
        case .end: endSent(at, place)
        case .start: startPushes += 1
        }
    }

    /// Returns the number of the attempt, from 0.
    ///
    /// If the row states none, an update with the content of the update before repeats it, unless APNs had accepted that.
    private mutating func attempt(_ event: LogEvent, _ place: Int) -> Int {
        guard !event.hasAttempt, event.pushKind == .update, event.generatedAt != LogEvent.none else {
            return event.attempt
        }
        let known = states[place].unaccepted
        let attempt = known?.generatedAt == event.generatedAt ? (known?.attempts ?? 0) : 0
        states[place].unaccepted = (event.generatedAt, attempt + 1)
        return attempt
    }

    /// The time after a token within which an update is its consequence [µs].
    private static let tokenAnswer: Int64 = 500_000

    /// The time by which clocks of servers usually differ at most [µs].
    private static let clockDifference: Int64 = 100_000

    /// The time within which rows of different hosts may be in either order, because their clocks differ [µs].
    static let rowDifference: Int64 = 1_000_000

    private mutating func updateSent(_ event: LogEvent, _ content: Int64, _ place: Int) {
        bin(content) { $0.contents += 1 }
        bin(event.at) { $0.updates += 1 }
        contentCount += 1
        if states[place].isClosing {
            account(event.at, place)
            states[place].isClosing = false
            confirmEarlyEnd(place)
        }
        if states[place].tokenAt == LogEvent.none { states[place].earlyUpdateAt = event.at }
        let (stage, began) = (states[place].stage, states[place].stageBeganAt)
        updatesByStage[stage, default: 0] += 1
        if event.staleDate == LogEvent.none {
            withoutStaleDate += 1
        } else {
            ttls.add(max(0, event.staleDate - content))
        }
        // Content of an earlier stage that waited is neither news of this stage nor its refresh.
        guard stage < 0 || content >= began - max(resolution, Self.clockDifference) else { return }
        let tokenAt = states[place].unansweredTokenAt
        let isForToken = tokenAt != LogEvent.none && content - tokenAt < Self.tokenAnswer
        if isForToken, states[place].isTokenWithoutNews { tokensAnswered += 1 }
        states[place].unansweredTokenAt = LogEvent.none
        let isNearBegin = began != LogEvent.none && content - began < 2_000_000
        if states[place].hasDoubtfulRefresh { settleRefresh(place, isNews: !isNearBegin) }
        let announces = !states[place].isStageAnnounced && isNearBegin
        priorities[announces ? 0 : 1][event.priority >= 10 ? 1 : 0] += 1
        if announces || !states[place].isStageAnnounced {
            closeGap(content, isEvent: false, place)
            (states[place].mark, states[place].markIsFirst) = announces ? (content, true) : (LogEvent.none, false)
        } else if isForToken {
            // That is no refresh.
            states[place].mark = LogEvent.none
        } else {
            settleRefresh(place, isNews: false)
            states[place].refresh = RideState.Refresh(
                mark: states[place].mark,
                markIsFirst: states[place].markIsFirst,
                at: content,
                stage: stage
            )
            (states[place].mark, states[place].markIsFirst) = (content, false)
        }
        states[place].isStageAnnounced = true
    }

    /// Counts the last refresh, or the update that seemed to be one.
    ///
    /// - Parameter isNews: `true` if it was the news of the stage that began at nearly the same time.
    mutating func settleRefresh(_ place: Int, isNews: Bool) {
        guard let refresh = states[place].refresh else { return }
        states[place].refresh = nil
        let ended = refresh.stageEndedAt
        func add(_ mark: Int64, _ until: Int64, isEvent: Bool, isFirst: Bool) {
            guard mark != LogEvent.none, refresh.stage >= 0 else { return }
            addRefresh(Timing(at: mark, time: max(0, until - mark), isEvent: isEvent), refresh.stage, isFirst: isFirst)
        }
        if isNews {
            add(refresh.mark, ended, isEvent: false, isFirst: refresh.markIsFirst)
            states[place].isStageAnnounced = true
            (states[place].mark, states[place].markIsFirst) = (refresh.at, true)
        } else {
            add(refresh.mark, refresh.at, isEvent: true, isFirst: refresh.markIsFirst)
            if ended != LogEvent.none { add(refresh.at, ended, isEvent: false, isFirst: false) }
        }
    }

    private mutating func retrySent(_ event: LogEvent, _ content: Int64, _ place: Int) {
        let retries = states[place].retries
        noteLapse(until: content, isAttempt: true, place)
        if retries == 0, let delay = timeSinceStale(content, place) {
            retryDelays.add(delay)
        } else if retries == 0, states[place].freshUntil == LogEvent.none, states[place].hasStarted {
            firstRetryDelays.add(max(0, content - states[place].startedAt))
        } else if retries > 0, states[place].retryAt != LogEvent.none {
            retryPauses[retries, default: Reservoir(capacity: 5000)].add(content - states[place].retryAt)
        }
        retryPriorities[min(retries, 9), default: [0, 0]][event.priority >= 10 ? 1 : 0] += 1
        states[place].retries = retries + 1
        states[place].retryAt = content
        mostRetries = max(mostRetries, retries + 1)
    }

    /// Returns the time since the stale date [µs]; nil before it, and if there is none.
    private func timeSinceStale(_ at: Int64, _ place: Int) -> Int64? {
        let until = states[place].freshUntil
        guard until != LogEvent.none, at >= until - freshLimit else { return nil }
        return at - (until - freshLimit)
    }

    private mutating func endSent(_ at: Int64, _ place: Int) {
        let endedAt = states[place].endedAt
        if endedAt != LogEvent.none {
            let ends = states[place].ends
            if ends == 0 {
                endsByRide += 1
                if !states[place].isClosing { bin(at) { $0.firstEnds += 1 } }
            }
            if ends < 16 { endDelays[ends, default: Reservoir(capacity: 5000)].add(max(0, at - endedAt)) }
            states[place].ends = ends + 1
            return
        }
        // Later ends repeat the first.
        if !states[place].isClosing { states[place].earlyEnd = (at, timeSinceStale(at, place)) }
        account(at, place)
        noteLapse(until: at, isAttempt: false, place)
        states[place].isClosing = true
    }

    /// Counts the end that was sent during the ride, because the content was stale for too long.
    mutating func confirmEarlyEnd(_ place: Int) {
        if let delay = states[place].earlyEnd?.sinceStale { severeDelays.add(delay) }
        states[place].earlyEnd = nil
    }

    mutating func answered(_ event: LogEvent, _ place: Int) {
        let found =
            event.push == 0
            ? flight(answeredBy: event, place) : states[place].flights.firstIndex { $0.push == event.push }
        guard let found else {
            note(.answerWithoutPush, event)
            return
        }
        let flight = states[place].flights.remove(at: found)
        inFlight -= 1
        if event.at < flight.at { note(.answerFirst, event) }
        let latency = max(0, event.at - flight.at)
        let isTimed = event.hasLatency
        if !isTimed { untimedAnswers += 1 }
        switch event.status {
        case 200:
            if flight.kind == .update, flight.generatedAt == states[place].unaccepted?.generatedAt {
                states[place].unaccepted = nil
            }
            // A difference below the step of the times is not known.
            let scaled = Int(log(Double(max(resolution, latency))) * Bin.scale)
            bin(flight.at) {
                $0.accepted += 1
                guard isTimed else { return }
                $0.timed += 1
                $0.scaledLogLatency += scaled
            }
            if keepsSamples, isTimed { latencies.add(Timed(at: flight.at, value: latency)) }
            noteAcceptance(of: flight.push, place)
            if flight.kind != .end {
                states[place].hasAcceptedContent = true
                believe(flight.staleDate, event.at, place)
            }
        case 0:
            bin(flight.at) { $0.unanswered += 1 }
            if keepsSamples, isTimed { giveUps.add(Timed(at: flight.at, value: latency)) }
        default:
            bin(flight.at) {
                if Self.isUnavailable(event.status) { $0.unavailable += 1 } else { $0.rejected += 1 }
            }
            if keepsSamples { rejections.add((flight.at, event.reason, event.status)) }
        }
    }

    /// Returns `true` if a status says that APNs takes no request now, and may take the same one later: 429 and 5xx.
    static func isUnavailable(_ status: Int) -> Bool { status == 429 || status >= 500 }

    /// `true` if answers without a latency leave too few others to know the times to an answer: fewer than 20, or than half.
    var hasFewLatencies: Bool {
        untimedAnswers > 0 && (latencies.count < 20 || 2 * latencies.count < acceptedCount)
    }

    /// The time after which no program waits for an answer any more [µs].
    private static let longestWait: Int64 = 120_000_000

    /// Returns the place of the request that an answer without an id belongs to: nearly always the earliest in flight.
    ///
    /// A log may lack answers. So an answer that would be far later than usual counts for a younger request.
    private mutating func flight(answeredBy event: LogEvent, _ place: Int) -> Int? {
        let kept = states[place].flights.count
        states[place].flights.removeAll { event.at - $0.at > Self.longestWait }
        inFlight -= kept - states[place].flights.count
        let flights = states[place].flights
        guard let first = flights.first else { return nil }
        guard flights.count > 1 else {
            if event.status != 0 {
                let count = min(1000, usualLatency.count + 1)
                usualLatency = (
                    usualLatency.mean + (Double(max(0, event.at - first.at)) - usualLatency.mean) / count, count
                )
            }
            return 0
        }
        note(.answerUncertain, event)
        uncertainAnswers += 1
        guard event.status != 0, usualLatency.count >= 20 else { return 0 }
        return flights.firstIndex { Double(event.at - $0.at) <= 8 * usualLatency.mean } ?? flights.count - 1
    }
}
