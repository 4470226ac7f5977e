internal import Foundation
import InputFiles
import TextFormats

/// The origin of results in a directory, by the file that marks it.
public enum Provenance: Hashable, Sendable {
    /// A simulated run of a scenario.
    case simulation
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

    /// Determines the origin of the results in a directory; nil if no file marks it.
    public init?(of directory: String) {
        let marks: [(file: String, origin: Provenance)] = [
            ("sweep.json", .sweep), ("tune.json", .search), ("comparison.json", .comparison), ("fit.json", .fit),
        ]
        if let mark = marks.first(where: { FileManager.default.fileExists(atPath: "\(directory)/\($0.file)") }) {
            self = mark.origin
            return
        }
        let path = "\(directory)/run.json"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let bytes = try? InputFile.bytes(of: path, limit: RecordedResults.largestDescription),
            let json = try? JSONMembers(bytes)
        else {
            // The reader of runs reports the error in the file.
            self = .simulation
            return
        }
        if json["settings"]?.object != nil {
            self = .load(OneLine.excerpt(json["name"]?.text ?? "load", longest: 64))
        } else {
            self = json["real_time"] == nil ? .simulation : .liveRun
        }
    }

    /// The command that makes such results, up to its options; nil if no command reads their scenario.
    private var command: String? {
        switch self {
        case .simulation, .sweep: "freshet run SCENARIO"
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
        let command = Provenance(of: directory).flatMap(\.command) ?? "freshet run SCENARIO"
        let isPlain = directory.isPlain(1...1000, also: "/._-")
        let word = isPlain ? directory : "'\(directory.replacing("'", with: #"'\''"#))'"
        return
            "another version of freshet wrote these results, or they were edited; regenerate them with this version and the "
            + "same options: \(command) --output \(word)"
    }

    /// The origin in words: `a sweep`.
    public var words: String {
        switch self {
        case .simulation: "a simulated run"
        case .liveRun: "a run in real time (`load scenario`)"
        case .load(let name): "results of `\(name)`"
        case .sweep: "a sweep"
        case .search: "a search"
        case .comparison: "a comparison"
        case .fit: "a fit"
        }
    }

    /// `true` if results of the two origins can be compared; loads of different commands cannot, but have one form.
    func hasForm(of other: Provenance) -> Bool {
        switch (self, other) {
        case (.simulation, .simulation), (.simulation, .liveRun), (.liveRun, .simulation), (.liveRun, .liveRun),
            (.load, .load), (.sweep, .sweep):
            true
        default: false
        }
    }

    /// Returns the contents of a directory that holds no run, and how to get a run of it; nil for a run or unmarked
    /// contents.
    ///
    /// The text is a predicate: `holds a sweep; …`.
    package static func otherResults(in directory: String) -> String? {
        guard let origin = Provenance(of: directory) else { return nil }
        return switch origin {
        case .simulation, .liveRun: nil
        case .sweep, .search: "holds \(origin.words), but metrics need a run; freshet run --point makes one"
        case .load, .comparison, .fit:
            "holds \(origin.words), not a run of a scenario; allowed: a directory that freshet run has written"
        }
    }
}
