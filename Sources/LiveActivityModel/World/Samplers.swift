import SimulationKernel

/// Collects the samplers of a scenario on their way into the bank.
struct SamplerRegistry {
    let compile: (Distribution) throws -> Sampler
    private(set) var samplers: [Sampler] = []

    init(compile: @escaping (Distribution) throws -> Sampler) {
        self.compile = compile
    }

    mutating func add(_ distribution: Distribution) throws -> SamplerID {
        samplers.append(try compile(distribution))
        return SamplerID(samplers.count - 1)
    }

    mutating func add(_ distribution: Distribution?) throws -> SamplerID? {
        guard let distribution else { return nil }
        return try add(distribution) as SamplerID
    }
}

/// The distributions of a scenario by what they are for, as places in the bank.
///
/// A class for the sake of being shared, as ``World`` is.
final class Samplers: Sendable {
    let stageDurations: [SamplerID]
    /// Time between refreshes in each stage; nil where there are none.
    let stageRefreshes: [SamplerID?]
    let cancelAfter: SamplerID
    let rematchAfter: SamplerID
    let payloadBytes: SamplerID?
    let photoBytes: SamplerID
    let smallPhotoBytes: SamplerID
    let startTime: SamplerID
    let startRetry: SamplerID
    let tokenDelay: SamplerID
    let tokenPost: SamplerID
    let tokenPostRetry: SamplerID
    let tokenRotation: SamplerID?
    let appAlive: SamplerID?
    let online: SamplerID?
    let offline: SamplerID
    let considerateDelay: SamplerID
    let swipeAfter: SamplerID
    let endReport: SamplerID
    let latency: SamplerID
    let expiredTokenLag: SamplerID
    let requestTime: SamplerID
    let requeueAfter: SamplerID?
    let patience: SamplerID?
    /// How long APNs works on a request; nil without a queue there.
    let serviceTime: SamplerID?
    /// Gaps of a Poisson process of rate one; the mean is ``ArrivalPlan/unitGap``.
    let arrivalGap: SamplerID

    init(of scenario: Scenario, registry: inout SamplerRegistry) throws {
        let refresh = try registry.add(scenario.content.refresh)
        var durations: [SamplerID] = []
        var refreshes: [SamplerID?] = []
        for stage in scenario.rides.stages {
            durations.append(try registry.add(stage.duration))
            refreshes.append(try registry.add(stage.refresh) ?? refresh)
        }
        stageDurations = durations
        stageRefreshes = refreshes
        cancelAfter = try registry.add(scenario.rides.cancellation.after)
        rematchAfter = try registry.add(scenario.rides.rematching.after)
        payloadBytes = try registry.add(scenario.content.payload.bytes)
        photoBytes = try registry.add(scenario.content.payload.photoBytes)
        smallPhotoBytes = try registry.add(scenario.content.payload.smallPhotoBytes)
        let devices = scenario.devices
        startTime = try registry.add(devices.start.time)
        startRetry = try registry.add(devices.start.retryAfter)
        tokenDelay = try registry.add(devices.token.delay)
        tokenPost = try registry.add(devices.token.post)
        tokenPostRetry = try registry.add(devices.token.postRetryAfter)
        tokenRotation = try registry.add(devices.token.rotation)
        appAlive = try registry.add(devices.localUpdates.aliveFor)
        online = try registry.add(devices.connectivity.online)
        offline = try registry.add(devices.connectivity.offline)
        considerateDelay = try registry.add(devices.consideratePriorityDelay)
        swipeAfter = try registry.add(devices.swipe.after)
        endReport = try registry.add(devices.endReport)
        latency = try registry.add(scenario.apns.latency)
        expiredTokenLag = try registry.add(scenario.apns.expiredTokenLag)
        requestTime = try registry.add(scenario.sender.requestTime)
        requeueAfter = try registry.add(scenario.sender.requeueAfter)
        patience = try registry.add(scenario.sender.patience)
        serviceTime = try registry.add(scenario.apns.capacity?.serviceTime)
        arrivalGap = try registry.add(.exponential(mean: ArrivalPlan.unitGap))
    }
}
