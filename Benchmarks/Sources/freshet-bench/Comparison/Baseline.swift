import Benchmarking
import CBaseline

/// A workload in C++.
final class Baseline: Workload {
    private let model: OpaquePointer?
    private let goOn: (OpaquePointer?, UInt64) -> Void
    private let hash: (OpaquePointer?) -> UInt64
    private let destroy: (OpaquePointer?) -> Void

    private init(
        _ model: OpaquePointer?,
        run: @escaping (OpaquePointer?, UInt64) -> Void,
        hash: @escaping (OpaquePointer?) -> UInt64,
        destroy: @escaping (OpaquePointer?) -> Void
    ) {
        (self.model, goOn, self.hash, self.destroy) = (model, run, hash, destroy)
    }

    deinit {
        destroy(model)
    }

    func run(units: Int) { goOn(model, UInt64(units)) }

    var trajectoryHash: UInt64 { hash(model) }

    static func hold(pending: Int, profile: DelayProfile, touchedBytes: Int) -> Baseline {
        let delays = profile.delays.map { baseline_delay(mean: $0.mean, constant: $0.constant) }
        let residuals = profile.residuals.map {
            baseline_residual(weight: $0.weight, mean: $0.mean, longest: $0.longest)
        }
        let model = baseline_hold_create(
            UInt64(pending),
            UInt64(touchedBytes / 8),
            profile.fallingGap(pending: pending),
            delays,
            delays.count,
            residuals,
            residuals.count
        )
        return Baseline(model, run: baseline_hold_run, hash: baseline_hold_hash, destroy: baseline_hold_destroy)
    }

    static func singleServerQueue() -> Baseline {
        Baseline(
            baseline_queue_create(),
            run: baseline_queue_run,
            hash: baseline_queue_hash,
            destroy: baseline_queue_destroy
        )
    }

    static func processes(_ count: Int) -> Baseline {
        Baseline(
            baseline_processes_create(UInt64(count)),
            run: baseline_processes_run,
            hash: baseline_processes_hash,
            destroy: baseline_processes_destroy
        )
    }
}
