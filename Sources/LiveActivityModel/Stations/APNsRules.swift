import FreshnessCore
public import Quantities
import SimulationKernel

/// The rules of an APNs: a scenario and a replication, with the random draws for its requests.
///
/// A draw is keyed by the request, not by the order of calls. A request with the same ride and index therefore gets the
/// same draws in every host of an ``APNsStation``.
///
/// A class, like ``World``, so that it is shared and not copied.
public final class APNsRules: Sendable {
    let world: World
    private let random: RandomSource
    private let assignment: CellAssignment
    /// The cells of all rides; nil for the rules of one cell.
    private let cellsOfRides: RideCells?

    /// Creates the rules of a scenario's APNs in one replication.
    ///
    /// - Parameter seed: Overrides the scenario's seed.
    public convenience init(world: World, replication: UInt32 = 0, seed: UInt64? = nil) {
        let random = world.scenario.randomSource(ofReplication: replication, seed: seed)
        self.init(
            world: world,
            random: random,
            assignment: CellAssignment(world, random),
            cells: RideCells(world, random)
        )
    }

    init(world: World, random: RandomSource, assignment: CellAssignment, cells: RideCells? = nil) {
        self.world = world
        self.random = random
        self.assignment = assignment
        cellsOfRides = cells
    }

    // MARK: - Queries

    /// `true` if the fate of a push is decided when the sender has the response, and not when APNs has the request.
    public var decidesWithResponse: Bool { world.rules.decidesWithResponse }

    /// `true` if no push overtakes an earlier one of the same activity; see ``APNsDestination``.
    public var keepsOrder: Bool { !world.rules.reorders }

    /// `true` if no push of a channel overtakes an earlier one on its way to a phone.
    public var channelsKeepOrder: Bool { !(world.scenario.groups?.channel.reorder ?? true) }

    /// The number of channels that APNs allows an app.
    public var mostChannels: Int { world.scenario.groups?.channel.most ?? Scenario.Channel().most }

    /// `true` if the scenario has a script of outcomes; these rules then do not apply.
    public var isScripted: Bool { world.scenario.apns.script != nil }

    /// `true` if accepted requests wait for servers.
    public var hasQueue: Bool { world.samplers.serviceTime != nil }

    /// Returns `true` if a sender still receives a response that comes a span after its request.
    public func isHeard(after span: TimeSpan) -> Bool { world.sender.isHeard(after: span) }

    /// The instant at which the sender receives a response or times out, for a response that would arrive at an
    /// instant.
    public func hearing(ofRequestAt sentAt: Instant, answeredAt instant: Instant) -> (at: Instant, isTimeOut: Bool) {
        world.sender.hearing(ofRequestAt: sentAt, answeredAt: instant)
    }

    /// The number of cells, each with its own ``APNsStation``.
    public var cells: Int { world.scenario.cells }

    /// The cell that processes a ride's requests, or those of a group's channel.
    public func cell(ofRide ride: UInt64) -> Int {
        cellsOfRides?.cell(ofRide: ride) ?? assignment.cell(ofRide: ride)
    }

    /// The instants at which connections are lost, in the order of the scenario's faults.
    public var connectionLosses: [Instant] { world.faults.connectionLost.map { $0.from } }

    /// Returns `true` if a loss affects a connection.
    ///
    /// - Parameters:
    ///   - loss: The index in ``connectionLosses``.
    ///   - connection: The number of the connection, from 0; one APNs without cells is assumed.
    public func loses(_ loss: Int, connection: Int) -> Bool {
        random.isConnection(connection, ofCell: 0, hitBy: world.faults.connectionLost[loss])
    }
}

// MARK: - Random draws and faults

extension APNsRules {
    typealias Request = APNsStation.Request

    /// The draws of a request: for its response time, and for the delivery of its push.
    ///
    /// The twin of the first decides whether APNs rejects the request, the twin of the second whether the push is lost.
    typealias Draws = (answer: UInt64, way: UInt64)

    @inline(__always)
    func draws(_ request: Request) -> Draws {
        let draws = random.draws(entity: request.ride, purpose: Purpose.request.rawValue, index: request.drawIndex)
        return (answer: draws.first, way: draws.second)
    }

    /// A draw for a rare question; never inlined, so that other requests do not pay for it.
    @inline(never)
    private func draw(_ ride: UInt64, _ purpose: UInt16, _ index: UInt32) -> UInt64 {
        random.draw(entity: ride, purpose: purpose, index: index)
    }

    /// The time to the response of a request that begins, or was served, now.
    @inline(__always)
    func roundTrip(_ draws: Draws, at now: Instant) -> TimeSpan {
        FaultTimeline.slowed(roundTrip(draws), by: world.faults.apnsSlow, at: now)
    }

    /// The time to the response while no fault is active.
    @inline(__always)
    func roundTrip(_ draws: Draws) -> TimeSpan { world.bank.timeSpan(world.samplers.requestTime, draws.answer) }

    /// The time to the phone, from the instant at which the fate is decided.
    @inline(__always)
    func transit(_ request: Request, _ draws: Draws, at now: Instant) -> TimeSpan {
        FaultTimeline.slowed(latency(draws), by: world.faults.apnsSlow, at: now) + considerateDelay(request)
    }

    @inline(__always)
    private func latency(_ draws: Draws) -> TimeSpan {
        TimeSpan(microseconds: world.bank.sample(mostly: world.samplers.latency, draws.way))
    }

    /// The additional delay of a push of priority 5.
    @inline(__always)
    private func considerateDelay(_ request: Request) -> TimeSpan {
        guard request.priority == .considerate else { return .zero }
        let draw = draw(request.ride, Purpose.considerateDelay.rawValue, request.drawIndex)
        return world.bank.timeSpan(world.samplers.considerateDelay, draw)
    }

    /// Returns `true` if an accepted push is lost on its way.
    @inline(__always)
    func isLost(_ request: Request, _ draws: Draws) -> Bool {
        let share = request.priority == .considerate ? world.rules.considerateLoss : world.rules.loss
        return share.happens(RandomSource.twin(of: draws.way))
    }

    /// The reason for a random rejection; nil if the request is accepted.
    @inline(__always)
    func refusalByChance(_ draws: Draws) -> APNsReason? {
        world.refusals.reason(for: RandomSource.twin(of: draws.answer))
    }

    /// Returns `true` if one of several faults affects a request.
    @inline(__always)
    func isHit(_ request: Request, by periods: [FaultTimeline.Period], at now: Instant) -> Bool {
        guard !periods.isEmpty else { return false }
        return periods.contains { period in
            guard period.covers(now), period.share != .never else { return false }
            let purpose = Purpose.firstFaultHitsRequest.rawValue + UInt16(period.number)
            return period.share == .always || period.share.happens(draw(request.ride, purpose, request.drawIndex))
        }
    }

    /// The reason for a rejection; nil if APNs accepts the request.
    @inline(__always)
    func refusal(_ request: Request, _ draws: Draws, at now: Instant) -> APNsReason? {
        if isHit(request, by: world.faults.apnsUnavailable, at: now) {
            return .serviceUnavailable
        }
        if let reason = refusalByChance(draws) { return reason }
        if request.isToChannel { return refusalByChannel(request, at: now) }
        if request.bytes > world.scenario.content.payload.limit {
            return .payloadTooLarge
        }
        guard request.hasDeadToken(at: now) else { return nil }
        // APNs learns of a dead token with a lag.
        let lag = draw(request.ride, Purpose.expiredTokenLag.rawValue, request.tokenNumber)
        let knownFrom = request.tokenDeadSince + world.bank.timeSpan(world.samplers.expiredTokenLag, lag)
        return knownFrom <= now ? .unregistered : nil
    }

    /// The reason for the rejection of a push to a channel; nil if APNs accepts it.
    ///
    /// APNs knows its own channels, so it learns of a deletion at once.
    @inline(never)
    private func refusalByChannel(_ request: Request, at now: Instant) -> APNsReason? {
        if request.bytes > Scenario.Channel.payloadLimit { return .payloadTooLarge }
        return request.hasDeadToken(at: now) ? .channelNotRegistered : nil
    }

    /// The end of the service of a request that begins now.
    func endOfService(_ request: Request, at now: Instant) -> Instant {
        guard let sampler = world.samplers.serviceTime else { return now }
        let draw = draw(request.ride, Purpose.serviceTime.rawValue, request.drawIndex)
        return world.faults.endOfService(of: world.bank.timeSpan(sampler, draw), from: now)
    }
}
