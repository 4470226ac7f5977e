import FreshnessCore
import Quantities
import RandomStreams
import SimulationKernel

/// The server's pushes: what is worth sending, what is in it, and how large it is.
extension CellSimulation {
    /// A state change or a refresh: an occasion for regular content, whether or not any can be sent.
    mutating func sendUpdate(_ slot: UInt32, priority: PushPriority) {
        activities[Int(slot)].pushNumbers.occasions &+= 1
        announce(slot, priority: priority)
    }

    /// Regular content for the last occasion, which may have passed.
    mutating func announce(_ slot: UInt32, priority: PushPriority) {
        let activity = activities[Int(slot)]
        guard let instance = activity.instance, !instance.isOver, activity.serverToken != 0 else { return }
        let minimum = world.scenario.sender.minimumInterval
        if minimum > .zero, activity.lastUpdateAt != .never, loop.now < activity.lastUpdateAt + minimum {
            count(.pushesOffered)
            count(.pushesWithinMinimumInterval)
            tell(slot, .notSent(.update, reason: .withinMinimumInterval))
            return
        }
        guard sendContent(slot, kind: .update, priority: priority) else { return }
        budget?.earn(at: loop.now)
        activities[Int(slot)].lastUpdateAt = loop.now
    }

    /// Queues a push with content generated now.
    ///
    /// - Returns: Whether there was content to send.
    @discardableResult
    mutating func sendContent(_ slot: UInt32, kind: StoryLine.PushKind, priority: PushPriority) -> Bool {
        guard canGenerateContent else {
            count(.pushesWithoutContent)
            tell(slot, .notSent(kind, reason: .noContent))
            return false
        }
        if world.scenario.sender.coalesce, let waiting = waitingPush(slot), pushes[Int(waiting)].kind != .end {
            count(.pushesOffered)
            takePhotoBack(of: pushes[Int(waiting)])
            let renewed = makePush(slot, kind: kind, priority: priority)
            pushes[Int(waiting)].content = renewed.content
            pushes[Int(waiting)].timestamp = renewed.timestamp
            pushes[Int(waiting)].bytes = renewed.bytes
            pushes[Int(waiting)].photo = renewed.photo
            if kind == .update {
                // Regular content has the luck of its occasion, also in the place of another push.
                pushes[Int(waiting)].index = renewed.index
            }
            if priority == .immediate {
                pushes[Int(waiting)].priority = .immediate
            }
            count(.pushesCoalesced)
            tell(slot, .notSent(kind, reason: .coalesced))
            return true
        }
        offer(makePush(slot, kind: kind, priority: priority))
        return true
    }

    /// The push that waits in the sender for this life of an activity, the last one if there are several.
    private func waitingPush(_ slot: UInt32) -> UInt32? {
        let waiting = activities[Int(slot)].queuedPush
        guard waiting != Activity.noPush, pushes[Int(waiting)].life == activities[Int(slot)].life else { return nil }
        return waiting
    }

    /// Queues an end event, unless one still waits that would do as well.
    mutating func sendEnd(_ slot: UInt32) {
        if world.scenario.sender.coalesce, let waiting = waitingPush(slot), pushes[Int(waiting)].kind == .end {
            count(.pushesOffered)
            count(.pushesCoalesced)
            tell(slot, .notSent(.end, reason: .coalesced))
            return
        }
        offer(makePush(slot, kind: .end, priority: .immediate))
    }

    /// Queues a push-to-start.
    mutating func sendStart(_ slot: UInt32) {
        guard canGenerateContent else {
            count(.pushesWithoutContent)
            tell(slot, .notSent(.start, reason: .noContent))
            return
        }
        offer(makePush(slot, kind: .start, priority: .immediate))
    }

    private mutating func makePush(_ slot: UInt32, kind: StoryLine.PushKind, priority: PushPriority) -> Push {
        let index = Push.index(of: kind, number: activities[Int(slot)].pushNumbers.take(for: kind))
        activities[Int(slot)].announcedStage = activities[Int(slot)].stage
        var content = currentContent()
        var timestamp = stamp(loop.now)
        if kind == .update || kind == .retry {
            if happens(world.scenario.content.staleDateMissing, slot, .staleDateMissing, index) {
                content.staleDate = .never
            }
            if happens(world.scenario.content.timestampInMilliseconds, slot, .timestampInMilliseconds, index) {
                timestamp *= 1000
            }
        }
        let lastTimestamp = activities[Int(slot)].lastTimestamp
        if world.scenario.content.timestampsRise, lastTimestamp != .min {
            let step = max(1, world.scenario.content.timestampResolution.microseconds)
            timestamp = max(timestamp, lastTimestamp + step)
        }
        activities[Int(slot)].lastTimestamp = timestamp
        let size = payloadSize(slot, kind: kind, index: index)
        return Push(
            activity: slot,
            ride: activities[Int(slot)].ride,
            life: kind == .start ? 0 : activities[Int(slot)].life,
            kind: kind,
            priority: priority,
            index: index,
            rank: rank(of: kind, stage: activities[Int(slot)].stage),
            content: content,
            timestamp: timestamp,
            bytes: size.bytes,
            photo: size.photo,
            queuedAt: loop.now
        )
    }

    private func rank(of kind: StoryLine.PushKind, stage: Int) -> UInt8 {
        let ranks = world.scenario.sender.ranks
        switch kind {
        case .start: return UInt8(ranks.start)
        case .end: return UInt8(ranks.end)
        case .retry: return UInt8(ranks.retry)
        case .update: return world.updateRanks[stage]
        }
    }

    // MARK: - Payload size

    /// The payload's size [bytes], with the driver's photo where it is due and fits.
    ///
    /// The photo goes out once, with the first update from its stage on. It is shrunk when it does not fit and dropped
    /// when the small one does not either; then only its URL is sent, which is part of the content.
    private mutating func payloadSize(
        _ slot: UInt32,
        kind: StoryLine.PushKind,
        index: UInt32
    ) -> (bytes: Int, photo: Counter?) {
        guard let sampler = world.samplers.payloadBytes else { return (0, nil) }
        let base = Int(world.bank.sample(sampler, draw(slot, .payloadBytes, index)))
        guard let photoStage = world.photoStage, kind == .update || kind == .retry,
            activities[Int(slot)].stage >= photoStage, !activities[Int(slot)].isPhotoSent
        else { return (base, nil) }
        activities[Int(slot)].isPhotoSent = true
        let photo = Int(world.bank.sample(world.samplers.photoBytes, draw(slot, .photoBytes)))
        if base + photo <= world.scenario.content.payload.limit || !world.scenario.content.payload.ladder {
            return (base + photo, .photosSent)
        }
        let small = Int(world.bank.sample(world.samplers.smallPhotoBytes, draw(slot, .smallPhotoBytes)))
        if base + small <= world.scenario.content.payload.limit {
            return (base + small, .photosShrunk)
        }
        return (base, .photosDropped)
    }

    /// A push that will not be sent leaves its photo to the next one.
    mutating func takePhotoBack(of push: Push) {
        if push.photo != nil, isCurrent(push) {
            activities[Int(push.activity)].isPhotoSent = false
        }
    }
}
