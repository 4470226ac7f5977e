import FreshnessCore
import Quantities

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
    /// The resolution of payloads' timestamps [µs]; at least 1.
    let timestampResolution: Int64
    let timestampsRise: Bool
    /// Whether updates are sent at fixed times, and not after random pauses.
    let hasFixedUpdates: Bool
    let refreshPriority: PushPriority
    let payloadLimit: Int
    /// The stage whose first update carries the photo; above all stages for no photo.
    let photoStage: Int
    let stageCount: Int

    // The sender.
    let minimumInterval: TimeSpan
    let coalesces: Bool
    let countsWaits: Bool

    // APNs.
    let loss: Probability
    let considerateLoss: Probability
    let decidesAtRequest: Bool
    let reorders: Bool
    let hasQueue: Bool
    let refuses: Bool

    // Devices.
    let appCanUpdate: Bool
    let phone: PhoneStation.Rules

    // The monitor.
    let confirmsAcceptance: Bool

    init(_ scenario: Scenario, photoStage: Int?, horizon: Instant, measuredFrom: Instant) {
        self.horizon = horizon
        self.measuredFrom = measuredFrom
        ttl = scenario.content.ttl
        staleDateMissing = scenario.content.staleDateMissing
        timestampInMilliseconds = scenario.content.timestampInMilliseconds
        timestampResolution = max(1, scenario.content.timestampResolution.microseconds)
        timestampsRise = scenario.content.timestampsRise
        hasFixedUpdates = !scenario.content.updatesAt.isEmpty
        refreshPriority = scenario.content.refreshPriority
        payloadLimit = scenario.content.payload.limit
        self.photoStage = photoStage ?? .max
        stageCount = scenario.rides.stages.count
        minimumInterval = scenario.sender.minimumInterval
        coalesces = scenario.sender.coalesce
        countsWaits = !scenario.measure.waitOver.isEmpty
        loss = scenario.apns.loss
        considerateLoss = scenario.apns.considerateLoss ?? scenario.apns.loss
        decidesAtRequest = scenario.apns.latencyFrom == .request
        reorders = scenario.apns.reorder
        hasQueue = scenario.apns.capacity != nil
        refuses = !scenario.apns.reasons.isEmpty
        appCanUpdate = scenario.devices.localUpdates.enabled
        phone = PhoneStation.Rules(scenario.devices)
        confirmsAcceptance = scenario.monitor.feedback == .acceptance
    }
}
