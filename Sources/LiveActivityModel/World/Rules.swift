import FreshnessCore
import Quantities
import SimulationKernel

/// The numbers of a scenario that nearly every event reads, laid out flat.
///
/// A scenario is a tree of values with strings, lists and distributions in it; to read one number from it may cost a copy of
/// a branch. Here are plain values only, so that each cell has them at hand and reads one with one load. What is read once
/// a ride or less stays in the scenario.
struct Rules: BitwiseCopyable {
    let horizon: Instant
    let measuredFrom: Instant

    // Content.
    let ttl: TimeSpan
    let staleDateMissing: Probability
    let timestampInMilliseconds: Probability
    let timestampsRise: Bool
    /// Whether updates are sent at fixed times, and not after random pauses.
    let hasFixedUpdates: Bool
    let refreshPriority: PushPriority
    /// Whether a stage begins the wait for a refresh anew.
    let refreshesRestart: Bool
    let stageCount: Int
    /// Whether the scenario names cities, by which is measured then.
    let hasCities: Bool

    // The sender.
    let minimumInterval: TimeSpan
    let coalesces: Bool
    let countsWaits: Bool

    // APNs.
    let reorders: Bool
    /// How many accepted pushes of priority 10 get lost.
    let loss: Probability
    /// How many of priority 5.
    let considerateLoss: Probability
    /// Whether what becomes of a push is decided when the sender has the response.
    let decidesWithResponse: Bool

    // Devices.
    let appCanUpdate: Bool
    let phone: PhoneStation.Rules

    // The monitor.
    let confirmsAcceptance: Bool

    /// Whether what becomes of an update can be known as it is made: it waits for no server, no script tells of it, and what
    /// APNs says is all that the monitor learns.
    let canWorkAhead: Bool
    /// Whether the same holds of updates to come, if the sender stays free: nothing that they share depends on which of two comes
    /// first.
    let canForesee: Bool

    /// Whether the stale date of an update is missing, by the draw of its payload's size.
    @inline(__always)
    func lacksStaleDate(_ sizeDraw: UInt64) -> Bool { staleDateMissing.happens(RandomSource.twin(of: sizeDraw)) }

    init(_ scenario: Scenario, horizon: Instant, measuredFrom: Instant) {
        self.horizon = horizon
        self.measuredFrom = measuredFrom
        ttl = scenario.content.ttl
        staleDateMissing = scenario.content.staleDateMissing
        timestampInMilliseconds = scenario.content.timestampInMilliseconds
        timestampsRise = scenario.content.timestampsRise
        hasFixedUpdates = !scenario.content.updatesAt.isEmpty
        refreshPriority = scenario.content.refreshPriority
        refreshesRestart = scenario.content.refreshRestartsAtStateChange
        stageCount = scenario.rides.stages.count
        hasCities = !scenario.rides.arrivals.cities.isEmpty
        minimumInterval = scenario.sender.minimumInterval
        coalesces = scenario.sender.coalesce
        countsWaits = !scenario.measure.waitOver.isEmpty
        reorders = scenario.apns.reorder
        loss = scenario.apns.loss
        considerateLoss = scenario.apns.considerateLoss ?? scenario.apns.loss
        decidesWithResponse = scenario.apns.latencyFrom == .response
        appCanUpdate = scenario.devices.localUpdates.enabled
        phone = PhoneStation.Rules(scenario.devices)
        confirmsAcceptance = scenario.monitor.feedback == .acceptance
        canWorkAhead = scenario.apns.capacity == nil && scenario.apns.script == nil && confirmsAcceptance
        canForesee =
            canWorkAhead && !hasFixedUpdates && timestampInMilliseconds == .never
            && scenario.monitor.retry.budget?.perPush ?? 0 == 0 && scenario.sender.retryBudget?.perPush ?? 0 == 0
            && !scenario.faults.contains { $0.kind == .connectionLost }
    }
}
