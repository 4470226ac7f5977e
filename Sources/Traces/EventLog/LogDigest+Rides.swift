import LiveActivityModel

/// Rides and their stages.
extension LogDigest {
    mutating func rideRequested(_ event: LogEvent, _ place: Int) {
        states[place].requestedAt = event.at
        bin(event.at) { $0.requests += 1 }
        openRides += 1
        if states[place].hasEarlyToken { tokenPosted(event.at, place) }
        lastRequest = max(lastRequest, event.at)
        guard keepsSamples, states[place].hasStarted else { return }
        // An activity started before the request, by a clock that is behind the server's. Times from the start count from the request,
        // the earliest that is possible.
        note(.startFirst, event)
        startDelays.add(Timing(at: event.at, time: 0, isEvent: true))
        states[place].startedAt = max(states[place].startedAt, event.at)
    }

    mutating func stageBegan(_ event: LogEvent, _ place: Int) {
        let at = event.at
        account(at, place)
        if keepsSamples {
            if states[place].hasDoubtfulRefresh { settleRefresh(place, isNews: true) }
            if let last = states[place].refresh?.at, states[place].stage >= 0, abs(at - last) <= Self.rowDifference {
                states[place].refresh?.stageEndedAt = at
                states[place].mark = LogEvent.none
            } else {
                settleRefresh(place, isNews: false)
            }
            closeGap(at, isEvent: false, place)
            closeStage(at, place)
            let state = states[place]
            if state.requestedAt != LogEvent.none, !state.stages.contains(where: { $0.stage == event.stage }) {
                let known = stageOrder[event.stage] ?? (0, 0)
                stageOrder[event.stage] = (known.sum + Double(at - state.requestedAt), known.count + 1)
            }
        }
        (states[place].stage, states[place].stageBeganAt) = (event.stage, at)
        states[place].isStageAnnounced = false
    }

    mutating func closeStage(_ at: Int64, _ place: Int) {
        guard states[place].stage >= 0 else { return }
        states[place].stages.append((states[place].stage, max(0, at - states[place].stageBeganAt)))
        states[place].stage = -1
    }

    /// Ends the wait for the next refresh.
    mutating func closeGap(_ at: Int64, isEvent: Bool, _ place: Int) {
        let (mark, stage) = (states[place].mark, states[place].stage)
        guard mark != LogEvent.none, stage >= 0 else { return }
        addRefresh(
            Timing(at: mark, time: max(0, at - mark), isEvent: isEvent),
            stage,
            isFirst: states[place].markIsFirst
        )
        states[place].mark = LogEvent.none
    }

    mutating func addRefresh(_ timing: Timing, _ stage: Int, isFirst: Bool) {
        if isFirst {
            firstRefreshes[stage, default: Reservoir()].add(timing)
        } else {
            refreshes[stage, default: Reservoir()].add(timing)
        }
    }

    mutating func rideEnded(_ event: LogEvent, _ place: Int) {
        guard states[place].endedAt == LogEvent.none else { return }
        if keepsSamples {
            settleRefreshAtEnd(place)
            closeGap(event.at, isEvent: false, place)
            settleEarlyEnd(event.at, place)
        }
        if states[place].hasToken, !states[place].isClosing { bin(event.at) { $0.endings += 1 } }
        stopWatching(event.at, place)
        if keepsSamples { closeStage(event.at, place) }
        (states[place].endedAt, states[place].isCancelled) = (event.at, event.isCancelled)
        if states[place].requestedAt != LogEvent.none { openRides -= 1 }
    }

    /// Counts the last update of a ride that is over.
    mutating func settleRefreshAtEnd(_ place: Int) {
        settleRefresh(place, isNews: states[place].hasDoubtfulRefresh)
    }

    /// Takes an end that was sent just before the ride's own for the first end after it, because clocks of hosts differ.
    private mutating func settleEarlyEnd(_ at: Int64, _ place: Int) {
        guard let end = states[place].earlyEnd, at - end.at <= Self.rowDifference else {
            confirmEarlyEnd(place)
            return
        }
        (states[place].earlyEnd, states[place].isClosing, states[place].ends) = (nil, false, 1)
        endsByRide += 1
        bin(at) { $0.firstEnds += 1 }
        endDelays[0, default: Reservoir(capacity: 5000)].add(0)
    }
}
