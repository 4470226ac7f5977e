import ArgumentParser
import Experiments
import LiveActivityModel
import Reporting

/// How much memory a command may take for what it simulates.
struct MemoryOption: ParsableArguments {
    @Option(
        help: """
            How much memory it may take, as 8GB, or any; in place of what the machine has left. A run that would need \
            more is refused (75).
            """,
        transform: Limit.init(parsing:)
    )
    var memory: Limit?

    /// A size, or none.
    enum Limit: Hashable {
        case bytes(Double)
        case any

        init(parsing argument: String) throws {
            if argument == "any" {
                self = .any
                return
            }
            guard let match = argument.wholeMatch(of: /([0-9]{1,9}(?:\.[0-9]{1,9})?)([kMGT])B/),
                let number = Double(match.1), let unit = ["k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12][match.2]
            else { throw ValidationError("allowed: a number with kB, MB, GB or TB, as 1.5GB, or any") }
            self = .bytes(number * unit)
        }
    }

    /// Refuses what would not fit.
    ///
    /// - Parameters:
    ///   - what: What would be run, as messages name it.
    ///   - replications: How many of its replications keep their results in memory.
    ///   - perRide: What is kept of each ride beside the run [bytes].
    func admit(
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
            \(what): would need about \(size) of memory, for \(Self.count(estimate.rides)) rides with \
            \(Self.count(estimate.liveActivities)) activities live at once; \(memory == nil ? "this machine has" : "--memory allows") \
            \(Self.text(left)); run fewer rides (rides.scale), more cells with fewer --jobs, or \
            allow it by --memory \(Self.text(bytes, separator: "")) or --memory any
            """,
            Failure.temporary
        )
    }

    /// Refuses a sweep with a design point that would not fit.
    func admit(_ sweep: Sweep, jobs: Int) throws {
        for point in sweep.points {
            let what = sweep.experiment.factors == nil ? sweep.experiment.scenario.name : "design point \(point.number)"
            try admit(what, point.estimate, replications: sweep.replications, jobs: jobs)
        }
    }

    /// A number of bytes with two digits, rounded up where it is one that would be allowed.
    static func text(_ bytes: Double, separator: String = " ") -> String {
        let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB")]
        let (unit, name) = units.first { bytes >= $0.0 } ?? (1e3, "kB")
        let number = bytes / unit
        guard number < 1e9 else { return "more than a billion \(name)" }
        let text = number < 10 ? "\((number * 10).rounded(.up) / 10)" : "\(Int(number.rounded(.up)))"
        return text + separator + name
    }

    /// About how many, in groups of three digits.
    static func count(_ number: Double) -> String {
        guard number < 1e15 else { return "too many" }
        return Format.count(Int64(number.rounded()))
    }

    /// About how many events, to a million.
    static func events(_ number: Double) -> String {
        number < 1e6 ? "a million events" : "\(count((number / 1e6).rounded())) million events"
    }
}
