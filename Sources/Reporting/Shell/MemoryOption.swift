public import ArgumentParser
public import Experiments
import LiveActivityModel
import Shell

/// The memory limit of a command that simulates.
public struct MemoryOption: ParsableArguments, Sendable {
    @Option(
        help: """
            The memory limit: a size such as 8GB, or any. Default: the machine's free memory. A run that would need \
            more is refused (75).
            """,
        transform: Limit.init(parsing:)
    )
    public var memory: Limit?

    /// Creates the option without a value.
    public init() {}

    /// A number of bytes, or no limit.
    public enum Limit: Hashable, Sendable {
        case bytes(Double)
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
    }

    /// Refuses a run that would exceed the limit.
    ///
    /// - Parameters:
    ///   - what: The name of the run in messages.
    ///   - replications: The number of replications that keep their results in memory.
    ///   - perRide: Memory per ride in addition to the run [bytes].
    public func admit(
        _ what: String,
        _ estimate: RunEstimate,
        replications: Int,
        jobs: Int,
        perRide: Double = 0
    ) throws {
        let left: Double?
        switch memory {
        case .any: left = nil
        case .bytes(let bytes): left = bytes
        case nil: left = Machine.memory
        }
        let bytes = estimate.bytes(replications: replications, jobs: jobs) + perRide * estimate.rides
        guard let left, bytes > left else { return }
        let size = Self.text(bytes)
        throw CommandError(
            """
            \(what): needs about \(size) of memory for \(Self.count(estimate.rides)) rides with \
            \(Self.count(estimate.liveActivities)) activities live at once; \(memory == nil ? "this machine has" : "--memory allows") \
            \(Self.text(left)); run fewer rides (rides.scale), more cells with fewer --jobs, or \
            raise the limit with --memory \(Self.text(bytes, separator: "")) or --memory any
            """,
            Failure.temporary
        )
    }

    /// Refuses a sweep with a design point that would exceed the limit.
    public func admit(_ sweep: Sweep, jobs: Int) throws {
        for point in sweep.points {
            let what = sweep.experiment.factors == nil ? sweep.experiment.scenario.name : "design point \(point.number)"
            try admit(what, point.estimate, replications: sweep.replications, jobs: jobs)
        }
    }

    /// A number of bytes with two significant digits, rounded up so that it is large enough as a limit.
    public static func text(_ bytes: Double, separator: String = " ") -> String {
        let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB")]
        let (unit, name) = units.first { bytes >= $0.0 } ?? (1e3, "kB")
        let number = bytes / unit
        guard number < 1e9 else { return "more than a billion \(name)" }
        let text = number < 10 ? "\((number * 10).rounded(.up) / 10)" : "\(Int(number.rounded(.up)))"
        return text + separator + name
    }

    /// An approximate count, in groups of three digits.
    public static func count(_ number: Double) -> String {
        guard number < 1e15 else { return "too many" }
        return Format.count(Int64(number.rounded()))
    }

    /// An approximate number of events, in millions.
    public static func events(_ number: Double) -> String {
        number < 1e6 ? "a million events" : "\(count((number / 1e6).rounded())) million events"
    }
}
