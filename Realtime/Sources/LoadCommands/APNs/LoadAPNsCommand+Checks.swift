import ArgumentParser
import LoadGenerator
import Quantities
import Reporting
import Shell

/// The rules on the options, before anything is read or sent.
extension LoadAPNsCommand {
    func validate() throws {
        try replay.check(against: contradictions)
        try limit("--connections", connections, to: 1...10_000)
        try limit("--threads", threads, to: 1...min(connections, 256))
        try limit("--streams", streams, to: 1...1_000_000)
        try limit("--tokens", tokens ?? 1, to: 1...TokensFile.most)
        try demand(tokens == nil || tokensFile == nil, "--tokens and --tokens-file are mutually exclusive: choose one")
        try abort.check(thresholds: result.threshold, isSearch: findLimit)
        try limit("--payload-bytes", payloadBytes, to: 2...PushLoad.largestPayload)
        try limit("--retries", retries, to: 0...100)
        try LoadOptions.check(topic: topic)
        try demand([10, 5, 1].contains(priority), "--priority must be 10, 5 or 1, got \(priority)")
        try demand(!maxRate || !findLimit, "--max-rate and --find-limit are mutually exclusive: choose one")
        try demand(
            [rate != nil, ramp != nil, profile != nil, maxRate].count(where: \.self) <= 1,
            "--rate, --ramp, --profile and --max-rate are ways to say when pushes come: choose one"
        )
        guard duration == nil || profile == nil else {
            throw ValidationError("--duration cannot be combined with --profile, whose last instant is the end")
        }
        _ = try LoadOptions.spanAboveZero(timeout, named: "--timeout")
        // The length of a replay is known once the log is read.
        if replay.isGiven { _ = try replayLimit() } else { try checkWarmUp(try plan().duration) }
        _ = try retryPolicy()
        guard try retryBudgetInUse() == nil || retries > 0 else {
            throw ValidationError("--retry-budget limits retries: it needs --retries above 0")
        }
        guard !maxRate || arrivals == .even else {
            throw ValidationError("--max-rate and --arrivals poisson are mutually exclusive: choose one")
        }
        try checkShare()
        try demand(
            eventLog == nil || !findLimit && target.protocol == .apns,
            "--event-log cannot be combined with --find-limit, whose trials are loads of their own, and --protocol netmera, whose "
                + "calls are not pushes"
        )
        if let eventLog {
            let inputs: [(name: String, path: String?)] = [
                ("--mapping", replay.log.mapping), ("--tokens-file", tokensFile), ("--payload", payload),
            ]
            try EventLogFile(eventLog).check(against: replay.files.map { ("--replay", $0) } + inputs)
        }
        switch target.protocol {
        case .apns:
            guard target.netmeraKey == nil, !updatesOnly, !startAll, groups == nil else {
                throw ValidationError("--netmera-key, --groups, --updates-only and --start-all need --protocol netmera")
            }
        case .netmera:
            try limit("--groups", groups ?? 4, to: 4...1_000_000)
            let isPlain = !maxRate && !findLimit && retries == 0 && arrivals == .even
            try demand(
                isPlain && payload == nil && tokensFile == nil && priority != 1 && !target.insecureSkipVerify,
                "--protocol netmera cannot be combined with --max-rate, --find-limit, --retries, --arrivals "
                    + "poisson, --payload, --tokens-file, --priority 1 and --insecure-skip-verify"
            )
            try demand(!updatesOnly || !startAll, "--updates-only and --start-all are mutually exclusive: choose one")
        }
    }

    func checkWarmUp(_ duration: TimeSpan) throws {
        guard try LoadOptions.span(warmUp, named: "--warm-up") < duration else {
            throw ValidationError(
                "--warm-up must be shorter than the load, got \(warmUp)"
                    + (replay.isGiven ? "; the replay takes \(ProgressLine.span(duration.microseconds))" : "")
            )
        }
    }

    /// The options that mean nothing beside a log, and the reasons.
    private var contradictions: [ReplayOptions.Contradiction] {
        let times = "the log states when each push is sent"
        let made = "each ride of the log has a made-up token of its own"
        return [
            .init("--rate", rate != nil, times), .init("--ramp", ramp != nil, times),
            .init("--profile", profile != nil, times), .init("--arrivals poisson", arrivals != .even, times),
            .init("--max-rate", maxRate, times), .init("--find-limit", findLimit, times),
            .init("--tokens", tokens != nil, made), .init("--tokens-file", tokensFile != nil, made),
            .init(
                "--priority",
                priority != 10,
                "the log states the priority of each push; a mapping sets one for all by constants: {priority: \(priority)}"
            ),
            .init("--payload", payload != nil, "the log states the kind of each push; --payload-bytes sets lengths"),
            .init("--protocol netmera", target.protocol == .netmera, "a log has pushes to APNs, not REST calls"),
        ]
    }

    /// The longest time that a load may wait for its start with open connections.
    private static let longestWait = TimeSpan.hours(1)

    /// Rejects options that a share does not allow.
    private func checkShare() throws {
        if let start = try start() {
            let wait = start - WallClock.microseconds
            guard (0...Self.longestWait.microseconds).contains(wait) else {
                let words =
                    wait < 0
                    ? "\(ProgressLine.span(-wait)) ago" : "in \(ProgressLine.span(wait))"
                throw ValidationError(
                    "--start-at must be within the next hour, got \(startAt ?? ""), which is \(words)"
                )
            }
        }
        guard let share else { return }
        _ = try LoadOptions.loadShare(share, named: "--share")
        guard startAt != nil, result.output != nil else {
            throw ValidationError("--share needs --start-at, the same for all shares, and --output")
        }
        try demand(
            result.threshold.isEmpty,
            "--threshold is judged on all shares together: give it to `freshet load merge`, not beside --share"
        )
        try demand(
            !maxRate && !findLimit && retryBudget == nil && target.protocol == .apns,
            "--share cannot be combined with --max-rate, --find-limit, --retry-budget and --protocol netmera, "
                + "which need all pushes in one process"
        )
    }
}
