import Quantities
import SimulationKernel

/// The server's estimates of arrival: how the estimate of a ride changes from one step to the next.
///
/// The changes of a ride depend on the ride and the step alone, so every policy meets the same estimates.
struct ETACourse: BitwiseCopyable {
    /// The time between two estimates.
    let step: TimeSpan
    /// `true` if the card has a timer that counts down.
    let countsDown: Bool
    /// `true` if the progress bar moves without updates.
    let barCountsDown: Bool
    /// `true` if estimates are those of ``World/estimates``.
    let isRecorded: Bool
    private let drift: Int64
    private let noise: SamplerID?
    private let jump: SamplerID?
    private let jumpShare: Probability
    private let lateShare: Probability

    /// The estimates of a scenario; nil if its content has none.
    init?(_ scenario: Scenario, _ samplers: Samplers) {
        guard let eta = scenario.content.eta else { return nil }
        step = eta.step
        (countsDown, barCountsDown) = (eta.timer, eta.barTimer)
        isRecorded = eta.series != nil
        drift = Int64((eta.drift * Double(eta.step.microseconds)).rounded())
        (noise, jump) = (samplers.etaNoise, samplers.etaJump)
        (jumpShare, lateShare) = (eta.jumpShare, eta.lateShare)
    }

    /// The number of steps from the request of a ride to an instant.
    @inline(__always)
    func steps(from requestedAt: Instant, to instant: Instant) -> UInt32 {
        UInt32(clamping: (instant - requestedAt).microseconds / step.microseconds)
    }

    /// The change of the estimated arrival [µs] in a step without its jump, according to a draw; above 0 if it becomes
    /// later.
    @inline(__always)
    func change(_ draw: UInt64, _ bank: SamplerBank) -> Int64 {
        guard let noise else { return drift }
        return drift &+ signed(bank.sample(noise, draw), draw)
    }

    /// Returns `true` if the estimate jumps in a step, according to a draw.
    @inline(__always)
    func jumps(_ draw: UInt64) -> Bool { jump != nil && jumpShare.happens(draw) }

    /// The size of a jump [µs] according to a draw.
    func jump(_ draw: UInt64, _ bank: SamplerBank) -> Int64 { jump.map { signed(bank.sample($0, draw), draw) } ?? 0 }

    @inline(__always)
    private func signed(_ size: Int64, _ draw: UInt64) -> Int64 {
        lateShare.happens(RandomSource.twin(of: draw)) ? size : 0 &- size
    }
}

/// The source of the estimates of a ride in a stage.
struct ETASource {
    let ride: UInt64
    /// The instant from which the times of estimates count.
    let origin: Instant
    /// The recorded estimates, as indices; nil for generated ones.
    let part: Range<Int>?
}

/// Two estimates of a ride's arrival, the newest and the shown one, relative to the first [µs].
struct ETAView: Hashable, BitwiseCopyable {
    /// The number of steps that the newest estimate includes.
    var stepCount: UInt32 = 0
    var newest: Int64 = 0
    /// The generation of the content whose estimate is ``shown``.
    var shownSince = Instant.never
    var shown: Int64 = 0
    /// Twice the area under the age of the content in the current stage [µs²].
    var barArea: Int128 = 0
}
