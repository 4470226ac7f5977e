public import ArgumentParser
public import Shell

/// The memory limit of a command that simulates.
public struct MemoryOption: ParsableArguments, Sendable {
    @Option(
        help: """
            The memory limit: a size such as 8GB, or any. Default: four fifths of what the machine, its control group \
            and ulimit -v allow. A run that reaches it stops, with exit code 75.
            """,
        transform: MemoryLimit.init(parsing:)
    )
    private var memory: MemoryLimit?

    /// The limit of the option, or the default.
    public var limit: MemoryLimit { memory ?? .usual }

    /// Creates the option without a value.
    public init() {}
}

/// The largest memory of this process while it simulates.
public enum MemoryLimit: Hashable, Sendable {
    case bytes(Double)
    /// A share of what the system allows.
    case usual
    /// No limit.
    case any

    /// Reads a limit from the command line.
    public init(parsing argument: String) throws {
        if argument == "any" {
            self = .any
            return
        }
        guard let match = argument.wholeMatch(of: /([0-9]{1,9}(?:\.[0-9]{1,9})?)([kMGT])B/),
            let number = Double(match.1), let unit = ["k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12][match.2]
        else { throw ValidationError("allowed: a number with kB, MB, GB or TB, such as 1.5GB, or any") }
        self = .bytes(number * unit)
    }

    /// The interval between checks: a run can grow by some tens of megabytes meanwhile.
    private static let interval = Duration.milliseconds(50)

    /// Performs work, and cancels it at the limit.
    ///
    /// - Parameters:
    ///   - what: The name of the work in messages.
    ///   - kept: The sentence to print about results if the work has stopped.
    /// - Throws: A ``CommandError`` with exit code 75 if the limit is reached.
    public func guarding<Value: Sendable>(
        _ what: String,
        kept: String,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try check(what, kept: kept)
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                while (try? await Task.sleep(for: Self.interval)) != nil { try check(what, kept: kept) }
                return nil
            }
            defer { group.cancelAll() }
            for try await case let value? in group { return value }
            throw CancellationError()
        }
    }

    /// Throws a ``CommandError`` with exit code 75 if this process has reached the limit.
    public func check(_ what: String, kept: String) throws {
        let limit: Double
        switch self {
        case .any: return
        case .bytes(let bytes): limit = bytes
        case .usual: limit = Machine.memory * 0.8
        }
        let used = Machine.residentMemory
        guard used > limit else { return }
        throw CommandError(
            """
            \(what): stopped at \(Self.text(used)) of memory; allowed: \(Self.text(limit)), \
            \(self == .usual ? "four fifths of what this machine allows" : "by --memory"); \(kept). Use fewer --jobs, \
            more cells or a smaller rides.scale, or raise the limit with --memory
            """,
            Failure.temporary
        )
    }

    /// A number of bytes with two or more significant digits, rounded up.
    private static func text(_ bytes: Double) -> String {
        let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB")]
        let (unit, name) = units.first { bytes >= $0.0 } ?? (1e3, "kB")
        let number = bytes / unit
        return (number < 10 ? "\((number * 10).rounded(.up) / 10)" : "\(Int(number.rounded(.up)))") + " " + name
    }
}

extension Interruption {
    /// Performs work that a signal or the memory limit can stop.
    ///
    /// - Parameters:
    ///   - what: The name of the work in messages.
    ///   - kept: The sentence to print about results if the work has stopped.
    public static func guarding<Value: Sendable>(
        _ what: String,
        within memory: MemoryLimit,
        kept: String,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await guarding(kept: kept) { try await memory.guarding(what, kept: kept, work) }
    }
}
