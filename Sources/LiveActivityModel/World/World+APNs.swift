import FreshnessCore
import Quantities
import RandomStreams

/// Whom draws about one request to APNs concern.
struct RequestKey {
    let ride: UInt64
    /// See ``Push/drawIndex``.
    let drawIndex: UInt32
}

/// The rules by which APNs treats a request.
///
/// ``CellSimulation`` reads them with its own state beside them, ``APNsConduct`` for whoever asks from outside.
extension World {
    /// How long the response to a request that begins or was served now travels.
    @inline(__always)
    func roundTrip(_ request: RequestKey, _ random: RandomSource, at now: Instant) -> TimeSpan {
        faults.slowed(bank.timeSpan(samplers.requestTime, request.draw(.requestTime, random)), at: now)
    }

    /// The way to the phone, from the instant at which it is decided.
    @inline(__always)
    func transit(_ request: RequestKey, _ priority: PushPriority, _ random: RandomSource, at now: Instant) -> TimeSpan {
        var transit = faults.slowed(bank.timeSpan(samplers.latency, request.draw(.latency, random)), at: now)
        if priority == .considerate {
            transit += bank.timeSpan(samplers.considerateDelay, request.draw(.considerateDelay, random))
        }
        return transit
    }

    /// Whether an accepted push gets lost on its way.
    @inline(__always)
    func isLost(_ request: RequestKey, _ priority: PushPriority, _ random: RandomSource) -> Bool {
        let share = priority == .considerate ? rules.considerateLoss : rules.loss
        return share == .always || share != .never && share.happens(request.draw(.loss, random))
    }

    /// Whether one of some faults hits a request.
    @inline(__always)
    func isHit(
        by stretches: [FaultTimeline.Stretch],
        _ request: RequestKey,
        _ random: RandomSource,
        at now: Instant
    ) -> Bool {
        guard !stretches.isEmpty else { return false }
        return stretches.contains { stretch in
            guard stretch.covers(now), stretch.share != .never else { return false }
            let purpose = Purpose.firstFaultHitsRequest.rawValue + UInt16(stretch.number)
            return stretch.share == .always
                || stretch.share.happens(
                    random.draw(entity: request.ride, purpose: purpose, index: request.drawIndex)
                )
        }
    }

    /// Why APNs refuses a request, whatever its token; nil when it looks at the token next.
    @inline(__always)
    func refusal(_ request: RequestKey, bytes: Int, _ random: RandomSource, at now: Instant) -> APNsReason? {
        if isHit(by: faults.apnsUnavailable, request, random, at: now) {
            return .serviceUnavailable
        }
        if rules.refuses, let reason = refusals.reason(for: request.draw(.refusal, random)) {
            return reason
        }
        return bytes > rules.payloadLimit ? .payloadTooLarge : nil
    }

    /// Whether APNs has come to know by now that a token stopped working.
    @inline(__always)
    func isKnownDead(
        token: UInt32,
        of ride: UInt64,
        since death: Instant,
        _ random: RandomSource,
        at now: Instant
    ) -> Bool {
        let draw = random.draw(entity: ride, purpose: Purpose.expiredTokenLag.rawValue, index: token)
        return death + bank.timeSpan(samplers.expiredTokenLag, draw) <= now
    }

    /// When a server has done with a request that it begins to serve now.
    func endOfService(_ request: RequestKey, _ queueing: APNsQueue.Rules, _ random: RandomSource, at now: Instant)
        -> Instant
    {
        let work = bank.timeSpan(queueing.serviceTime, request.draw(.serviceTime, random))
        return faults.endOfService(of: work, from: now)
    }
}

extension RequestKey {
    @inline(__always)
    func draw(_ purpose: Purpose, _ random: RandomSource) -> UInt64 {
        random.draw(entity: ride, purpose: purpose.rawValue, index: drawIndex)
    }
}
