import Benchmarking
import CBaseline

/// The hold model in C++.
final class BaselineHold {
    private let hold: OpaquePointer

    init(pending: Int, profile: DelayProfile, touchedBytes: Int) {
        let delays = profile.delays.map { baseline_delay(mean: $0.mean, constant: $0.constant) }
        let residuals = profile.residuals.map {
            baseline_residual(weight: $0.weight, mean: $0.mean, longest: $0.longest)
        }
        hold = baseline_hold_create(
            UInt64(pending),
            UInt64(touchedBytes / 8),
            profile.fallingGap(pending: pending),
            delays,
            delays.count,
            residuals,
            residuals.count
        )
    }

    deinit {
        baseline_hold_destroy(hold)
    }

    func run(operations: Int) {
        baseline_hold_run(hold, UInt64(operations))
    }

    var trajectoryHash: UInt64 { baseline_hold_hash(hold) }
}
