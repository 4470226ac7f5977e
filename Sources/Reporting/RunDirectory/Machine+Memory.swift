internal import Foundation
import Shell

extension Machine {
    /// The memory that this process may still allocate [bytes]; nil if the system does not report it.
    ///
    /// It is the smallest of three numbers: the machine's free memory, the rest of the control groups' limits, and the
    /// rest of `ulimit -v`.
    public static var memory: Double? {
        #if canImport(Darwin)
        let left = Double(ProcessInfo.processInfo.physicalMemory)
        return min(left, addressSpace(taken: 0) ?? left)
        #else
        let machine = numbers(in: "/proc/meminfo")
        let free = machine["MemAvailable:"].map { ($0 + (machine["SwapFree:"] ?? 0)) * 1024 }
        let process = numbers(in: "/proc/self/status")
        let taken = (process["VmSize:"] ?? 0) * 1024
        return ([free, addressSpace(taken: taken)] + controlGroups).compactMap(\.self).min()
        #endif
    }

    /// The rest of the limit on the address space.
    private static func addressSpace(taken: Double) -> Double? {
        guard let limit = ProcessLimit.addressSpace.value, limit.rlim_cur < rlim_t(Int64.max) else { return nil }
        return max(0, Double(limit.rlim_cur) - taken)
    }

    /// The rest of the limits of this process's control group and its ancestors; files that the system can drop from
    /// memory do not count.
    private static var controlGroups: [Double] {
        let own = (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)) ?? ""
        let line = own.split(separator: "\n").first { $0.hasPrefix("0::/") }
        var names = line.map { $0.dropFirst(4).split(separator: "/") } ?? []
        var left: [Double] = []
        while true {
            let group = (["/sys/fs/cgroup"] + names).joined(separator: "/")
            if let limit = number(in: group + "/memory.max"), let used = number(in: group + "/memory.current") {
                let files = numbers(in: group + "/memory.stat")
                let forgettable = (files["inactive_file"] ?? 0) + (files["active_file"] ?? 0)
                left.append(max(0, limit - max(0, used - forgettable)))
            }
            guard names.popLast() != nil else { return left }
        }
    }

    /// Returns the number that a file consists of.
    private static func number(in path: String) -> Double? {
        (try? String(contentsOfFile: path, encoding: .utf8))
            .flatMap { Double($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }

    /// Returns the first number of each line of a file, by the line's first word.
    private static func numbers(in path: String) -> [String: Double] {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        var numbers: [String: Double] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count > 1, let number = Double(words[1]) else { continue }
            numbers[String(words[0])] = number
        }
        return numbers
    }
}
