internal import Foundation
import Shell

extension Machine {
    /// The memory that this process occupies [bytes]; 0 if the system does not report it.
    public static var residentMemory: Double {
        #if canImport(Darwin)
        var info = proc_taskinfo()
        let size = Int32(MemoryLayout<proc_taskinfo>.size)
        return proc_pidinfo(getpid(), PROC_PIDTASKINFO, 0, &info, size) == size ? Double(info.pti_resident_size) : 0
        #else
        return pages.resident
        #endif
    }

    /// The memory that this process may use [bytes]: the smallest of the machine's memory, the limits of its control
    /// groups, and the rest of `ulimit -v` without addresses that take no memory.
    static var memory: Double {
        let whole = Double(ProcessInfo.processInfo.physicalMemory)
        let addresses = ProcessLimit.addressSpace.value.map { Double($0.rlim_cur) - pages.empty } ?? whole
        return ([whole, addresses] + controlGroups).min() ?? whole
    }

    /// The resident and the other part of the address space [bytes]; 0 if the system does not report them.
    private static var pages: (resident: Double, empty: Double) {
        let counts = words(in: "/proc/self/statm").prefix(2).compactMap { Double($0) }
        guard counts.count == 2 else { return (0, 0) }
        let size = Double(sysconf(Int32(_SC_PAGESIZE)))
        return (counts[1] * size, (counts[0] - counts[1]) * size)
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
