import Foundation

/// The memory and file descriptors of a process at one instant, as Linux reports them.
public struct ProcessFigures: Sendable {
    /// The resident memory [kB].
    public let resident: Int
    /// The peak of the resident memory [kB].
    public let peak: Int
    /// The number of open files and sockets.
    public let descriptors: Int

    /// Reads the figures of a process; nil if it does not exist or there is no `/proc`.
    public init?(of processID: Int32) {
        guard let status = try? String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8),
            let resident = Self.value("VmRSS", in: status), let peak = Self.value("VmHWM", in: status),
            let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(processID)/fd")
        else { return nil }
        (self.resident, self.peak, descriptors) = (resident, peak, files.count)
    }

    private static func value(_ name: String, in status: String) -> Int? {
        status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
            .flatMap { Int($0.drop { !$0.isNumber }.prefix { $0.isNumber }) }
    }
}

/// The latencies of a set of responses.
public struct Latencies: Sendable {
    private let sorted: [Duration]

    /// Creates a set from the latencies of some responses.
    public init(_ all: [Duration]) {
        sorted = all.sorted()
    }

    /// Returns the quantile for a share of all latencies; zero if there are none.
    public func quantile(_ share: Double) -> Duration {
        sorted.isEmpty ? .zero : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
    }

    /// The median, the p99 and the maximum as text.
    public var text: String {
        [0.5, 0.99, 1].map { String(format: "%.1f", quantile($0) / .milliseconds(1)) }.joined(separator: "/") + " ms"
    }
}
