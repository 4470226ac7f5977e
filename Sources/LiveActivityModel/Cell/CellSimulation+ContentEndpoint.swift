import FreshnessCore
import Quantities
import SimulationKernel

/// The endpoint that generates content: its time, its failures, and what its answer says about a start.
extension CellSimulation {
    // MARK: - The server's requests

    /// Asks the endpoint for the content of a push, which is made when the content arrives.
    ///
    /// - Parameter isRenewal: `true` for a start that renews a live activity.
    /// - Returns: `false` if there will be no content.
    mutating func requestContent(
        _ kind: StoryLine.PushKind,
        for activity: Handle<Activity>,
        _ priority: PushPriority,
        isRenewal: Bool
    ) -> Bool {
        guard let rules = rules.endpoint else { preconditionFailure("a request without an endpoint") }
        var request = ContentRequest(at: loop.now)
        while true {
            let (time, hasFailed) = tryContent(for: activity, at: request.askedAt, rules)
            switch request.tried(for: time, hasFailed: hasFailed, rules) {
            case .triesAgain:
                continue
            case .givesUp:
                return hasNoContent(for: activity, kind)
            case .content(let arrivesAt):
                if kind != .start { contentArose(activity, at: .noContent) }
                observeContent(arrivesAt - loop.now)
                awaitContent(kind, for: activity, priority, isRenewal: isRenewal, request.askedAt, until: arrivesAt)
                return true
            }
        }
    }

    /// Schedules the arrival of content.
    private mutating func awaitContent(
        _ kind: StoryLine.PushKind,
        for activity: Handle<Activity>,
        _ priority: PushPriority,
        isRenewal: Bool,
        _ generatedAt: Instant,
        until arrivesAt: Instant
    ) {
        var push = Push(
            activity: activity.number,
            ride: activity.ride,
            life: kind == .start && !isRenewal ? 0 : activity.life,
            kind: kind,
            watch: activity.monitor.watch,
            priority: priority,
            // Orders contents that arrive at one instant.
            index: contentTries[activity.number],
            rank: 0,
            passage: SenderPassage(offeredAt: loop.now),
            payload: Push.Payload(content: content(generatedAt: generatedAt), timestamp: 0, bytes: 0)
        )
        push.awaitsContent = true
        let placed = place(push)
        log(activity, .contentRequested(kind, until: arrivesAt))
        schedule(.content, subject: placed.number, at: arrivesAt)
    }

    /// Makes the push of content that arrives, if the activity still takes it.
    mutating func contentArrived(_ request: Handle<Push>) {
        loop.record(event: EventKind.content.rawValue, subject: request.ride)
        let isCurrent = isCurrent(request)
        let (kind, life, content) = (request.kind, request.life, request.payload.content)
        let (priority, watch) = (request.priority, request.watch)
        let activity = activities[request.activity]
        release(request)
        guard isCurrent else { return }
        let isRenewal = kind == .start && life > 0
        let isWanted = activity.monitor.takes(kind) || isRenewal && life == activity.life && !activity.isRideOver
        guard isWanted, kind == .start || life == activity.life, kind != .retry || watch == activity.monitor.watch
        else {
            return
        }
        sendContent(kind, to: activity, priority: priority, content, isRenewal: isRenewal)
        if kind != .start { remindMonitor(activity) }
    }

    // MARK: - The app's requests

    /// Asks the endpoint for the content of a start: an attempt of the app asks once.
    ///
    /// - Returns: When the endpoint answers, and whether it returns content.
    mutating func requestStartContent(_ activity: Handle<Activity>, _ rules: ContentRequest.Rules) -> (Instant, Bool) {
        let (time, hasFailed) = tryContent(for: activity, at: loop.now, rules)
        if !hasFailed { observeContent(time) }
        return (loop.now + time, !hasFailed)
    }

    /// `true` if an app that asks the server now gets content.
    ///
    /// The time of the request is part of the app's own times, such as ``Scenario/WakeApp/fetch``.
    mutating func appGetsContent(_ activity: Handle<Activity>) -> Bool {
        guard let rules = rules.endpoint else { return canGenerateContent }
        return !tryContent(for: activity, at: loop.now, rules).hasFailed
    }

    /// `true` if the answer of the endpoint allows the ride a Live Activity.
    mutating func isEligible(_ activity: Handle<Activity>) -> Bool {
        guard let rules = rules.endpoint, happens(rules.ineligible, activity, .ineligible) else { return true }
        count(.startsNotEligible)
        giveUpStart(activity, .notEligible)
        return false
    }

    // MARK: - A try

    /// The time of a try that begins at an instant, and whether it fails.
    private mutating func tryContent(
        for activity: Handle<Activity>,
        at instant: Instant,
        _ rules: ContentRequest.Rules
    ) -> (time: TimeSpan, hasFailed: Bool) {
        guard let sampler = own.samplers.contentTime else { preconditionFailure("an endpoint without a time") }
        let number = contentTries[activity.number]
        contentTries[activity.number] &+= 1
        let time = FaultTimeline.slowed(
            span(sampler, activity, .contentTime, number),
            by: world.faults.contentSlow,
            at: instant
        )
        let hasFailed =
            FaultTimeline.any(world.faults.contentDown, cover: instant)
            || happens(rules.failure, activity, .contentFails, number)
        count(.contentRequests)
        if hasFailed { count(.contentRequestsFailed) }
        return (time, hasFailed)
    }

    private mutating func observeContent(_ time: TimeSpan) {
        if isMeasured { recorder.record(time.microseconds, as: .contentTime) }
    }
}
