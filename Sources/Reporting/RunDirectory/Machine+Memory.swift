internal import Foundation

extension Machine {
    /// The memory that this process occupies [bytes]; 0 if the system does not report it.
    public static var residentMemory: Double {
        #if canImport(Darwin)
        var info = mach_task_basic_info()
        var count = mach_msg_type_number_t(MemoryLayout<mach_task_basic_info>.size / MemoryLayout<natural_t>.size)
        let status = withUnsafeMutablePointer(to: &info) {
            $0.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                task_info(mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO), $0, &count)
            }
        }
        return status == KERN_SUCCESS ? Double(info.resident_size) : 0
        #else
        // The second number counts resident pages.
        let pages = words(in: "/proc/self/statm").dropFirst().first.flatMap(Double.init) ?? 0
        return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
        #endif
    }

    /// The memory that this process may use [bytes]: the smallest of the machine's memory, the limits of its control
    /// groups, and `ulimit -v`.
    static var memory: Double {
        let whole = Double(ProcessInfo.processInfo.physicalMemory)
        let addresses = ProcessLimit.addressSpace.value.map { Double($0.rlim_cur) } ?? whole
        return ([whole, addresses] + controlGroups).min() ?? whole
    }

    /// The limits of this process's control group and its ancestors, where there are any.
    private static var controlGroups: [Double] {
        let line = words(in: "/proc/self/cgroup").first { $0.hasPrefix("0::/") }
        var names = line.map { $0.dropFirst(4).split(separator: "/") } ?? []
        var limits: [Double] = []
        while true {
            let file = (["/sys/fs/cgroup"] + names + ["memory.max"]).joined(separator: "/")
            limits += words(in: file).prefix(1).compactMap { Double($0) }
            guard names.popLast() != nil else { return limits }
        }
    }

    /// Returns the words of a file; none if it cannot be read.
    private static func words(in path: String) -> [Substring] {
        ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(whereSeparator: \.isWhitespace)
    }
}
