internal import Foundation
import TextFormats

/// What a result directory holds, by the file that marks it.
public enum ResultKind: Hashable, Sendable {
    /// A run of a scenario.
    case run
    /// A run of a scenario in real time, by `load scenario`: the same files.
    case liveRun
    /// A test in real time, by the name of its command: `load apns`.
    case load(String)
    case sweep
    /// What `tune` has found.
    case search
    case comparison
    /// The distributions that `fit` has found.
    case fit

    /// What a directory holds; nil where no file says it.
    public init?(of directory: String) {
        let marks: [(file: String, kind: ResultKind)] = [
            ("sweep.json", .sweep), ("tune.json", .search), ("comparison.json", .comparison), ("fit.json", .fit),
        ]
        if let mark = marks.first(where: { FileManager.default.fileExists(atPath: "\(directory)/\($0.file)") }) {
            self = mark.kind
            return
        }
        let path = "\(directory)/run.json"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let bytes = try? InputFile.bytes(of: path, limit: RecordedRun.largestDescription),
            let json = try? JSONMembers(bytes)
        else {
            // The reader of a run says what is wrong with the file.
            self = .run
            return
        }
        if json["settings"]?.object != nil {
            self = .load(OneLine.excerpt(json["name"]?.text ?? "load", longest: 64))
        } else {
            self = json["real_time"] == nil ? .run : .liveRun
        }
    }

    /// The command that makes such results, up to its options; nil where none reads its scenario.
    private var command: String? {
        switch self {
        case .run, .sweep: "freshet run SCENARIO"
        case .liveRun: "freshet load scenario SCENARIO"
        case .load(let name): "freshet \(name)"
        case .search: "freshet tune SCENARIO"
        case .comparison, .fit: nil
        }
    }

    /// That results lack what this version reads, or hold what it does not know or allow, and what to do.
    ///
    /// The end of a message. Results do not tell which version wrote them, so that the same run gives the same bytes; an editor
    /// may have changed them, too.
    static func otherVersion(of directory: String) -> String {
        let command = ResultKind(of: directory).flatMap(\.command) ?? "freshet run SCENARIO"
        let isPlain = directory.isPlain(1...1000, also: "/._-")
        let word = isPlain ? directory : "'\(directory.replacing("'", with: #"'\''"#))'"
        return
            "another version of freshet wrote these results, or they were changed; make them again with this one and their "
            + "options: \(command) --output \(word)"
    }

    /// What is held, in words: `a sweep`.
    public var words: String {
        switch self {
        case .run: "a simulated run"
        case .liveRun: "a run in real time (`load scenario`)"
        case .load(let name): "results of `\(name)`"
        case .sweep: "a sweep"
        case .search: "a search"
        case .comparison: "a comparison"
        case .fit: "a fit"
        }
    }
}
