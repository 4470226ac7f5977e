package import FreshnessCore
public import Quantities
public import SimulationKernel

/// A compiled scenario: distributions compiled, policies validated, faults in order.
///
/// Immutable and shared by all cells and replications; what differs between those is passed to the cell. It is a class
/// so that it is shared: as a structure of about a hundred fields it was copied on many accesses, which made a run 30%
/// slower.
public final class World: Sendable {
    /// The scenario that it was compiled from.
    public let scenario: Scenario

    let bank: SamplerBank
    let samplers: Samplers
    /// The rules of the monitor.
    let monitor: MonitorRules
    /// The budget of the monitor's retries, initially full.
    let budget: RetryBudget?
    /// The budget of retried requests.
    let repeatBudget: RetryBudget?
    let limiter: TokenBucket?
    let sender: SenderStation.Limits
    /// The rank of updates in each stage.
    let updateRanks: [UInt8]
    let faults: FaultTimeline
    /// The instant after which no ride is requested.
    let arrivalsEnd: Instant
    /// The instant at which the run stops.
    public let horizon: Instant
    /// The last instant whose events are processed: the horizon, or just before the end of a measured interval.
    let runsThrough: Instant
    let measuredFrom: Instant
    /// The last stage in which a ride can be cancelled.
    let lastCancellableStage: Int
    /// The stage in which a driver may drop a ride, and the stage that it returns to; nil if no driver drops rides.
    let rematching: (from: Int, to: Int)?
    /// The rule of rides with several stops; nil if there are none.
    let stops: (from: Int, to: Int, share: Probability, most: Int)?
    /// The share of rides that are booked ahead.
    let bookedShare: Probability
    /// The share of rides after which riders book another, and the maximum number of a rider's; nil if riders have one.
    let again: (share: Probability, most: Int)?
    /// The stage whose first update carries the photo; above all stages if there is no photo.
    let photoStage: Int
    /// The first stage in which cards may show a photo of the driver.
    let pictureStage: Int
    let refusals: RefusalTable
    /// The changes of the ETA; nil if content has none.
    let eta: ETACourse?
    /// The recorded estimates; nil if there are none.
    let estimates: ETASeries?
    /// The stages whose first update carries an alert, as bits.
    private let alertingStages: UInt64
    /// Payloads without a photo whose draw is below this fit in every stage; others may.
    private let fittingDraws: UInt64
    let rules: Rules
    /// The worlds of the cohorts, in the order of the scenario.
    let cohorts: [World]
    private let cohortShares: CohortShares
    /// The number of windows in the time series.
    let windowCount: Int

    /// Compiles a scenario.
    ///
    /// - Parameters:
    ///   - scenario: A scenario whose numbers and names have been validated and whose data files have been read.
    ///   - stretch: The interval of the run that is measured, exclusive of its end; nil for everything after the
    ///     warm-up. Replications are identical up to its end, where they stop.
    ///   - compile: Compiles a distribution into a sampler; called once for each distribution.
    /// - Throws: The errors of `compile`, or a `PolicyError`.
    public convenience init(
        _ scenario: Scenario,
        over stretch: Range<TimeSpan>? = nil,
        compile: @escaping (Distribution) throws -> Sampler
    ) throws {
        var compiled: [Sampler] = []
        var places: [Distribution: SamplerID] = [:]
        // Cohorts share the bank, so a distribution that is the same in all is in the cache once.
        let all = try (0...scenario.cohorts.count)
            .map { number in
                let own = number == 0 ? scenario : scenario.scenario(ofCohort: number)
                let samplers = try Samplers(of: own) { distribution in
                    if let place = places[distribution] { return place }
                    let place = SamplerID(compiled.count)
                    compiled.append(try compile(distribution))
                    places[distribution] = place
                    return place
                }
                return (scenario: own, samplers: samplers)
            }
        let bank = SamplerBank(compiled)
        let cohorts = try all.dropFirst()
            .map { try World($0.scenario, $0.samplers, bank, over: stretch, cohorts: [], isOfCohort: true) }
        try self.init(scenario, all[0].samplers, bank, over: stretch, cohorts: cohorts, isOfCohort: false)
    }

    /// - Parameter isOfCohort: `true` for the values of a cohort, whose fleet is divided although the scenario has no cohorts.
    private init(
        _ scenario: Scenario,
        _ samplers: Samplers,
        _ bank: SamplerBank,
        over stretch: Range<TimeSpan>?,
        cohorts: [World],
        isOfCohort: Bool
    ) throws {
        (self.scenario, self.samplers, self.bank, self.cohorts) = (scenario, samplers, bank, cohorts)
        (monitor, budget, repeatBudget, limiter) = try World.policies(of: scenario)
        sender = SenderStation.Limits(scenario.sender)
        updateRanks = scenario.rides.stages.map { UInt8($0.rank ?? scenario.sender.ranks.update) }
        faults = FaultTimeline(scenario.faults)
        let end = Instant.start + scenario.clock.duration + scenario.clock.drain
        horizon = stretch.map { .start + $0.upperBound } ?? end
        // The last instant of a run belongs to its last window.
        runsThrough = horizon < end ? Instant(microseconds: horizon.microseconds - 1) : horizon
        arrivalsEnd = min(.start + scenario.clock.duration, horizon)
        measuredFrom = .start + (stretch?.lowerBound ?? scenario.clock.warmUp)
        let stages = scenario.rides.stages
        lastCancellableStage =
            stages.firstIndex { $0.name == scenario.rides.cancellation.untilStage } ?? stages.count - 1
        rematching = scenario.rides.rematchingStages
        stops = scenario.rides.stops.flatMap { stops in
            scenario.rides.stoppingStages.map { ($0.from, $0.to, stops.share, stops.most) }
        }
        bookedShare = scenario.rides.booked?.share ?? .never
        again = scenario.rides.again.map { ($0.share, $0.most) }
        let named = stages.firstIndex { $0.name == scenario.content.payload.photoStage }
        (photoStage, pictureStage) = (named ?? .max, named ?? 0)
        refusals = RefusalTable(scenario.apns.reasons)
        alertingStages = stages.indices.reduce(0) { stages[$1].alert ? $0 | 1 << UInt64($1) : $0 }
        eta = ETACourse(scenario, samplers)
        estimates = scenario.content.eta?.series
        rules = Rules(
            scenario,
            horizon: horizon,
            measuredFrom: measuredFrom,
            hasSegments: isOfCohort || scenario.segmentCount > 0
        )
        cohortShares = CohortShares(scenario.cohorts)
        let window = scenario.clock.window.microseconds
        fittingDraws =
            samplers.payloadBytes
            .map { [bank] in World.fittingDraws(of: $0, scenario.content.payload.limit, bank) }
            .min() ?? .max
        windowCount = Int((horizon.microseconds + window - 1) / window)
    }

    /// The world itself and those of its cohorts, in the order of their numbers.
    var all: [World] { [self] + cohorts }

    /// `true` if phones have state that goes on from ride to ride: connections, apps that run, or a budget for pushes.
    var keepsPhones: Bool {
        rules.ridersReturn
            && (samplers.online != nil || samplers.appAlive != nil || rules.appCanUpdate
                || scenario.devices.budget.limit != nil)
    }

    /// Returns the cohort of a ride that is requested at an instant, numbered from 1; 0 if it belongs to none.
    ///
    /// A rider is in the same cohort in all rides, unless the shares change. Cohorts follow each other in the order of the
    /// scenario, so a ride stays in a cohort whose share grows if the shares of
    /// those before it do not change.
    func cohort(ofRide ride: UInt64, at instant: Instant, _ random: RandomSource) -> UInt8 {
        guard !cohorts.isEmpty else { return 0 }
        return cohortShares.cohort(
            at: instant,
            draw: random.draw(
                entity: RideNumber.first(ofRider: ride),
                purpose: Purpose.cohort.rawValue,
                index: 0
            )
        )
    }

    /// Returns `true` if the first update of a stage carries an alert.
    @inline(__always)
    func alerts(inStage stage: Int) -> Bool { alertingStages >> UInt64(stage) & 1 == 1 }

    /// Returns `true` if a payload without a photo fits, according to the draw of its size.
    @inline(__always)
    func fits(payloadDraw draw: UInt64, inStage stage: Int) -> Bool {
        if draw < fittingDraws { return true }
        return samplers.payloadBytes[stage].map { bank.sample($0, draw) } ?? 0 <= Int64(scenario.content.payload.limit)
    }

    /// The draw below which all payloads fit, the highest draw if all fit; 0 if sizes need not increase with the draw.
    private static func fittingDraws(of bytes: SamplerID?, _ limit: Int, _ bank: SamplerBank) -> UInt64 {
        guard let bytes else { return .max }
        guard bank.isTable(bytes), bank.sample(bytes, 0) <= Int64(limit) else { return 0 }
        var (fits, end): (UInt64, UInt64) = (0, .max)
        while fits < end {
            let middle = end - (end - fits) / 2
            if bank.sample(bytes, middle) <= Int64(limit) { fits = middle } else { end = middle - 1 }
        }
        return fits
    }

    /// Throws the errors that ``init(_:over:compile:)`` would throw for policies.
    package static func checkPolicies(of scenario: Scenario) throws(PolicyError) { _ = try policies(of: scenario) }

    private static func policies(of scenario: Scenario) throws(PolicyError)
        -> (monitor: MonitorRules, budget: RetryBudget?, repeatBudget: RetryBudget?, limiter: TokenBucket?)
    {
        (
            try MonitorRules(scenario.monitor), try scenario.monitor.budget(),
            try scenario.sender.retryBudget?.budget(), try scenario.sender.rateLimit?.bucket()
        )
    }
}

extension Scenario.RateLimit {
    /// The full bucket of these settings.
    func bucket() throws(PolicyError) -> TokenBucket {
        try TokenBucket(
            capacityThousandths: thousandths(burst),
            thousandthsPerSecond: thousandths(perSecond),
            refill: refill
        )
    }
}
