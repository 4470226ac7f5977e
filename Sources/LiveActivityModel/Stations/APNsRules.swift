import FreshnessCore
public import Quantities
import SimulationKernel

/// What an APNs works by: a scenario and one of its possible histories, with the draws that requests meet there.
///
/// A draw belongs to the request, not to the order in which questions are asked: a request with the same ride and number
/// meets the same luck in every host of an ``APNsStation``.
///
/// A class for the sake of being handed on as it is, as ``World`` is.
public final class APNsRules: Sendable {
    let world: World
    private let random: RandomSource
    private let assignment: CellAssignment

    /// The rules of a scenario's APNs in one of its possible histories.
    ///
    /// - Parameter seed: In place of the scenario's.
    public convenience init(world: World, replication: UInt32 = 0, seed: UInt64? = nil) {
        let random = world.scenario.randomSource(ofReplication: replication, seed: seed)
        self.init(world: world, random: random, assignment: CellAssignment(world, random))
    }

    init(world: World, random: RandomSource, assignment: CellAssignment) {
        self.world = world
        self.random = random
        self.assignment = assignment
    }

    // MARK: - Queries

    /// Whether what becomes of a push is decided when the sender has the response, and not when APNs has the request.
    public var decidesWithResponse: Bool { world.scenario.apns.latencyFrom == .response }

    /// Whether no push overtakes an earlier one of the same activity; see ``APNsDestination``.
    public var keepsOrder: Bool { !world.rules.reorders }

    /// Whether the scenario says by a script what becomes of requests; then nothing of these rules holds.
    public var isScripted: Bool { world.scenario.apns.script != nil }

    /// Whether accepted requests wait for servers.
    public var hasQueue: Bool { world.samplers.serviceTime != nil }

    /// Whether a sender still hears an answer that comes so long after its request.
    public func isHeard(after span: TimeSpan) -> Bool { world.sender.isHeard(after: span) }

    /// When the sender hears of a request, and whether it gives the request up before an answer that would come at an instant.
    public func hearing(ofRequestAt sentAt: Instant, answeredAt instant: Instant) -> (at: Instant, isTimeOut: Bool) {
        world.sender.hearing(ofRequestAt: sentAt, answeredAt: instant)
    }

    /// How many cells there are, each with an ``APNsStation`` of its own.
    public var cells: Int { world.scenario.cells }

    /// The cell whose station a ride's requests go to.
    public func cell(ofRide ride: UInt64) -> Int { assignment.cell(ofRide: ride) }

    /// The instants at which connections are lost, in the order of the scenario's faults.
    public var connectionLosses: [Instant] { world.faults.connectionLost.map { $0.from } }

    /// Returns `true` if a loss hits a connection.
    ///
    /// - Parameters:
    ///   - loss: Its place in ``connectionLosses``.
    ///   - connection: The number of the connection, from 0, among those of one APNs: it has no cells of its own.
    public func loses(_ loss: Int, connection: Int) -> Bool {
        random.isConnection(connection, ofCell: 0, hitBy: world.faults.connectionLost[loss])
    }
}

// MARK: - Chance and faults

extension APNsRules {
    typealias Request = APNsStation.Request

    /// What a request meets: the draws of the time until its answer, and of the way of its push.
    ///
    /// The twin of the one tells whether APNs refuses it, that of the other whether the push gets lost.
    typealias Draws = (answer: UInt64, way: UInt64)

    @inline(__always)
    func draws(_ request: Request) -> Draws {
        let draws = random.draws(entity: request.ride, purpose: Purpose.request.rawValue, index: request.drawIndex)
        return (answer: draws.first, way: draws.second)
    }

    @inline(__always)
    private func draw(_ request: Request, _ purpose: Purpose) -> UInt64 {
        random.draw(entity: request.ride, purpose: purpose.rawValue, index: request.drawIndex)
    }

    /// How long the response to a request that begins or was served now travels.
    @inline(__always)
    func roundTrip(_ draws: Draws, at now: Instant) -> TimeSpan { world.faults.slowed(roundTrip(draws), at: now) }

    /// The same while no fault lasts.
    @inline(__always)
    func roundTrip(_ draws: Draws) -> TimeSpan { world.bank.timeSpan(world.samplers.requestTime, draws.answer) }

    /// The way to the phone, from the instant at which it is decided.
    @inline(__always)
    func transit(_ request: Request, _ draws: Draws, at now: Instant) -> TimeSpan {
        world.faults.slowed(latency(draws), at: now) + considerateDelay(request)
    }

    /// The same while no fault lasts.
    @inline(__always)
    func transit(_ request: Request, _ draws: Draws) -> TimeSpan { latency(draws) + considerateDelay(request) }

    @inline(__always)
    private func latency(_ draws: Draws) -> TimeSpan {
        TimeSpan(microseconds: world.bank.sample(mostly: world.samplers.latency, draws.way))
    }

    /// What a push of priority 5 waits besides.
    @inline(__always)
    private func considerateDelay(_ request: Request) -> TimeSpan {
        guard request.priority == .considerate else { return .zero }
        return world.bank.timeSpan(world.samplers.considerateDelay, draw(request, .considerateDelay))
    }

    /// Whether an accepted push gets lost on its way.
    @inline(__always)
    func isLost(_ request: Request, _ draws: Draws) -> Bool {
        let share = request.priority == .considerate ? world.rules.considerateLoss : world.rules.loss
        return share.happens(RandomSource.twin(of: draws.way))
    }

    /// Why APNs refuses a request by chance; nil when it does not.
    @inline(__always)
    func refusalByChance(_ draws: Draws) -> APNsReason? {
        world.refusals.reason(for: RandomSource.twin(of: draws.answer))
    }

    /// Whether one of some faults hits a request.
    @inline(__always)
    func isHit(_ request: Request, by periods: [FaultTimeline.Period], at now: Instant) -> Bool {
        guard !periods.isEmpty else { return false }
        return periods.contains { period in
            guard period.covers(now), period.share != .never else { return false }
            let purpose = Purpose.firstFaultHitsRequest.rawValue + UInt16(period.number)
            return period.share == .always
                || period.share.happens(
                    random.draw(entity: request.ride, purpose: purpose, index: request.drawIndex)
                )
        }
    }

    /// Why APNs refuses a request; nil when it accepts it.
    @inline(__always)
    func refusal(_ request: Request, _ draws: Draws, at now: Instant) -> APNsReason? {
        if isHit(request, by: world.faults.apnsUnavailable, at: now) {
            return .serviceUnavailable
        }
        if let reason = refusalByChance(draws) { return reason }
        if request.bytes > world.scenario.content.payload.limit {
            return .payloadTooLarge
        }
        guard request.hasDeadToken(at: now) else { return nil }
        // APNs comes to know of a death with a lag.
        let lag = random.draw(
            entity: request.ride,
            purpose: Purpose.expiredTokenLag.rawValue,
            index: request.tokenNumber
        )
        let knownFrom = request.tokenDeadSince + world.bank.timeSpan(world.samplers.expiredTokenLag, lag)
        return knownFrom <= now ? .unregistered : nil
    }

    /// When a server has done with a request that it begins to serve now.
    func endOfService(_ request: Request, at now: Instant) -> Instant {
        guard let sampler = world.samplers.serviceTime else { return now }
        return world.faults.endOfService(of: world.bank.timeSpan(sampler, draw(request, .serviceTime)), from: now)
    }
}
