internal import Foundation
import TextFormats

/// The kind of results in a directory, by the file that marks it.
public enum ResultKind: Hashable, Sendable {
    /// A run of a scenario.
    case run
    /// A load of a scenario, by `load scenario`, with the files of a run.
    case liveRun
    /// Any other load, with the name of its command: `load apns`.
    case load(String)
    case sweep
    /// The results of `tune`.
    case search
    case comparison
    /// The distributions found by `fit`.
    case fit

    /// Determines the kind of results in a directory; nil if no file marks it.
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
            // The reader of runs reports the error in the file.
            self = .run
            return
        }
        if json["settings"]?.object != nil {
            self = .load(OneLine.excerpt(json["name"]?.text ?? "load", longest: 64))
        } else {
            self = json["real_time"] == nil ? .run : .liveRun
        }
    }

    /// The command that makes such results, up to its options; nil if no command reads their scenario.
    private var command: String? {
        switch self {
        case .run, .sweep: "freshet run SCENARIO"
        case .liveRun: "freshet load scenario SCENARIO"
        case .load(let name): "freshet \(name)"
        case .search: "freshet tune SCENARIO"
        case .comparison, .fit: nil
        }
    }

    /// Returns the end of a message about results that this version cannot read, and what to do.
    ///
    /// Results do not record which version wrote them, so that the same run gives the same bytes. They may also have
    /// been edited.
    static func otherVersion(of directory: String) -> String {
        let command = ResultKind(of: directory).flatMap(\.command) ?? "freshet run SCENARIO"
        let isPlain = directory.isPlain(1...1000, also: "/._-")
        let word = isPlain ? directory : "'\(directory.replacing("'", with: #"'\''"#))'"
        return
            "another version of freshet wrote these results, or they were edited; regenerate them with this version and the "
            + "same options: \(command) --output \(word)"
    }

    /// The kind in words: `a sweep`.
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
