import Foundation

/// What a process holds at a moment, as Linux tells it.
public struct ProcessFigures: Sendable {
    /// Its memory [kB].
    public let resident: Int
    /// The most of it so far [kB].
    public let peak: Int
    /// Its open files and sockets.
    public let descriptors: Int

    /// Looks at a process; nil where there is none, or no `/proc`.
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

/// How long answers took.
public struct Latencies: Sendable {
    private let sorted: [Duration]

    /// The latencies of some answers.
    public init(_ all: [Duration]) {
        sorted = all.sorted()
    }

    /// How many there are.
    public var count: Int { sorted.count }

    /// The one that a share of all do not exceed; zero of none.
    public func quantile(_ share: Double) -> Duration {
        sorted.isEmpty ? .zero : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
    }

    /// Half of them, all but one in a hundred, and all, for people.
    public var text: String {
        [0.5, 0.99, 1].map { String(format: "%.1f", quantile($0) / .milliseconds(1)) }.joined(separator: "/") + " ms"
    }
}
