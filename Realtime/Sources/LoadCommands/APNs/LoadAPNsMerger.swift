import ArgumentParser
import Evaluation
import LoadGenerator
import Quantities
import Reporting
import Results
import ScenarioLanguage
import TextFormats

/// A merger of the shares of one load, with the results that one generator would have had.
///
/// Counts and histogram buckets are added up; quantiles are taken from the sums. Each share is compared with the first, because
/// shares of different loads cannot be added up.
struct LoadAPNsMerger {
    private var first: (share: LoadAPNsShare, directory: String)?
    private var directories: [Int: String] = [:]
    private var outcome = LoadAPNsOutcome(connections: APNsPoolNotes())
    private var late: [Int] = []
    private var endedEarly: [Int] = []
    private var connections = 0
    private var threads = 0

    /// The settings that may differ between shares and are added up.
    private static let summed: Set<String> = ["connections", "threads"]
    /// The settings that may differ, because each machine has its own copy of a log; its fingerprint is compared.
    private static let paths: Set<String> = ["replay", "mapping"]
    /// The settings that only shares have.
    static let ownSettings: Set<String> = ["share", "start_at"]

    /// Adds a share to the sums.
    ///
    /// - Returns: The reasons why it does not belong to the shares before it, in sentences; empty if it does.
    mutating func add(_ share: LoadAPNsShare, from directory: String) -> [String] {
        if let first {
            let differences = Self.differences(share, directory, first.share, first.directory)
            guard differences.isEmpty else { return differences }
        } else {
            first = (share, directory)
        }
        if let other = directories[share.share.number] {
            return ["share \(share.share.text) is there twice: \(other), \(directory)"]
        }
        directories[share.share.number] = directory
        outcome.tally.add(share.tally)
        outcome.connections?.add(share.connections)
        outcome.duration = max(outcome.duration, share.ran)
        outcome.shares.append(.init(share: share.share, ran: share.ran))
        if LoadAPNsOutcome.lateness(of: share.tally)?.isTooLate == true { late.append(share.share.number) }
        if share.isEndedEarly { endedEarly.append(share.share.number) }
        connections += Self.number("connections", in: share)
        threads += Self.number("threads", in: share)
        return []
    }

    private static func number(_ name: String, in share: LoadAPNsShare) -> Int {
        let text = share.settings.first { $0.name == name }?.value
        return text.flatMap { Int($0) }.map { min(max(0, $0), 1_000_000) } ?? 0
    }

    /// The differences that show that two shares are not of the same load, in sentences.
    private static func differences(
        _ share: LoadAPNsShare,
        _ directory: String,
        _ first: LoadAPNsShare,
        _ firstDirectory: String
    ) -> [String] {
        func names(_ share: LoadAPNsShare) -> [String] {
            let others = summed.union(ownSettings).union(paths)
            return share.settings.map(\.name).filter { !others.contains($0) }
        }
        func value(_ name: String, in share: LoadAPNsShare) -> String {
            share.settings.first { $0.name == name }.map { QuotedText.doubleQuoted(String($0.value.prefix(128))) }
                ?? "not stated"
        }
        var pairs = [
            ("freshet's version", first.version, share.version), ("--seed", "\(first.seed)", "\(share.seed)"),
            ("the number of shares", "\(first.share.count)", "\(share.share.count)"),
            ("the beginning [µs since 1970]", "\(first.start)", "\(share.start)"),
        ]
        let known = names(first)
        pairs += (known + names(share).filter { !known.contains($0) })
            .map { name in
                (
                    "--" + name.split(separator: "_").joined(separator: "-"), value(name, in: first),
                    value(name, in: share)
                )
            }
        return pairs.filter { $0.1 != $0.2 }
            .map { name, one, other in
                "\(directory) is not of the same load as \(firstDirectory): \(name) is \(other), not \(one)"
            }
    }

    /// The reasons why the shares are not the whole load, in sentences; empty if they are.
    var gaps: [String] {
        guard let merger else { return ["there are no shares"] }
        let missing = merger.missing.map { "\($0)" }.joined(separator: ", ")
        return (merger.missing.isEmpty ? [] : ["of \(merger.count) shares there are none with the numbers \(missing)"])
            + endedEarly.sorted().map { "share \($0)/\(merger.count) was ended early: \(directories[$0] ?? "")" }
    }

    /// The shares that were merged; nil before the first.
    private var merger: ShareMerger? {
        first.map { first in
            ShareMerger(
                of: first.share.share.count,
                merged: directories.keys.sorted(),
                late: late.sorted(),
                endedEarly: endedEarly.sorted(),
                start: first.share.start
            )
        }
    }

    /// The results of the whole load and the number of threads that made it.
    ///
    /// - Throws: `ValidationError` if the shares' settings do not make a plan.
    /// - Precondition: A share was added.
    func merged() throws -> (outcome: LoadAPNsOutcome, results: LoadReport, threads: Int) {
        guard let first, let merger else { preconditionFailure("no share was added") }
        var outcome = outcome
        outcome.shares.sort { $0.share.number < $1.share.number }
        func text(_ name: String) -> String? {
            first.share.settings.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
        }
        if let replay = first.share.replay {
            (outcome.plan, outcome.isReplay, outcome.remarks) = (replay.plan, true, replay.notes)
        } else {
            outcome.plan = try LoadOptions.plan(
                profile: text("profile"),
                ramp: text("ramp"),
                rate: text("rate") ?? "",
                over: try LoadOptions.spanAboveZero(text("duration") ?? "", named: "--duration")
            )
        }
        outcome.warmUp = try LoadOptions.span(text("warm_up") ?? "", named: "--warm-up")
        let settings = first.share.settings.filter { !Self.ownSettings.contains($0.name) }
            .map { name, value in
                switch name {
                case "connections": (name, "\(connections)")
                case "threads": (name, "\(threads)")
                default: (name, value)
                }
            }
        var results = LoadReport(load: "load apns", seed: first.share.seed, settings: settings, rows: outcome.rows)
        outcome.describe(&results)
        results.merger = merger
        return (outcome, results, threads)
    }
}
