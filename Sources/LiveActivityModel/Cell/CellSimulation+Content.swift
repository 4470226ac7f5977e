import FreshnessCore
import Quantities
import SimulationKernel

/// The server's pushes: when content is worth sending, what a push contains, and how large it is.
extension CellSimulation {
    /// Handles a stage change or a refresh, which calls for regular content whether or not any can be sent.
    @inline(__always)
    mutating func sendUpdate(_ activity: Handle<Activity>, priority: PushPriority) {
        activity.entity.pointee.pushNumbers.contentArose()
        announce(activity, priority: priority)
    }

    /// Sends regular content for the last stage change or refresh, which may be past.
    @inline(__always)
    mutating func announce(_ activity: Handle<Activity>, priority: PushPriority) {
        guard activity.monitor.takesContent else {
            // The record of its channel publishes.
            if groups.isUsed, followsChannel(activity) { return }
            contentHasNoWay(activity)
            announceThroughPort(activity, priority: priority)
            return
        }
        guard !isWithinMinimumInterval(activity) else { return }
        guard send(.update, to: activity, priority: priority) else { return }
        MonitorStation.updateSent(earning: &budget, at: loop.now)
        activity.pace.updated(at: loop.now)
    }

    /// `true` if new content comes too soon after the last update.
    @inline(__always)
    mutating func isWithinMinimumInterval(_ activity: Handle<Activity>) -> Bool {
        let verdict = activity.pace
            .verdict(isStageNew: !activity.isStageAnnounced, minimum: rules.minimumInterval, at: loop.now)
        switch verdict {
        case .goes:
            return false
        case .putOff(let due):
            contentArose(activity, at: .heldBack)
            schedule(.postponed, subject: activity.number, at: due)
            log(activity, .postponed(until: due))
        case .leftOut:
            contentArose(activity, at: .heldBack)
            count(.pushesOffered)
            count(.pushesWithinMinimumInterval)
            log(activity, .notSent(.update, reason: .withinMinimumInterval))
        }
        return true
    }

    /// The minimum interval after an update is over: announces a stage change that came within it, unless other content
    /// has announced it already.
    mutating func postponedChangeCameUp(_ activity: Handle<Activity>) {
        // An activity that ran ahead may be in a later stage.
        guard activity.isInUse, !activity.isRideOver, !activity.isStageAnnounced, activity.stageBeganAt <= loop.now,
            activity.pace.isOver(rules.minimumInterval, at: loop.now)
        else { return }
        record(.postponed, of: activity)
        announce(activity, priority: own.content.stateChangePriority)
        remindMonitor(activity)
    }

    /// Queues a push with content generated now; an end needs no content.
    ///
    /// - Parameter isRenewal: `true` for a start that renews a live activity. Other content still has to announce the stage,
    ///   in case the start does not arrive.
    /// - Returns: `true` if there was content to send.
    @discardableResult
    @inline(__always)
    mutating func send(
        _ kind: StoryLine.PushKind,
        to activity: Handle<Activity>,
        priority: PushPriority = .immediate,
        isRenewal: Bool = false
    ) -> Bool {
        if kind != .end, rules.hasEndpoint {
            return requestContent(kind, for: activity, priority, isRenewal: isRenewal)
        }
        guard kind == .end || canGenerateContent else { return hasNoContent(for: activity, kind) }
        sendContent(kind, to: activity, priority: priority, currentContent(), isRenewal: isRenewal)
        return true
    }

    /// Counts a push that lacks content.
    ///
    /// - Returns: `false`.
    @inline(never)
    mutating func hasNoContent(for activity: Handle<Activity>, _ kind: StoryLine.PushKind) -> Bool {
        if kind != .start { contentArose(activity, at: .noContent) }
        count(.pushesWithoutContent)
        log(activity, .notSent(kind, reason: .noContent))
        return false
    }

    /// Queues a push with content.
    mutating func sendContent(
        _ kind: StoryLine.PushKind,
        to activity: Handle<Activity>,
        priority: PushPriority,
        _ content: ContentStamp,
        isRenewal: Bool
    ) {
        guard !joins(activity, kind: kind, priority: priority, content) else { return }
        let index = nextIndex(activity, kind: kind)
        let isAnnounced = activity.isStageAnnounced
        let payload = makePayload(activity, kind: kind, index: index, content)
        if isRenewal { activity.isStageAnnounced = isAnnounced }
        offerPush(activity, kind, priority, index, payload, life: kind == .start && !isRenewal ? 0 : activity.life)
    }

    /// Merges a new push into the waiting push of this life of the activity, if the sender coalesces.
    @inline(__always)
    private mutating func joins(
        _ activity: Handle<Activity>,
        kind: StoryLine.PushKind,
        priority: PushPriority,
        _ content: ContentStamp
    ) -> Bool {
        guard senderRules.joins(whileConnected: true), let number = activity.waitingPush.number else { return false }
        let waiting = pushes[number]
        guard waiting.life == activity.life else { return false }
        switch WaitingPush
            .joining(kind, priority, ofWatch: activity.monitor.watch, toWaiting: waiting.kind, waiting.priority)
        {
        case .no:
            return false
        case .isNeedless:
            count(.pushesOffered)
        case .renews(let withIndex, let priority, let watch):
            count(.pushesOffered)
            takePhotoBack(of: waiting)
            let index = nextIndex(activity, kind: kind)
            let former = waiting.payload
            waiting.payload = makePayload(activity, kind: kind, index: index, content)
            if former.alerts, !waiting.payload.alerts {
                (waiting.payload.alerts, waiting.payload.alertStage) = (true, former.alertStage)
            }
            if withIndex { waiting.index = index } else { contentAroseForAll(activity, inPush: waiting.index) }
            if groups.isUsed { contentReplaced(waiting) }
            pushCame(waiting, to: .queued)
            waiting.priority = priority
            waiting.watch = watch
        }
        count(.pushesCoalesced)
        log(activity, .notSent(kind, reason: .coalesced))
        return true
    }

    /// Creates a push and offers it to the sender.
    private mutating func offerPush(
        _ activity: Handle<Activity>,
        _ kind: StoryLine.PushKind,
        _ priority: PushPriority,
        _ index: UInt32,
        _ payload: Push.Payload,
        life: UInt8
    ) {
        let push = Push(
            activity: activity.number,
            ride: activity.ride,
            life: life,
            kind: kind,
            watch: activity.monitor.watch,
            priority: priority,
            index: index,
            rank: rank(of: kind, stage: activity.stage),
            passage: SenderPassage(offeredAt: loop.now),
            payload: payload
        )
        let placed = place(push)
        if groups.isUsed { contentBegins(placed) }
        offer(placed)
    }

    @inline(__always)
    mutating func nextIndex(_ activity: Handle<Activity>, kind: StoryLine.PushKind) -> UInt32 {
        activity.entity.pointee.pushNumbers.takeIndex(for: kind)
    }

    /// Returns the payload of a push that is created now; the stage in its content counts as announced from then on.
    @inline(__always)
    mutating func makePayload(
        _ activity: Handle<Activity>,
        kind: StoryLine.PushKind,
        index: UInt32,
        _ content: ContentStamp
    ) -> Push.Payload {
        var content = content
        // Content that an endpoint generated may be of an earlier stage.
        let isOfStage = !rules.hasEndpoint || content.generatedAt >= activity.stageBeganAt
        let alerts =
            isOfStage && !activity.isStageAnnounced && (kind == .update || kind == .retry)
            && own.alerts(inStage: activity.stage)
        if isOfStage { activity.isStageAnnounced = true }
        if kind != .start { contentAroseForAll(activity, inPush: index) }
        let sizeDraw = draw(course(of: activity), .content, index)
        var isInMilliseconds = false
        if kind == .update || kind == .retry {
            if rules.lacksStaleDate(sizeDraw) { content.staleDate = .never }
            isInMilliseconds = happens(
                rules.timestampInMilliseconds,
                course(of: activity),
                .timestampInMilliseconds,
                index
            )
        }
        let timestamp = nextTimestamp(activity, at: content.generatedAt, isInMilliseconds: isInMilliseconds)
        let size = payloadSize(activity, kind: kind, draw: sizeDraw)
        if alerts { log(activity, .alertCreated(stage: activity.stage)) }
        return Push.Payload(
            content: content,
            timestamp: timestamp,
            bytes: UInt32(clamping: size.bytes),
            photo: size.photo,
            rematchCount: activity.rematchCount,
            carPhoto: size.carPhoto,
            alerts: alerts,
            alertStage: UInt8(activity.stage)
        )
    }

    /// The timestamp [µs] of the next payload for an activity, created at an instant.
    @inline(__always)
    mutating func nextTimestamp(
        _ activity: Handle<Activity>,
        at instant: Instant,
        isInMilliseconds: Bool = false
    ) -> Int64 {
        let timestamp = payloadClock.timestamp(of: instant) * (isInMilliseconds ? 1000 : 1)
        guard rules.timestampsRise else { return timestamp }
        return activity.entity.pointee.timestamps.next(for: timestamp, step: payloadClock.step)
    }

    @inline(__always)
    func rank(of kind: StoryLine.PushKind, stage: Int) -> UInt8 {
        kind == .update ? world.updateRanks[stage] : UInt8(world.scenario.sender.ranks.rank(of: kind))
    }

    // MARK: - Payload size

    /// The payload's size [bytes], including the driver's photo if it is due and fits.
    ///
    /// The photo is sent once for each driver, with the first update from its stage on, or more often as
    /// `content.payload.photo_policy` asks; the photo of the car follows once the driver's is settled. A photo that does not
    /// fit is shrunk; if that does not help, only its URL is sent, which is part of the content.
    @inline(__always)
    private mutating func payloadSize(
        _ activity: Handle<Activity>,
        kind: StoryLine.PushKind,
        draw sizeDraw: UInt64
    ) -> (bytes: Int, photo: Counter?, carPhoto: Counter?) {
        guard let sampler = own.samplers.payloadBytes[activity.stage] else { return (0, nil, nil) }
        let base = Int(own.bank.sample(sampler, sizeDraw))
        guard kind == .update || kind == .retry, activity.stage >= own.photoStage, rules.wakeApp == nil
        else { return (base, nil, nil) }
        if isOriginalProven(activity) { activity.isPhotoSent = true }
        guard !activity.isPhotoSent else {
            guard let (bytes, photo) = carPhotoSize(activity, beside: base) else { return (base, nil, nil) }
            return (base + bytes, nil, photo)
        }
        activity.isPhotoSent = rules.photoPolicy == .once
        let (original, bytes, photo) = driverPhotoSize(activity, beside: base)
        photoIncluded(photo, of: activity)
        log(activity, .photoPacked(.driver, original: original, packed: bytes, payload: base + bytes))
        return (base + bytes, photo, nil)
    }

    /// The size of the driver's photo, its size in a payload, and its counter.
    private func driverPhotoSize(_ activity: Handle<Activity>, beside base: Int) -> (
        original: Int, bytes: Int, photo: Counter
    ) {
        let driver = UInt32(activity.rematchCount)
        let payload = own.content.payload
        let photo = Int(own.bank.sample(own.samplers.photoBytes, draw(course(of: activity), .photoBytes, driver)))
        if base + photo <= payload.limit || !payload.ladder { return (photo, photo, .photosSent) }
        if let shrink = payload.shrink {
            let small = photo.shrunk(by: shrink, toFit: payload.limit - base)
            return (photo, small, small == 0 ? .photosDropped : .photosShrunk)
        }
        let small = Int(
            own.bank.sample(own.samplers.smallPhotoBytes, draw(course(of: activity), .smallPhotoBytes, driver))
        )
        return base + small <= payload.limit ? (photo, small, .photosShrunk) : (photo, 0, .photosDropped)
    }

    /// The size of the car's photo in a payload, and its counter; nil if none is due.
    @inline(__always)
    private mutating func carPhotoSize(_ activity: Handle<Activity>, beside base: Int) -> (bytes: Int, photo: Counter)?
    {
        guard rules.hasCarPhotos, !pictures[activity.number].isCarSent, let sampler = own.samplers.carPhotoBytes
        else { return nil }
        pictures[activity.number].isCarSent = true
        let payload = own.content.payload
        let original = Int(
            own.bank.sample(sampler, draw(course(of: activity), .carPhotoBytes, UInt32(activity.rematchCount)))
        )
        var photo = original
        if base + photo > payload.limit, payload.ladder {
            photo = payload.shrink.map { photo.shrunk(by: $0, toFit: payload.limit - base) } ?? 0
        }
        log(activity, .photoPacked(.car, original: original, packed: photo, payload: base + photo))
        return (photo, photo == 0 ? .carPhotosDropped : .carPhotosSent)
    }

    /// Leaves the photo of a push that will not be sent to the next push, unless the driver has changed since.
    mutating func takePhotoBack(of push: Handle<Push>) {
        if push.payload.carPhoto != nil, isCurrent(push),
            push.payload.rematchCount == activities[push.activity].rematchCount
        {
            pictures[push.activity].isCarSent = false
        }
        if push.payload.photo != nil, isCurrent(push),
            push.payload.rematchCount == activities[push.activity].rematchCount
        {
            // Of the other policies, only a proof sets it.
            if rules.photoPolicy == .once { activities[push.activity].isPhotoSent = false }
            photoTakenBack(of: activities[push.activity])
        }
    }
}

extension Int {
    /// Returns the size after as many steps of shrinking as it takes to fit into a room [bytes]; 0 if it would be too small.
    fileprivate func shrunk(by shrink: Scenario.Shrink, toFit room: Int) -> Int {
        let thousandths = Int((shrink.factor * 1000).rounded())
        var size = self
        while size > room, size >= shrink.smallest { size = size * thousandths / 1000 }
        return size < shrink.smallest ? 0 : size
    }
}
