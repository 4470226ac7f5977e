import FreshnessCore
import Quantities
import RandomStreams
import SimulationKernel

/// From the request to a token in the server's hands: starts, push-to-start, tokens, posts and rotations.
extension CellSimulation {
    // MARK: - Starts

    mutating func beginStart(_ slot: UInt32) {
        guard happens(world.scenario.devices.activitiesEnabled, slot, .activitiesEnabled) else {
            count(.startsNotAllowed)
            giveUpStart(slot, .notAllowed)
            return
        }
        switch world.scenario.devices.start.by {
        case .app, .appThenPush:
            expect(slot, .startAttempt, after: span(world.samplers.startTime, slot, .startTime))
        case .push:
            startByPush(slot)
        }
    }

    /// Sets what the registration alarm is for, and when.
    private mutating func expect(_ slot: UInt32, _ registration: Activity.Registration, after span: TimeSpan) {
        expect(slot, registration, at: loop.now + span)
    }

    private mutating func expect(_ slot: UInt32, _ registration: Activity.Registration, at instant: Instant) {
        activities[Int(slot)].registration = registration
        setAlarm(.registration, of: slot, for: instant)
    }

    mutating func registrationAlarmRang(_ slot: UInt32) {
        record(.registration, of: slot)
        let registration = activities[Int(slot)].registration
        activities[Int(slot)].registration = .idle
        switch registration {
        case .idle: preconditionFailure("an alarm for nothing")
        case .startAttempt: attemptStart(slot)
        case .tokenYield: tokenYielded(slot)
        case .tokenPost: tokenPostArrived(slot)
        case .tokenPostRetry: postToken(slot)
        case .endReport: endReportArrived(slot)
        }
        releaseIfOver(slot)
    }

    private mutating func attemptStart(_ slot: UInt32) {
        let attempt = activities[Int(slot)].startAttempts
        activities[Int(slot)].startAttempts += 1
        let failure: StoryLine.StartFailure?
        if !canGenerateContent {
            // The app asks the server before it asks iOS.
            count(.startsFailedWithoutContent)
            failure = .noContent
        } else if happens(world.scenario.devices.start.background, slot, .startInBackground, attempt) {
            count(.startsFailedInBackground)
            failure = .inBackground
        } else if happens(world.scenario.devices.start.atSystemLimit, slot, .startAtSystemLimit, attempt) {
            count(.startsFailedAtSystemLimit)
            failure = .atSystemLimit
        } else if happens(world.scenario.devices.start.tooLarge, slot, .startTooLarge) {
            count(.startsFailedTooLarge)
            failure = .tooLarge
        } else {
            failure = nil
        }
        guard let failure else {
            startActivity(slot, content: currentContent())
            return
        }
        tell(slot, .startFailed(reason: failure))
        if attempt + 1 < world.scenario.devices.start.attempts {
            expect(slot, .startAttempt, after: span(world.samplers.startRetry, slot, .startRetry, attempt))
        } else if world.scenario.devices.start.by == .appThenPush {
            startByPush(slot)
        } else {
            giveUpStart(slot, .givenUp)
        }
    }

    private mutating func giveUpStart(_ slot: UInt32, _ failure: StoryLine.StartFailure) {
        activities[Int(slot)].phase = .ended
        count(.ridesWithoutActivity)
        tell(slot, .startFailed(reason: failure))
    }

    /// The ride ended before its activity began.
    mutating func abandonStart(_ slot: UInt32) {
        callOffAlarm(.registration, of: slot)
        callOffAlarm(.monitor, of: slot)
        activities[Int(slot)].registration = .idle
        giveUpStart(slot, .givenUp)
    }

    private mutating func startByPush(_ slot: UInt32) {
        guard happens(world.scenario.devices.pushToStart.hasToken, slot, .hasStartToken) else {
            giveUpStart(slot, .givenUp)
            return
        }
        pushStart(slot)
    }

    /// Sends a start, and appoints the next one in case no update token comes of it.
    private mutating func pushStart(_ slot: UInt32) {
        activities[Int(slot)].startPushes += 1
        sendStart(slot)
        if let resendAfter = world.scenario.devices.pushToStart.resendAfter,
            activities[Int(slot)].startPushes < world.scenario.devices.pushToStart.attempts
        {
            setAlarm(.monitor, of: slot, for: loop.now + resendAfter)
        }
    }

    /// No update token has come of the last start; the server cannot tell whether the activity exists.
    mutating func startResendDue(_ slot: UInt32) {
        guard activities[Int(slot)].phase != .ended, !activities[Int(slot)].isRideOver else { return }
        pushStart(slot)
    }

    /// A push-to-start has reached the phone.
    mutating func startPushArrived(_ slot: UInt32, content: ContentStamp) -> StoryLine.Fate {
        let activity = activities[Int(slot)]
        if activity.phase == .ended || happens(world.scenario.devices.pushToStart.dead, slot, .startTokenDead)
            || happens(world.scenario.devices.pushToStart.budgetExhausted, slot, .startBudgetExhausted)
        {
            return .startIgnored
        }
        if activity.phase == .live {
            count(.duplicatesStarted)
            return .started
        }
        count(.activitiesStartedByPush)
        startActivity(slot, content: content)
        return .started
    }

    /// The activity is on the screen, with content that no push has confirmed yet.
    mutating func startActivity(_ slot: UInt32, content: ContentStamp) {
        account(slot)
        let life = UInt32(activities[Int(slot)].life)
        activities[Int(slot)].life &+= 1
        // An activity made again after a swipe is a new one to the server too.
        activities[Int(slot)].instance = nil
        activities[Int(slot)].isGivenUp = false
        activities[Int(slot)].formerTokens = activities[Int(slot)].tokenNumber
        activities[Int(slot)].phase = .live
        activities[Int(slot)].announcedStage = activities[Int(slot)].stage
        activities[Int(slot)].isUndecodable = happens(world.scenario.content.undecodable, slot, .undecodable)
        activities[Int(slot)].screen = Activity.Screen(
            content: content,
            firstContent: content,
            timestamp: stamp(content.generatedAt),
            startedAt: loop.now,
            ageMeasuredUntil: loop.now
        )
        beginAge(slot)
        if let sampler = world.samplers.appAlive {
            activities[Int(slot)].appAliveUntil = loop.now + span(sampler, slot, .appAlive, life)
        } else {
            activities[Int(slot)].appAliveUntil = world.scenario.devices.localUpdates.enabled ? .never : loop.now
        }
        if life == 0, happens(world.scenario.devices.swipe.share, slot, .swipes) {
            activities[Int(slot)].swipeAt = loop.now + span(world.samplers.swipeAfter, slot, .swipeAfter)
        }
        count(.activitiesStarted, column: .activitiesStarted)
        changePopulation(by: 1)
        tell(slot, .started)
        setDeviceAlarm(slot)
        if happens(world.scenario.devices.token.never, slot, .tokenNever, life) {
            activities[Int(slot)].registration = .idle
            callOffAlarm(.registration, of: slot)
        } else {
            expect(slot, .tokenYield, after: span(world.samplers.tokenDelay, slot, .tokenDelay, life))
        }
    }

    // MARK: - Tokens

    private mutating func tokenYielded(_ slot: UInt32) {
        guard activities[Int(slot)].phase == .live else { return }
        renewToken(slot)
        tell(slot, .tokenYielded)
    }

    /// iOS has a new token; from now on an older one does not work.
    private mutating func renewToken(_ slot: UInt32) {
        if activities[Int(slot)].serverToken != 0, activities[Int(slot)].serverTokenDeadSince == .never {
            activities[Int(slot)].serverTokenDeadSince = loop.now
        }
        activities[Int(slot)].tokenNumber += 1
        activities[Int(slot)].postAttempts = 0
        postToken(slot)
        if let sampler = world.samplers.tokenRotation {
            // Rotations without any pause would never let time pass.
            let pause = span(sampler, slot, .tokenRotation, activities[Int(slot)].tokenNumber)
            setAlarm(.rotation, of: slot, for: loop.now + max(pause, TimeSpan(microseconds: 1)))
        }
    }

    mutating func rotationAlarmRang(_ slot: UInt32) {
        guard activities[Int(slot)].phase == .live else { return }
        record(.rotation, of: slot)
        count(.tokensRotated)
        renewToken(slot)
        tell(slot, .tokenRotated)
    }

    /// Sends the token to the server, as soon as the phone has a connection.
    private mutating func postToken(_ slot: UInt32) {
        guard activities[Int(slot)].phase == .live else { return }
        let index = activities[Int(slot)].postCount
        activities[Int(slot)].postCount += 1
        let sentAt = connected(slot, notBefore: loop.now)
        expect(slot, .tokenPost, at: sentAt + span(world.samplers.tokenPost, slot, .tokenPost, index))
    }

    private mutating func tokenPostArrived(_ slot: UInt32) {
        guard activities[Int(slot)].phase == .live else { return }
        let index = activities[Int(slot)].postCount
        activities[Int(slot)].postAttempts += 1
        if happens(world.scenario.devices.token.postFailure, slot, .tokenPostFails, index)
            || FaultTimeline.any(world.faults.tokenPostDown, cover: loop.now)
        {
            count(.tokenPostsFailed)
            tell(slot, .tokenPostFailed)
            if activities[Int(slot)].postAttempts < world.scenario.devices.token.postAttempts {
                expect(slot, .tokenPostRetry, after: span(world.samplers.tokenPostRetry, slot, .tokenPostRetry, index))
            }
            return
        }
        account(slot)
        count(.tokensPosted)
        activities[Int(slot)].serverToken = activities[Int(slot)].tokenNumber
        activities[Int(slot)].serverTokenDeadSince = .never
        tell(slot, .tokenPosted)
        watchInstance(slot)
    }

    // MARK: - The end, as the phone reports it

    /// The phone reports its own end, as soon as it has a connection.
    mutating func reportEnd(_ slot: UInt32) {
        let life = UInt32(activities[Int(slot)].life)
        let delay = span(world.samplers.endReport, slot, .endReport, life)
        expect(slot, .endReport, at: connected(slot, notBefore: loop.now) + delay)
    }

    private mutating func endReportArrived(_ slot: UInt32) {
        tell(slot, .endReported)
        invalidateToken(slot, isReported: true)
        let activity = activities[Int(slot)]
        if activity.lastEnd == .swiped, activity.life == 1, !activity.isRideOver, canGenerateContent,
            happens(world.scenario.devices.swipe.recreated, slot, .recreated)
        {
            count(.activitiesRecreated)
            startActivity(slot, content: currentContent())
        }
    }

    // MARK: - Timestamps

    /// A payload's timestamp for content of an instant, in microseconds at the resolution that payloads have.
    func stamp(_ instant: Instant) -> Int64 {
        let resolution = world.scenario.content.timestampResolution.microseconds
        guard resolution > 0 else { return instant.microseconds }
        return instant.microseconds / resolution * resolution
    }
}
