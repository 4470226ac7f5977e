import FreshnessCore
import Quantities
import SimulationKernel

/// The parameters of a scenario that nearly every event reads, in a flat layout.
///
/// A scenario is a tree of values with strings, lists and distributions; reading one number from it may copy a branch.
/// This type holds plain values only, so each read is one load. Parameters that are read at most once per ride stay in
/// the scenario.
struct Rules: BitwiseCopyable {
    let horizon: Instant
    let measuredFrom: Instant

    // Content.
    let ttl: TimeSpan
    let staleDateMissing: Probability
    let timestampInMilliseconds: Probability
    let timestampsRise: Bool
    /// `true` if updates are sent at fixed times instead of random intervals.
    let hasFixedUpdates: Bool
    let refreshPriority: PushPriority
    /// `true` if a stage change restarts the refresh interval.
    let refreshesRestart: Bool
    let stageCount: Int
    /// `true` if payloads have sizes.
    let hasSizes: Bool
    /// The rules of the endpoint that generates content; nil if content takes no time and is always there.
    let endpoint: ContentRequest.Rules?
    /// The policy for refreshes of an ETA that moves; nil if there is none.
    let refreshWhenMoved: Scenario.RefreshWhenMoved?
    /// `true` if content has an ETA.
    let hasETA: Bool
    /// `true` if the scenario has cities or cohorts, which are then measured separately.
    let hasSegments: Bool
    /// `true` if some activities have a common course; see ``Scenario/Groups``.
    let hasGroups: Bool

    // The sender.
    let minimumInterval: TimeSpan
    let coalesces: Bool
    let countsWaits: Bool

    // APNs.
    let reorders: Bool
    /// The share of accepted pushes of priority 10 that are lost.
    let loss: Probability
    /// The share of accepted pushes of priority 5 that are lost.
    let considerateLoss: Probability
    /// `true` if the fate of a push is decided when the sender has the response.
    let decidesWithResponse: Bool

    // Devices.
    let appCanUpdate: Bool
    let appNeedsConnection: Bool
    /// The rules of background pushes that wake the app; nil if pushes update the card.
    let wakeApp: Scenario.WakeApp?
    /// `true` if the app's updates are drawn at intervals.
    let appDrawsAtIntervals: Bool
    let phone: PhoneStation.Rules
    /// The rules of a phone for the pushes of a channel.
    let channelPhone: PhoneStation.Rules
    /// `true` if the driver's photo on cards is followed.
    let hasPictures: Bool
    /// `true` if some pushes carry a photo of the car.
    let hasCarPhotos: Bool
    let photoPolicy: Scenario.PhotoPolicy
    /// `true` if cards may stay on screens after the end of their activity.
    let leavesCards: Bool
    /// `true` if push-to-start tokens change.
    let startTokensRotate: Bool
    /// The time before Apple's limit at which activities are renewed; nil for never.
    let renewBefore: TimeSpan?
    /// Activities whose app marks stale content; nil if that is not modelled.
    let rendersStale: Probability?
    /// `true` if rides may have several stops.
    let ridesStop: Bool
    /// `true` if riders may have several rides.
    let ridersReturn: Bool
    /// `true` if the cards of a phone share its budget for pushes.
    let sharesBudget: Bool

    // The monitor.
    let confirmsAcceptance: Bool

    /// `true` if `CellSimulation+FastRefresh.swift` covers the scenario's refreshes: at random intervals, with timestamps in
    /// seconds, and a monitor that learns APNs' responses.
    let canAccelerate: Bool
    /// `true` if activities share nothing that depends on their order, as long as the sender has free streams and no
    /// fault is active.
    let canSpeculate: Bool

    /// `true` if phones have timers for the updates of apps, or for renewals.
    var hasAppTimers: Bool { appDrawsAtIntervals || wakeApp != nil || renewBefore != nil }

    /// `true` if some state of activities is in tables beside them.
    var hasSideTables: Bool {
        hasAppTimers || hasPictures || hasCarPhotos || leavesCards || hasETA || startTokensRotate
            || phone.starts.dropsSome || endpoint != nil || ridersReturn || ridesStop
    }

    /// Returns `true` if the stale date of an update is missing, according to the draw of its payload's size.
    @inline(__always)
    func lacksStaleDate(_ sizeDraw: UInt64) -> Bool { staleDateMissing.happens(RandomSource.twin(of: sizeDraw)) }

    init(_ scenario: Scenario, horizon: Instant, measuredFrom: Instant, hasSegments: Bool) {
        self.hasSegments = hasSegments
        self.horizon = horizon
        self.measuredFrom = measuredFrom
        ttl = scenario.content.ttl
        staleDateMissing = scenario.content.staleDateMissing
        timestampInMilliseconds = scenario.content.timestampInMilliseconds
        timestampsRise = scenario.content.timestampsRise
        hasFixedUpdates = !scenario.content.updatesAt.isEmpty
        refreshPriority = scenario.content.refreshPriority
        refreshesRestart = scenario.content.refreshRestartsAtStateChange
        hasSizes = scenario.content.payload.bytes != nil
        refreshWhenMoved = scenario.content.refreshWhenMoved
        hasETA = scenario.content.eta != nil
        endpoint = scenario.content.endpoint.map { ContentRequest.Rules($0) }
        hasGroups = scenario.groups != nil
        stageCount = scenario.rides.stages.count
        minimumInterval = scenario.sender.minimumInterval
        coalesces = scenario.sender.coalesce
        countsWaits = !scenario.measure.waitOver.isEmpty
        reorders = scenario.apns.reorder
        loss = scenario.apns.loss
        considerateLoss = scenario.apns.considerateLoss ?? scenario.apns.loss
        decidesWithResponse = scenario.apns.latencyFrom == .response
        appCanUpdate = scenario.devices.localUpdates.enabled
        appNeedsConnection = scenario.devices.localUpdates.needsConnection
        wakeApp = scenario.content.wakeApp
        appDrawsAtIntervals = scenario.hasAppUpdates && scenario.devices.renderInterval != nil
        phone = PhoneStation.Rules(scenario.devices)
        channelPhone = PhoneStation.Rules(forChannelsOf: scenario)
        hasPictures = scenario.devices.pictures != nil
        hasCarPhotos = scenario.content.payload.carPhotoBytes != nil
        photoPolicy = scenario.content.payload.photoPolicy
        leavesCards = !scenario.devices.dismissal.isImmediate
        startTokensRotate = scenario.devices.start.tokenRotation != nil
        renewBefore = scenario.content.renewBefore
        rendersStale = scenario.devices.rendersStale
        ridesStop = scenario.rides.stops != nil
        ridersReturn = scenario.rides.again != nil
        sharesBudget = ridersReturn && scenario.devices.budget.isShared
        confirmsAcceptance = scenario.monitor.feedback == .acceptance
        canAccelerate =
            confirmsAcceptance && !hasFixedUpdates && timestampInMilliseconds == .never && wakeApp == nil && !hasGroups
            && endpoint == nil
        canSpeculate =
            endpoint == nil && !ridersReturn && !hasGroups && scenario.apns.capacity == nil
            && scenario.apns.script == nil
            && scenario.sender.rateLimit == nil && scenario.sender.preempt == .none
            && scenario.monitor.retry.budget?.perPush ?? 0 == 0 && scenario.sender.retryBudget == nil
            && !scenario.faults.contains { $0.kind == .connectionLost }
    }
}

extension Scenario {
    /// `true` if an app may update the card itself: while it runs, or when a push wakes it.
    public var hasAppUpdates: Bool { devices.localUpdates.enabled || content.wakeApp != nil }

    /// `true` if some pushes carry a photo of the driver.
    public var pushesCarryPhotos: Bool {
        content.payload.bytes != nil && !content.payload.photoStage.isEmpty && content.wakeApp == nil
    }

    /// `true` if the server may start activities by push: at first, or as renewals.
    public var hasPushStarts: Bool { devices.start.by != .app || content.renewBefore != nil }
}

extension PhoneStation.Rules {
    /// The rules of a phone for the pushes of channels, which may have a budget of their own.
    public init(forChannelsOf scenario: Scenario) {
        var devices = scenario.devices
        if let budget = scenario.groups?.channel.budget { devices.budget.limit = budget }
        self.init(devices)
    }
}
