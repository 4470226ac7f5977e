import FreshnessCore
import Quantities
import SimulationKernel

/// The cell as host of ``SenderStation``: its requests and their responses.
extension CellSimulation {
    /// Begins the request of a push, or resumes it.
    ///
    /// - Precondition: The station has admitted the push.
    mutating func startRequest(_ push: Handle<Push>) {
        integrateSender()
        let hasBegun = push.passage.standing == .interrupted
        if isSpeculating {
            push.isSpeculative = true
            push.entity.pointee.passage.begins()
            speculative.take(at: loop.now)
            push.requestNumber = UInt64(activities[push.activity].requestCount)
        } else {
            push.connection = sender.begin(push.offer, &push.entity.pointee.passage, at: loop.now)
            push.requestNumber = sender.begunCount
        }
        pushCame(push, to: .inFlight)
        if hasBegun {
            meter.streamTaken()
            log(of: push, .resumed(push.kind))
            expectResponse(push, at: loop.now + push.remaining)
            return
        }
        push.sentAt = loop.now
        push.token = activities[push.activity].serverToken
        if push.kind == .start { startRequested(push) }
        push.isCounted = isMeasured
        if isMeasured {
            let wait = loop.now - push.passage.queuedAt
            if !push.isSpeculative { meter.requestBegan() }
            meter.waitEnded(after: wait, at: loop.now)
            recordWait(wait, rank: push.rank, isFirst: push.passage.attempt == 0)
        }
        countRequest(for: push.kind, of: activities[push.activity])
        if isCurrent(push) { activities[push.activity].requestCount &+= 1 }
        if push.passage.attempt == 0 {
            if let photo = push.payload.photo {
                count(photo)
            }
            if let photo = push.payload.carPhoto { count(photo) }
            if push.payload.alerts { count(.alertsSent) }
        } else {
            count(.repeatsSent, column: .repeatsSent)
            if push.kind == .retry { count(.retryRepeatsSent) }
        }
        log(of: push, .sent(push.kind, priority: push.priority, attempt: push.passage.attempt))
        submit(push)
    }

    /// Records the wait of a push whose request begins, for the first attempt or a retry.
    @inline(__always)
    mutating func recordWait(_ wait: TimeSpan, rank: UInt8, isFirst: Bool) {
        recorder.record(wait.microseconds, as: .sendWait, part: Int(rank))
        guard isFirst, rules.countsWaits else { return }
        let thresholds = world.scenario.measure.waitOver
        for index in thresholds.indices where wait > thresholds[index] {
            recorder.add(1, to: .waitsOver, part: index)
        }
    }

    /// Records the wait, up to now, of a push that is not sent.
    mutating func recordUnsentWait(of push: Handle<Push>) {
        guard isMeasured else { return }
        let wait = loop.now - push.passage.queuedAt
        recorder.record(wait.microseconds, as: .unsentWait, part: Int(push.rank))
        meter.pushGivenUp(after: wait, at: loop.now)
    }

    /// Releases the stream of a request.
    @inline(__always)
    mutating func leaveStream(_ push: Handle<Push>) {
        integrateSender()
        if push.isSpeculative {
            push.entity.pointee.passage.ends()
            speculative.giveBack(at: loop.now)
            countTime(ofSpeculative: push)
        } else {
            sender.ended(push.offer, &push.entity.pointee.passage)
        }
        push.responseDue = .never
    }

    /// Adds the time for which a speculative request has held its stream.
    private mutating func countTime(ofSpeculative push: Handle<Push>) {
        meter.streamHeld(from: push.sentAt, to: loop.now, &recorder)
    }

    // MARK: - Responses

    /// Schedules what the sender receives in response to a request.
    @inline(__always)
    mutating func respond(_ push: Handle<Push>, _ response: Push.Response, after span: TimeSpan) {
        let hearing = sender.limits.hearing(ofRequestAt: push.sentAt, answeredAt: loop.now + span)
        push.response = hearing.isTimeOut ? .timedOut : response
        expectResponse(push, at: hearing.at)
    }

    /// Schedules the timeout of a request; the sender receives nothing before unless a response arrives.
    mutating func expectTimeOut(_ push: Handle<Push>) {
        push.response = .timedOut
        expectResponse(push, at: sender.limits.deadline(ofRequestAt: push.sentAt))
    }

    /// Returns `true` if the sender receives a response that arrives at an instant.
    func isHeard(_ push: Handle<Push>, at instant: Instant) -> Bool {
        sender.limits.isHeard(after: instant - push.sentAt)
    }

    @inline(__always)
    private mutating func expectResponse(_ push: Handle<Push>, at due: Instant) {
        push.responseDue = due
        schedule(push.responseKind, of: push, at: due)
    }

    /// Counts a request that begins.
    @inline(__always)
    mutating func countRequest(for kind: StoryLine.PushKind, of activity: Handle<Activity>) {
        let sent = kind.sent
        count(sent.counter, column: sent.column)
        countInSegment(sent.segmentColumn, activity)
    }

    /// Counts the acceptance of a request that is itself counted, at some time after its push was offered.
    @inline(__always)
    mutating func countAcceptance(after span: TimeSpan, rank: UInt8, at instant: Instant) {
        recorder.record(span.microseconds, as: .sendTime, part: Int(rank))
        recorder.count(.responsesAccepted)
        recorder.add(1, to: .responsesAccepted, at: instant)
    }

    mutating func responseArrived(_ push: Handle<Push>) {
        guard push.isInUse, push.responseDue == loop.now else { return }
        let resumed = FaultTimeline.firstUncovered(by: world.faults.senderPaused, notBefore: loop.now)
        guard resumed == loop.now else {
            expectResponse(push, at: resumed)
            return
        }
        loop.record(event: EventKind.response.rawValue, subject: push.ride)
        leaveStream(push)
        switch push.response {
        case .accepted:
            if push.isCounted {
                countAcceptance(after: loop.now - push.passage.queuedAt, rank: push.rank, at: loop.now)
                if push.kind == .retry { count(.retriesAccepted) }
            }
            log(of: push, .answered(push.kind, refusal: nil))
            acceptanceHeard(push)
            if isCurrent(push) {
                accepted(push)
            }
        case .refused(let reason):
            recordSendTime(of: push)
            count(reason.counter, column: .responsesRefused, of: push)
            log(of: push, .answered(push.kind, refusal: reason))
            if reason == .payloadTooLarge {
                let limit = own.content.payload.limit
                log(of: push, .payloadTooLarge(Int(push.payload.bytes), limit: limit))
            }
            pushCame(push, to: .refused)
            if isCurrent(push) {
                refused(push, reason)
            }
        case .timedOut, .connectionLost:
            let counter: Counter =
                if case .timedOut = push.response { .responsesTimedOut } else { .responsesConnectionLost }
            count(counter, column: .responsesMissing, of: push)
            log(of: push, .unanswered(push.kind))
            acceptanceMissed(push)
            noAnswerCame(push)
            repeatRequest(push)
        }
        let isAnswer = push.response.isAnswer
        releaseIfDone(push)
        if isAnswer { drainAfterAnswers() } else { drainQueue() }
    }

    @inline(__always)
    private mutating func recordSendTime(of push: Handle<Push>) {
        if push.isCounted {
            recorder.record((loop.now - push.passage.queuedAt).microseconds, as: .sendTime, part: Int(push.rank))
        }
    }

    /// Retries a push if attempts and budget are left.
    private mutating func repeatRequest(_ push: Handle<Push>) {
        switch sender.unanswered(push.passage, isWanted: isWanted(push), at: loop.now) {
        case .no:
            return
        case .withheld:
            count(.repeatsWithheld, column: .repeatsWithheld)
            log(of: push, .repeatWithheld(push.kind))
            return
        case .yes:
            break
        }
        var next = push.entity.pointee
        next.passage.repeats(at: loop.now)
        next.responseDue = .never
        next.deliveryDue = .never
        next.isReplaced = false
        next.isConcluded = false
        next.isCounted = false
        next.isSpeculative = false
        next.service = .none
        let placed = place(next)
        if groups.isUsed { contentBegins(placed) }
        offer(placed)
    }
}

extension Handle where Entity == Push {
    /// The properties of the push that the sender uses.
    @inline(__always)
    var offer: SenderStation.Offer {
        SenderStation.Offer(push: number, rank: Int(self.rank), activity: self.ride, kind: self.kind)
    }
}

extension StoryLine.PushKind {
    /// The counters of its requests: over the run, by window, and by window and segment.
    var sent: (counter: Counter, column: SeriesColumn, segmentColumn: SegmentColumn) {
        switch self {
        case .update: (.updatesSent, .updatesSent, .updatesSent)
        case .retry: (.retriesSent, .retriesSent, .retriesSent)
        case .end: (.endsSent, .endsSent, .endsSent)
        case .start: (.startsSent, .startsSent, .startsSent)
        }
    }
}

extension APNsReason {
    var counter: Counter {
        switch status {
        case 400: .responses400
        case 403: .responses403
        case 410: .responses410
        case 413: .responses413
        case 429: .responses429
        case 500: .responses500
        default: .responses503
        }
    }
}
