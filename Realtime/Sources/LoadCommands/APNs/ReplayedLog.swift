import Evaluation
import LoadGenerator
import Quantities
import Reporting
import Shell
import TextFormats
import Traces

/// The log that a load replays.
struct ReplayedLog: Sendable {
    private let files: [String]
    private let mapping: String?
    /// The pushes that are sent.
    let pushes: PushReplay
    /// The number of them whose length is not in the log.
    private let withoutSize: Int
    /// The number of pushes that were read.
    private let count: Int
    private let fingerprint: String
    /// Sentences about the log.
    let lines: [String]

    /// A log that was read.
    init(files: [String], pushes: PushReplay, _ reader: LogPushReader, mapping: String?) {
        (self.files, self.pushes, self.mapping) = (files, pushes, mapping)
        (withoutSize, count) = (reader.withoutSize, reader.count)
        let digits = String(reader.fingerprint, radix: 16)
        fingerprint = String(repeating: "0", count: 16 - digits.count) + digits
        let span = ProgressLine.span(pushes.plan.duration.microseconds)
        let speed = pushes.speed == 1 ? "the log's speed" : "\(pushes.speed) times the log's speed"
        let cut = reader.isCut ? "; the log goes on after that" : ""
        lines =
            reader.lines + [
                "The replay sends \(pushes.count.counted("push", "pushes")) in \(span), at \(speed)\(cut)."
            ]
    }

    /// The settings as the report lists them.
    var settings: [(name: String, value: String)] {
        [
            ("replay", files.joined(separator: ", ")), ("replay_speed", "\(pushes.speed)"),
            ("replay_pushes", "\(pushes.count)"), ("replay_fingerprint", fingerprint),
        ] + (mapping.map { [("mapping", $0)] } ?? [])
    }

    /// The part of a share's results from which a merger has the plan and the notes of the whole load.
    func ofShare(usualBytes: Int) -> LoadAPNsShare.Replay {
        LoadAPNsShare.Replay(
            counts: pushes.counts.map { Int($0) },
            step: pushes.step,
            duration: pushes.plan.duration,
            notes: notes(usualBytes: usualBytes, lateness: nil)
        )
    }

    /// The notes of the report.
    ///
    /// - Parameters:
    ///   - usualBytes: The length of payloads whose length the log does not state.
    ///   - lateness: The lateness of the pushes that are measured so far; nil without any.
    func notes(usualBytes: Int, lateness: DriverLateness?) -> [String] {
        var notes = [lines.joined(separator: " ")]
        if withoutSize > 0 {
            notes.append(
                "The log does not state the length of \(withoutSize == count ? "its" : "\(withoutSize) of \(count)") payloads; they "
                    + "have \(usualBytes) bytes, or more if their contents need it (--payload-bytes)."
            )
        }
        if let lateness {
            let (median, p99) = (ProgressLine.span(Int64(lateness.median)), ProgressLine.span(Int64(lateness.p99)))
            notes.append(
                "Pushes were due at their times in the log, from its first push on and divided by the speed. They were made \(median) "
                    + "(median), \(p99) (p99) and at most \(ProgressLine.span(Int64(lateness.largest))) after that."
            )
        }
        notes.append(
            "Each attempt in the log is a push of its own, so --retries come on top. Each ride has one made-up device token, which "
                + "follows from the ride's name and the seed."
        )
        return notes
    }
}
