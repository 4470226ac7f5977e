import Foundation
import InputFiles
import LoadGenerator
import Quantities
import Shell
import TextFormats

/// The complete results of one share of a load, from which `freshet load merge` computes the results of the whole load.
struct LoadAPNsShare: Sendable {
    /// Its number and the number of shares.
    let share: LoadShare
    /// The stated beginning of all shares [µs since 1970].
    let start: Int64
    /// The seed of all draws.
    let seed: UInt64
    /// The program's version.
    var version = Release.version
    /// The settings, in the order of reports.
    let settings: [(name: String, value: String)]
    /// The time for which it sent new pushes.
    let ran: TimeSpan
    /// `true` if it was ended early.
    let isEndedEarly: Bool
    /// The counts and errors of the connections.
    let connections: APNsPoolNotes
    /// The outcomes of its pushes.
    let tally: LoadTally

    /// The pushes of a log; nil without a replay.
    let replay: Replay?

    /// The numbers of a log's pushes by time, from which the plan of the whole load follows, and the notes on the log.
    struct Replay: Hashable, Sendable {
        let counts: [Int]
        let step: TimeSpan
        let duration: TimeSpan
        let notes: [String]

        /// The plan of the whole load.
        var plan: RatePlan { RatePlan(counts: counts, step: step, for: duration) }
    }

    /// The name of its file in a result directory.
    static let fileName = "share.json"

    /// A share with its results.
    init(
        _ outcome: LoadAPNsOutcome,
        of share: LoadShare,
        start: Int64,
        seed: UInt64,
        settings: [(name: String, value: String)],
        replay: Replay? = nil
    ) {
        self.share = share
        self.replay = replay
        self.start = start
        self.seed = seed
        self.settings = settings
        ran = outcome.duration
        isEndedEarly = outcome.earlyEnd != nil
        connections = outcome.connections ?? APNsPoolNotes()
        tally = outcome.tally
    }

    /// The contents of the file.
    var text: String {
        var json = JSONText()
        json.add("schema_version", 1)
        json.add("version", version)
        json.add("share", share.text)
        json.add("start_us", start)
        json.add("seed", seed)
        json.add("ran_us", ran.microseconds)
        json.add("ended_early", raw: "\(isEndedEarly)")
        json.add("settings", settings.flatMap { [$0.name, $0.value] })
        json.begin("connections")
        json.add("made", connections.connections)
        json.add("lost", connections.lostConnections)
        json.add("goaways", connections.goAways)
        json.add("last_goaway_reason", connections.lastGoAwayReason)
        json.add("last_error", connections.lastError)
        json.end()
        if let replay {
            json.begin("replay")
            json.add("step_us", replay.step.microseconds)
            json.add("duration_us", replay.duration.microseconds)
            json.add("counts", raw: "[\(replay.counts.map { "\($0)" }.joined(separator: ","))]")
            json.add("notes", replay.notes)
            json.end()
        }
        json.add("tally", raw: tally.json)
        return json.document + "\n"
    }

    /// The reason why a directory holds no share.
    enum ReadError: Error, Hashable, CustomStringConvertible {
        case missing(String)
        case damaged(String)

        /// The problem and what is allowed.
        var description: String {
            switch self {
            case .missing(let directory):
                "\(directory): there is no \(LoadAPNsShare.fileName); `freshet load apns --share` writes it to its --output"
            case .damaged(let directory):
                "\(directory)/\(LoadAPNsShare.fileName): not what `freshet load apns --share` has written, or not all of it"
            }
        }
    }

    /// Reads the share in a result directory.
    init(directory: String) throws(ReadError) {
        let bytes: [UInt8]
        do throws(InputFile.Refusal) {
            bytes = try InputFile.bytes(of: "\(directory)/\(Self.fileName)", limit: 1 << 28)
        } catch {
            throw error == .missing ? .missing(directory) : .damaged(directory)
        }
        guard let json = try? JSONMembers(bytes), let share = json["share"]?.text.flatMap({ LoadShare($0) }),
            let start: Int64 = json["start_us"]?.integer(), let seed: UInt64 = json["seed"]?.integer(),
            let version = json["version"]?.text,
            let ran: Int64 = json["ran_us"]?.integer(), (0...TimeSpan.longest.microseconds).contains(ran),
            let isEndedEarly = json["ended_early"]?.flag,
            let words = json["settings"]?.elements?.compactMap(\.text), words.count.isMultiple(of: 2),
            let connections = json["connections"]?.members.flatMap({ APNsPoolNotes($0) }),
            let tally = json["tally"]?.members.flatMap({ LoadTally($0) })
        else { throw .damaged(directory) }
        replay = json["replay"]?.members.flatMap { Replay($0) }
        guard replay != nil || json["replay"] == nil else { throw .damaged(directory) }
        self.share = share
        self.start = start
        self.seed = seed
        self.version = version
        self.ran = TimeSpan(microseconds: ran)
        self.isEndedEarly = isEndedEarly
        settings = stride(from: 0, to: words.count, by: 2).map { (words[$0], words[$0 + 1]) }
        self.connections = connections
        self.tally = tally
    }
}

extension LoadAPNsShare.Replay {
    fileprivate init?(_ json: JSONMembers) {
        guard let step: Int64 = json["step_us"]?.integer(), let duration: Int64 = json["duration_us"]?.integer(),
            (1...TimeSpan.longest.microseconds).contains(step),
            (1...TimeSpan.longest.microseconds).contains(duration),
            let elements = json["counts"]?.elements, elements.count <= PushReplayBuilder.mostSteps,
            // The last step begins before the end.
            (duration - 1) / step >= Int64(elements.count) - 1
        else { return nil }
        let counts = elements.compactMap { value -> Int? in
            value.integer().flatMap { (0...1_000_000_000).contains($0) ? $0 : nil }
        }
        guard counts.count == elements.count else { return nil }
        self.init(
            counts: counts,
            step: TimeSpan(microseconds: step),
            duration: TimeSpan(microseconds: duration),
            notes: json["notes"]?.elements?.compactMap(\.text) ?? []
        )
    }
}

extension APNsPoolNotes {
    fileprivate init?(_ json: JSONMembers) {
        self.init()
        let counts = ["made", "lost", "goaways"]
            .compactMap { name -> Int? in
                json[name]?.integer().flatMap { (0...1_000_000_000).contains($0) ? $0 : nil }
            }
        guard counts.count == 3 else { return nil }
        (connections, lostConnections, goAways) = (counts[0], counts[1], counts[2])
        (lastGoAwayReason, lastError) = (json["last_goaway_reason"]?.text, json["last_error"]?.text)
    }
}
