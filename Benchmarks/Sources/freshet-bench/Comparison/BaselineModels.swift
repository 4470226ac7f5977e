import CBaseline

/// M/M/1 in C++.
final class BaselineQueue {
    private let queue: OpaquePointer

    init() {
        queue = baseline_queue_create()
    }

    deinit {
        baseline_queue_destroy(queue)
    }

    func run(customers: Int) {
        baseline_queue_run(queue, UInt64(customers))
    }

    var trajectoryHash: UInt64 { baseline_queue_hash(queue) }
}

/// PHOLD in C++.
final class BaselineProcesses {
    private let processes: OpaquePointer

    init(count: Int) {
        processes = baseline_processes_create(UInt64(count))
    }

    deinit {
        baseline_processes_destroy(processes)
    }

    func run(events: Int) {
        baseline_processes_run(processes, UInt64(events))
    }

    var trajectoryHash: UInt64 { baseline_processes_hash(processes) }
}
