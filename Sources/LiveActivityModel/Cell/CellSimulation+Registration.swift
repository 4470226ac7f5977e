import FreshnessCore
import Quantities
import SimulationKernel

/// Registration, from the request to a token on the server: starts, push-to-start, tokens, posts and rotations.
extension CellSimulation {
    // MARK: - Starts

    mutating func beginStart(_ activity: Handle<Activity>) {
        guard phoneHas(own.devices.activitiesEnabled, activity, .activitiesEnabled) else {
            count(.startsNotAllowed)
            giveUpStart(activity, .notAllowed)
            return
        }
        if own.devices.start.schedules, isBookedAhead(activity), startScheduled(activity) { return }
        switch own.devices.start.by {
        case .app, .appThenPush:
            expect(activity, .startAttempt, at: loop.now + span(own.samplers.startTime, activity, .startTime))
        case .push:
            startByPush(activity)
        }
    }

    /// `true` if the ride was booked ahead, so that its rider does not use the app at the request.
    @inline(__always)
    func isBookedAhead(_ activity: Handle<Activity>) -> Bool { happens(world.bookedShare, activity, .isBookedAhead) }

    /// Starts the activity that the app has scheduled at the booking, without the app and without a push.
    ///
    /// The scheduled activity is pending from the booking on and counts to the system's limit, so it may have been refused.
    ///
    /// - Returns: `false` if it was refused.
    private mutating func startScheduled(_ activity: Handle<Activity>) -> Bool {
        guard let sampler = own.samplers.bookedAhead, !hasMostCards(besides: activity),
            // After the draws of all attempts.
            !happens(own.devices.start.atSystemLimit, activity, .startAtSystemLimit, 255),
            !happens(own.devices.start.tooLarge, activity, .startTooLarge)
        else { return false }
        let ahead = span(sampler, activity, .bookedAhead)
        let bookedAt = Instant(microseconds: max(0, loop.now.microseconds - ahead.microseconds))
        count(.activitiesScheduled)
        startActivity(
            activity,
            content: ContentStamp(generatedAt: bookedAt, staleDate: bookedAt + rules.ttl),
            by: .schedule
        )
        // The server knows that the ride has begun.
        if !activity.showsStage { activity.isStageAnnounced = false }
        return true
    }

    /// Sets the registration alarm and its purpose.
    ///
    /// ``scheduleRegistration(_:)`` must be called when everything that happens now is done.
    private mutating func expect(
        _ activity: Handle<Activity>,
        _ registration: Activity.Registration,
        at instant: Instant
    ) {
        activity.registration = registration
        activity.entity.pointee.registrationAlarm.note(instant)
    }

    /// Schedules the expected registration step.
    mutating func scheduleRegistration(_ activity: Handle<Activity>) {
        guard activity.registration != .idle else { return }
        let due = activity.registrationAlarm.due
        set(&activity.entity.pointee.registrationAlarm, of: activity, for: due, .registration)
    }

    mutating func registrationCameUp(_ activity: Handle<Activity>) {
        guard rings(&activity.entity.pointee.registrationAlarm, of: activity, .registration) else { return }
        register(activity)
        scheduleRegistration(activity)
        releaseIfOver(activity)
    }

    /// Performs the registration step that was expected.
    mutating func register(_ activity: Handle<Activity>) {
        record(.registration, of: activity)
        let registration = activity.registration
        activity.registration = .idle
        switch registration {
        case .idle: preconditionFailure("a registration alarm without a purpose")
        case .startAttempt: attemptStart(activity)
        case .startContent: requestActivity(activity, with: activity.firstContent)
        case .startWithoutContent: requestActivity(activity, with: nil)
        case .tokenYield: tokenYielded(activity)
        case .tokenPost: tokenPostArrived(activity)
        case .tokenPostRetry: postToken(activity)
        case .endReport: endReportArrived(activity)
        case .oblivion: forget(activity)
        }
    }

    private mutating func attemptStart(_ activity: Handle<Activity>) {
        guard let endpoint = rules.endpoint else {
            return requestActivity(activity, with: canGenerateContent ? currentContent() : nil)
        }
        let (answeredAt, hasContent) = requestStartContent(activity, endpoint)
        activity.firstContent = content(generatedAt: loop.now)
        expect(activity, hasContent ? .startContent : .startWithoutContent, at: answeredAt)
    }

    /// Requests the activity from iOS.
    ///
    /// - Parameter content: The server's answer, which the app has awaited; nil if there is none.
    private mutating func requestActivity(_ activity: Handle<Activity>, with content: ContentStamp?) {
        activity.firstContent = Activity.noContent
        if content != nil, !isEligible(activity) { return }
        let attempt = UInt32(activity.startAttempts)
        activity.startAttempts += 1
        let failure: (reason: StoryLine.StartFailure, counter: Counter)?
        if content == nil {
            failure = (.noContent, .startsFailedWithoutContent)
        } else if isInBackground(activity, draw: attempt) {
            failure = (.inBackground, .startsFailedInBackground)
        } else if happens(own.devices.start.atSystemLimit, activity, .startAtSystemLimit, attempt) {
            failure = (.atSystemLimit, .startsFailedAtSystemLimit)
        } else if hasMostCards(besides: activity) {
            failure = (.atSystemLimit, .startsFailedAtSystemLimit)
        } else if own.devices.start.takesOldCards, oldCards(besides: activity) > 0 {
            failure = (.oldCard, .startsFailedOldCard)
        } else if happens(own.devices.start.tooLarge, activity, .startTooLarge) {
            failure = (.tooLarge, .startsFailedTooLarge)
        } else {
            failure = nil
        }
        guard let failure else {
            startActivity(activity, content: content ?? currentContent())
            return
        }
        count(failure.counter)
        log(activity, .startFailed(reason: failure.reason))
        if attempt + 1 < own.devices.start.attempts {
            let retryAt = loop.now + span(own.samplers.startRetry, activity, .startRetry, attempt)
            let opensAt = failure.reason == .inBackground ? nextForeground(of: activity) : nil
            expect(activity, .startAttempt, at: opensAt ?? retryAt)
        } else if own.devices.start.by == .appThenPush {
            startByPush(activity)
        } else {
            giveUpStart(activity, .givenUp)
        }
    }

    /// `true` if the app is not in the foreground now, so that it cannot start an activity.
    ///
    /// - Parameter index: The index of the draw that decides, unless the app has spans in the foreground.
    @inline(__always)
    func isInBackground(_ activity: Handle<Activity>, draw index: UInt32) -> Bool {
        guard own.samplers.foreground == nil else { return nextForeground(of: activity) != loop.now }
        return isBookedAhead(activity) || happens(own.devices.start.background, activity, .startInBackground, index)
    }

    /// The app's next instant in the foreground: now, or the beginning of the next span; nil if the scenario has no spans.
    ///
    /// The spans alternate from the request on, with one outside first if the ride was booked ahead. They have draws of their
    /// own, so they are computed when they are needed.
    ///
    /// - Complexity: O(*n*) for *n* spans since the request.
    private func nextForeground(of activity: Handle<Activity>) -> Instant? {
        guard let spans = own.samplers.foreground else { return nil }
        var (index, end) = (UInt32(0), activity.requestedAt)
        let isAwayAtFirst = isBookedAhead(activity)
        while true {
            let isInside = index.isMultiple(of: 2) != isAwayAtFirst
            let sampler = isInside ? spans.stays : spans.away
            // With a span of length zero, time would not advance.
            end = end + max(span(sampler, activity, .foregroundSpan, index), TimeSpan(microseconds: 1))
            if loop.now < end { return isInside ? loop.now : end }
            index += 1
        }
    }

    mutating func giveUpStart(_ activity: Handle<Activity>, _ failure: StoryLine.StartFailure) {
        activity.firstContent = Activity.noContent
        activity.entity.pointee.phone.ended()
        count(.ridesWithoutActivity)
        log(activity, .startFailed(reason: failure))
    }

    /// Abandons the start of an activity whose ride ended first.
    mutating func abandonStart(_ activity: Handle<Activity>) {
        activity.entity.pointee.registrationAlarm.callOff()
        activity.registration = .idle
        activity.resendDue = .never
        giveUpStart(activity, .givenUp)
    }

    private mutating func startByPush(_ activity: Handle<Activity>) {
        guard isEligible(activity) else { return }
        guard phoneHas(own.devices.pushToStart.hasToken, activity, .hasStartToken) else {
            giveUpStart(activity, .givenUp)
            return
        }
        pushStart(activity)
    }

    /// Sends a start, and schedules the next in case it yields no update token.
    private mutating func pushStart(_ activity: Handle<Activity>) {
        activity.startPushes += 1
        if hasStartToken(activity) { send(.start, to: activity) }
        if let resendAfter = own.devices.pushToStart.resendAfter,
            activity.startPushes < own.devices.pushToStart.attempts, !groups.isUsed || !followsChannel(activity)
        {
            activity.resendDue = loop.now + resendAfter
            remindMonitor(activity, at: activity.resendDue)
        }
    }

    /// Sends another start, because the last one yielded no update token and the server does not know whether the
    /// activity exists.
    mutating func startResendDue(_ activity: Handle<Activity>) {
        guard activity.phone.phase != .ended, !activity.isRideOver else { return }
        pushStart(activity)
    }

    /// `true` if the phone drops a push-to-start before it reaches the activity: its token is dead, its budget spent, its
    /// content stale, or it has no alert.
    mutating func isStartDropped(_ activity: Handle<Activity>, _ push: Handle<Push>) -> Bool {
        if phoneHas(own.devices.pushToStart.dead, activity, .startTokenDead)
            || phoneHas(own.devices.pushToStart.budgetExhausted, activity, .startBudgetExhausted)
        {
            return true
        }
        var drop: PushStarts.Drop?
        if pushStarts.isUsed {
            drop = pushStarts[activity.number]
                .arrived(
                    hasAlert: !happens(rules.phone.starts.withoutAlert, activity, .startWithoutAlert, push.index),
                    staleDate: push.payload.content.staleDate,
                    at: loop.now,
                    rules: rules.phone
                )
        }
        if drop == nil, hasMostCards(besides: activity) { drop = .tooManyCards }
        guard let drop else { return false }
        let counter: Counter =
            switch drop {
            case .overBudget: .startsOverBudget
            case .stale: .startsStale
            case .noAlert: .startsWithoutAlert
            case .tooManyCards: .startsAtCardLimit
            }
        count(counter, exampleAt: activity)
        log(activity, .startDropped(drop))
        return true
    }

    /// The starter of an activity.
    enum Starter {
        /// The app, which runs.
        case app
        /// A push with the content.
        case push
        /// The system, at the time for which the app has scheduled it.
        case schedule
    }

    /// Puts the activity on the screen, with content that no push has confirmed yet.
    ///
    /// - Parameter starter: The starter of the activity.
    mutating func startActivity(_ activity: Handle<Activity>, content: ContentStamp, by starter: Starter = .app) {
        if links.isUsed, own.devices.start.comparesRides { endOldCards(before: activity) }
        account(activity)
        updateStartToken(of: activity)
        let life = UInt32(activity.life)
        activity.life &+= 1
        // To the server, an activity created after a swipe is a new one as well.
        activity.monitor.activityReplaced()
        activity.isGivenUp = false
        activity.formerTokens = activity.tokenNumber
        let showedStage = activity.showsStage
        activity.firstContent = content
        activity.entity.pointee.phone.started(
            with: content,
            timestamp: payloadClock.timestamp(of: content.generatedAt),
            isUndecodable: happens(own.content.undecodable, activity, .undecodable)
        )
        activity.contentSource = .start
        if !showedStage { noteStageShown(activity) }
        beginWhereabouts(activity)
        if activity.showsStage { activity.isStageAnnounced = true }
        beginAge(activity)
        drawProspects(activity, life: life, startedBy: starter)
        count(.activitiesStarted, column: .activitiesStarted)
        countInSegment(.activitiesStarted, activity)
        population.changed(by: 1, inSegment: Int(activity.segment), at: loop.now)
        log(activity, .started)
        if groups.isUsed, let channel = channelNumber(of: activity) {
            tellChannel(.followed(channel, ride: activity.ride))
        }
        picturesRenewed(activity)
        if let before = rules.renewBefore {
            renewals[activity.number]
                .started(at: loop.now, before: before, limit: own.devices.systemLimit)
        }
        remindDevice(activity)
        let token = own.devices.token
        let never = starter == .push ? token.neverAfterPush ?? token.never : token.never
        if groups.isUsed && followsChannel(activity) || happens(never, activity, .tokenNever, life) {
            activity.registration = .idle
            activity.entity.pointee.registrationAlarm.callOff()
        } else {
            expect(activity, .tokenYield, at: loop.now + span(own.samplers.tokenDelay, activity, .tokenDelay, life))
        }
    }

    /// Draws the future of a life of an activity that starts now.
    private mutating func drawProspects(_ activity: Handle<Activity>, life: UInt32, startedBy starter: Starter) {
        activity.startedAt = loop.now
        if starter == .schedule {
            // The app does not run, so it does not end a card whose content expired before it appeared.
            activity.appAliveUntil = .start
        } else if let sampler = own.samplers.appAlive {
            activity.appAliveUntil = loop.now + span(sampler, activity, .appAlive, life)
        } else {
            activity.appAliveUntil = rules.appCanUpdate ? .never : loop.now
        }
        activity.isToBeSwiped =
            activity.phone.mayBeSwiped && happens(own.devices.swipe.share, activity, .swipes)
    }

    // MARK: - Tokens

    private mutating func tokenYielded(_ activity: Handle<Activity>) {
        guard activity.phone.phase == .live else { return }
        renewToken(activity)
        log(activity, .tokenYielded)
    }

    /// Handles a new token of iOS, which invalidates the previous one.
    private mutating func renewToken(_ activity: Handle<Activity>) {
        if activity.serverToken != 0, activity.tokenDeadSince == .never {
            activity.tokenDeadSince = loop.now
        }
        tellTokenDied(activity)
        activity.tokenNumber += 1
        activity.postAttempts = 0
        if let sampler = own.samplers.tokenRotation {
            // Without a pause between rotations, time would not advance.
            let pause = span(sampler, activity, .tokenRotation, activity.tokenNumber)
            activity.entity.pointee.rotationAlarm.note(loop.now + max(pause, TimeSpan(microseconds: 1)))
            scheduleRotation(activity)
        }
        postToken(activity)
    }

    /// Schedules the next change of the token; see ``Activity/rotation(at:)``.
    mutating func scheduleRotation(_ activity: Handle<Activity>) {
        let next = activity.entity.pointee.rotation(at: activity.rotationAlarm.due).next
        guard next != .never else { return }
        set(&activity.entity.pointee.rotationAlarm, of: activity, for: next, .rotation)
    }

    mutating func rotationCameUp(_ activity: Handle<Activity>) {
        guard rings(&activity.entity.pointee.rotationAlarm, of: activity, .rotation),
            activity.phone.phase == .live
        else { return }
        record(.rotation, of: activity)
        count(.tokensRotated)
        renewToken(activity)
        scheduleRegistration(activity)
        log(activity, .tokenRotated)
    }

    /// Posts the token to the server, as soon as the phone is online.
    private mutating func postToken(_ activity: Handle<Activity>) {
        guard activity.phone.phase == .live else { return }
        let index = activity.postCount
        activity.postCount += 1
        let sentAt = connected(activity, notBefore: loop.now)
        expect(activity, .tokenPost, at: sentAt + span(own.samplers.tokenPost, activity, .tokenPost, index))
    }

    private mutating func tokenPostArrived(_ activity: Handle<Activity>) {
        guard activity.phone.phase == .live else { return }
        let index = activity.postCount
        activity.postAttempts += 1
        if happens(own.devices.token.postFailure, activity, .tokenPostFails, index)
            || FaultTimeline.any(world.faults.tokenPostDown, cover: loop.now)
        {
            count(.tokenPostsFailed)
            log(activity, .tokenPostFailed)
            if activity.postAttempts < own.devices.token.postAttempts {
                expect(
                    activity,
                    .tokenPostRetry,
                    at: loop.now + span(own.samplers.tokenPostRetry, activity, .tokenPostRetry, index)
                )
            }
            return
        }
        account(activity)
        postStartToken(activity)
        count(.tokensPosted)
        let isFirst = activity.serverToken == 0
        activity.tokenDeadSince = .never
        log(activity, .tokenPosted)
        if ports.hasRemoteMonitor {
            publishThroughPort(activity, isFirst: isFirst)
        } else {
            watchInstance(activity)
        }
    }

    // MARK: - The end as reported by the phone

    /// Reports the phone's own end to the server, as soon as the phone is online.
    mutating func reportEnd(_ activity: Handle<Activity>) {
        // An ended activity posts no token, so the count of posts is free for reports.
        activity.postAttempts = 0
        sendEndReport(activity, notBefore: loop.now)
    }

    private mutating func sendEndReport(_ activity: Handle<Activity>, notBefore instant: Instant) {
        let delay = span(own.samplers.endReport, activity, .endReport, endReportIndex(activity))
        expect(activity, .endReport, at: connected(activity, notBefore: instant) + delay)
    }

    /// The index of the draws of an attempt to report an end.
    private func endReportIndex(_ activity: Handle<Activity>) -> UInt32 {
        UInt32(activity.life) | UInt32(activity.postAttempts) << 8
    }

    private mutating func endReportArrived(_ activity: Handle<Activity>) {
        if let failure = own.devices.endReportFailure, endReportFails(activity, failure) { return }
        log(activity, .endReported)
        endReported(activity)
        if activity.phone.mayBeMadeAgain(isRideOver: activity.isRideOver),
            happens(own.devices.swipe.recreated, activity, .recreated), appGetsContent(activity)
        {
            count(.activitiesRecreated)
            startActivity(activity, content: currentContent())
        }
    }

    /// Returns `true` if a report fails; then the phone sends it again, or gives it up.
    private mutating func endReportFails(_ activity: Handle<Activity>, _ failure: Scenario.EndReportFailure) -> Bool {
        let index = endReportIndex(activity)
        guard
            happens(failure.share, activity, .endReportFails, index)
                || FaultTimeline.any(world.faults.tokenPostDown, cover: loop.now)
        else { return false }
        count(.endReportsFailed)
        activity.postAttempts += 1
        let isLast = activity.postAttempts >= failure.attempts
        log(activity, .endReportFailed(isLast: isLast))
        if isLast {
            count(.endsUnreported, exampleAt: activity)
            expect(activity, .oblivion, at: loop.now + CellSimulation.oblivionInterval)
        } else if let retry = own.samplers.endReportRetry {
            sendEndReport(activity, notBefore: loop.now + span(retry, activity, .endReportRetry, index))
        }
        return true
    }

    // MARK: - Ends that the server never learns of

    /// The time between two checks if the server has finished with an activity whose end no report has announced.
    private static var oblivionInterval: TimeSpan { .hours(1) }

    /// Forgets an activity whose end the phone did not report, once its ride is over and the server does no more for it.
    ///
    /// This only frees memory: no push, no count and no belief follows from it.
    private mutating func forget(_ activity: Handle<Activity>) {
        guard activity.isRideOver, activity.pushCount == 0, activity.monitor.isDone(own.monitor) else {
            expect(activity, .oblivion, at: loop.now + CellSimulation.oblivionInterval)
            return
        }
        account(activity)
        _ = activity.entity.pointee.monitor.withdrawn()
    }
}
