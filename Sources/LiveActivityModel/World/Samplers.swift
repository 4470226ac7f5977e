import Quantities
import SimulationKernel

/// The distributions of a scenario by purpose, as indices in the bank.
///
/// A class, like ``World``, so that it is shared and not copied.
final class Samplers: Sendable {
    let stageDurations: [SamplerID]
    /// The time between refreshes in each stage; nil if there are none.
    let stageRefreshes: [SamplerID?]
    let cancelAfter: SamplerID
    let rematchAfter: SamplerID
    /// The time from a booking to its ride; nil if none is booked ahead.
    let bookedAhead: SamplerID?
    /// The time from a ride to its rider's next; nil if riders have one ride.
    let againAfter: SamplerID?
    /// The size of content in each stage; nil if sizes are not modelled.
    let payloadBytes: [SamplerID?]
    let photoBytes: SamplerID
    let smallPhotoBytes: SamplerID
    let carPhotoBytes: SamplerID?
    let photoDownload: SamplerID?
    /// The time of a request for content; nil if content takes none.
    let contentTime: SamplerID?
    let etaNoise: SamplerID?
    let etaJump: SamplerID?
    let startTime: SamplerID
    let startRetry: SamplerID
    /// The time from one push-to-start token to the next; nil if they do not change.
    let startTokenRotation: SamplerID?
    let tokenDelay: SamplerID
    let tokenPost: SamplerID
    let tokenPostRetry: SamplerID
    let tokenRotation: SamplerID?
    let appAlive: SamplerID?
    /// The time between the app's updates on the screen; nil if the app has none or each is drawn at once.
    let renderInterval: SamplerID?
    let online: SamplerID?
    let offline: SamplerID
    let considerateDelay: SamplerID
    let swipeAfter: SamplerID
    /// The time from an activity's end to the removal of its card by the rider; nil if riders leave it.
    let cardRemovedAfter: SamplerID?
    let endReport: SamplerID
    /// The time from a failed report of an end to the next; nil if all arrive.
    let endReportRetry: SamplerID?
    /// The spans of the app in the foreground and outside it; nil if a share of attempts fails instead.
    let foreground: (stays: SamplerID, away: SamplerID)?
    let latency: SamplerID
    let expiredTokenLag: SamplerID
    let requestTime: SamplerID
    let requeueAfter: SamplerID?
    let patience: SamplerID?
    /// The service time of a request at APNs; nil without a queue there.
    let serviceTime: SamplerID?
    /// The number of members of a group, the time until one joins, and the time until a channel is deleted; nil without groups.
    let groups: (size: SamplerID, joins: SamplerID, deletedAfter: SamplerID)?
    /// Gaps of a Poisson process of rate one; the mean is ``ArrivalSequence/unitGap``.
    let arrivalGap: SamplerID

    /// - Parameter add: Adds a distribution to the bank.
    init(of scenario: Scenario, add: (Distribution) throws -> SamplerID) throws {
        let refresh = try scenario.content.refresh.map(add)
        var durations: [SamplerID] = []
        var refreshes: [SamplerID?] = []
        for stage in scenario.rides.stages {
            durations.append(try add(stage.duration))
            refreshes.append(try stage.refresh.map(add) ?? refresh)
        }
        stageDurations = durations
        stageRefreshes = refreshes
        cancelAfter = try add(scenario.rides.cancellation.after)
        rematchAfter = try add(scenario.rides.rematching.after)
        bookedAhead = try scenario.rides.booked.map { try add($0.ahead) }
        againAfter = try scenario.rides.again.map { try add($0.after) }
        let bytes = try scenario.content.payload.bytes.map(add)
        payloadBytes = try scenario.rides.stages.map { try $0.payloadBytes.map(add) ?? bytes }
        carPhotoBytes = try scenario.content.payload.carPhotoBytes.map(add)
        photoDownload = try scenario.devices.pictures?.download.map(add)
        contentTime = try scenario.content.endpoint.map { try add($0.time) }
        photoBytes = try add(scenario.content.payload.photoBytes)
        smallPhotoBytes = try add(scenario.content.payload.smallPhotoBytes)
        etaNoise = try scenario.content.eta?.noise.map(add)
        etaJump = try scenario.content.eta.flatMap { $0.jumpShare == .never ? nil : try add($0.jump) }
        let devices = scenario.devices
        startTime = try add(devices.start.time)
        startRetry = try add(devices.start.retryAfter)
        startTokenRotation = try devices.start.tokenRotation.map(add)
        tokenDelay = try add(devices.token.delay)
        tokenPost = try add(devices.token.post)
        tokenPostRetry = try add(devices.token.postRetryAfter)
        tokenRotation = try devices.token.rotation.map(add)
        appAlive = try devices.localUpdates.aliveFor.map(add)
        renderInterval = scenario.hasAppUpdates ? try devices.renderInterval.map(add) : nil
        online = try devices.connectivity.online.map(add)
        offline = try add(devices.connectivity.offline)
        considerateDelay = try add(devices.consideratePriorityDelay)
        swipeAfter = try add(devices.swipe.after)
        cardRemovedAfter = try devices.dismissal.removedAfter.map(add)
        endReport = try add(devices.endReport)
        endReportRetry = try devices.endReportFailure.map { try add($0.retryAfter) }
        foreground = try devices.start.foreground.map { (try add($0.stays), try add($0.away)) }
        latency = try add(scenario.apns.latency)
        expiredTokenLag = try add(scenario.apns.expiredTokenLag)
        requestTime = try add(scenario.sender.requestTime)
        requeueAfter = try scenario.sender.requeueAfter.map(add)
        patience = try scenario.sender.patience.map(add)
        serviceTime = try scenario.apns.capacity.map { try add($0.serviceTime) }
        groups = try scenario.groups.map { groups in
            (try add(groups.size), try add(groups.joins), try add(groups.channel.deletedAfter))
        }
        arrivalGap = try add(.exponential(mean: ArrivalSequence.unitGap))
    }
}
