import LiveActivityModel

/// Activities, their tokens, and the server's belief about their content.
extension LogDigest {
    mutating func activityStarted(_ event: LogEvent, _ place: Int) {
        bin(event.at) { $0.starts += 1 }
        hasStarts = true
        let (hasStarted, requestedAt) = (states[place].hasStarted, states[place].requestedAt)
        if keepsSamples, !hasStarted, requestedAt != LogEvent.none {
            if event.at < requestedAt { note(.startFirst, event) }
            startDelays.add(Timing(at: requestedAt, time: max(0, event.at - requestedAt), isEvent: true))
        }
        states[place].hasStarted = true
        if states[place].startedAt == LogEvent.none { states[place].startedAt = event.at }
        if event.staleDate != LogEvent.none, countsInitialContent {
            statesInitialContent = true
            believe(event.staleDate, event.at, place)
        }
    }

    mutating func tokenPosted(_ at: Int64, _ place: Int) {
        // The phone of a card whose end was lost goes on to post tokens.
        guard states[place].endedAt == LogEvent.none else { return }
        guard !isForgotten(place) else {
            states[place].hasEarlyToken = true
            return
        }
        // The log may lack starts, or the start of this activity.
        if states[place].startedAt == LogEvent.none { states[place].startedAt = states[place].requestedAt }
        let startedAt = states[place].startedAt
        if !states[place].hasToken, startedAt != LogEvent.none, states[place].tokenAt == LogEvent.none {
            bin(at) { $0.tokens += 1 }
            if keepsSamples {
                let delay = max(0, at - startedAt)
                let outcome = Timing(at: startedAt, time: delay, isEvent: true)
                if states[place].hasStarted {
                    tokenDelays.add(Timed(at: startedAt, value: delay))
                    tokenDelayOutcomes.add(outcome)
                } else {
                    tokenDelaysFromRequest.add(outcome)
                }
            }
        } else if states[place].hasToken {
            rotations += 1
        }
        if states[place].hasDoubtfulRefresh { settleRefresh(place, isNews: true) }
        if let last = states[place].screen.indices.last { states[place].screen[last].precedesToken = true }
        if states[place].tokenAt == LogEvent.none { states[place].tokenAt = at }
        states[place].hasToken = true
        // The first update after a token need not be a refresh that was due.
        states[place].mark = LogEvent.none
        // The content with which the app started shows the stage; the first refresh counts from the beginning of the stage.
        let began = states[place].stageBeganAt
        if states[place].stage >= 0, states[place].stages.isEmpty, startedAt >= began {
            states[place].isStageAnnounced = true
            if at - began < 10_000_000 { (states[place].mark, states[place].markIsFirst) = (began, true) }
        }
        states[place].unansweredTokenAt = at
        // News of a stage is sent to a token in any case.
        states[place].isTokenWithoutNews = states[place].stage >= 0 && states[place].isStageAnnounced
        if states[place].isTokenWithoutNews { tokensReceived += 1 }
        let early = states[place].earlyUpdateAt
        if early != LogEvent.none, at - early <= Self.rowDifference {
            // That update is the answer to this token, by a clock that is ahead.
            if states[place].isTokenWithoutNews { tokensAnswered += 1 }
            (states[place].unansweredTokenAt, states[place].refresh) = (LogEvent.none, nil)
        }
        states[place].earlyUpdateAt = LogEvent.none
        if states[place].watchedSince == LogEvent.none {
            (states[place].watchedSince, states[place].accountedTo, states[place].freshFrom) = (at, at, at)
        }
    }

    /// Returns `true` for a ride without a request that first appears hours after the beginning of the log: it had been over for long.
    private func isForgotten(_ place: Int) -> Bool {
        guard states[place].requestedAt == LogEvent.none, lastRequest != .min, let first = states[place].first
        else { return false }
        return first.at - origin >= Self.longestRide
    }

    mutating func activityEnded(_ at: Int64, _ place: Int) {
        reportedEndCount += 1
        bin(at) { $0.reports += 1 }
        if states[place].endedAt == LogEvent.none {
            bin(at) { $0.reportedEnds += 1 }
            let startedAt = states[place].startedAt
            if keepsSamples, states[place].reportedEnd == LogEvent.none, startedAt != LogEvent.none {
                let end = Timing(at: startedAt, time: max(0, at - startedAt), isEvent: true)
                if !states[place].hasAcceptedContent {
                    initialEnds.add(end)
                } else {
                    // With stale content, the app or iOS may have ended it; then it is not known when a swipe would have come.
                    let isFresh = at < states[place].freshUntil
                    earlyEnds.add(Timing(at: end.at, time: end.time, isEvent: isFresh))
                }
            }
            states[place].reportedEnd = at
        }
        stopWatching(at, place)
    }

    // MARK: - The belief

    mutating func stopWatching(_ at: Int64, _ place: Int) {
        account(at, place)
        noteLapse(until: at, isAttempt: false, place)
        let since = states[place].watchedSince
        if since != LogEvent.none {
            tokenTime += Double(max(0, at - since))
            endBelief(at, place)
        }
        states[place].watchedSince = LogEvent.none
        states[place].hasToken = false
    }

    /// Notes that APNs accepted content with a stale date, or that the app started with it.
    mutating func believe(_ staleDate: Int64, _ at: Int64, _ place: Int) {
        let until = staleDate > .max - freshLimit ? .max : staleDate + freshLimit
        let earlier = states[place].freshUntil
        guard until > earlier else { return }
        noteLapse(until: at, isAttempt: false, place)
        if states[place].watchedSince != LogEvent.none, at >= earlier {
            // The belief had lapsed, so it begins again.
            endBelief(at, place)
            states[place].freshFrom = at
        }
        states[place].freshUntil = until
        if until > at { states[place].retries = 0 }
    }

    /// Counts the time of belief up to an instant.
    private mutating func endBelief(_ at: Int64, _ place: Int) {
        let (from, until) = (max(origin, states[place].freshFrom), min(at, states[place].freshUntil))
        if from < until { fresh.add(from - origin, until - origin) }
    }

    /// Counts the watched time in the ride's stage up to an instant.
    mutating func account(_ at: Int64, _ place: Int) {
        let from = states[place].accountedTo
        guard states[place].watchedSince != LogEvent.none, at > from else { return }
        let stage = states[place].stage + 1
        while watched.count <= stage {
            watched.append(Occupancy(binLength: binLength))
            closing.append(Occupancy(binLength: binLength))
        }
        watched[stage].add(max(origin, from) - origin, at - origin)
        if states[place].isClosing { closing[stage].add(max(origin, from) - origin, at - origin) }
        states[place].accountedTo = at
    }
}
