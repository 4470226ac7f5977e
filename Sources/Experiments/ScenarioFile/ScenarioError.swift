import Foundation

/// Why there is no scenario.
public enum ScenarioError: Error, Hashable {
    /// There is no such file.
    case missing(path: String)
    /// There is something by that name that cannot be read as a file.
    case unreadable(path: String, reason: String)
    /// What reads a data file is not installed and cannot be had now.
    case unavailable(path: String, reason: String)
    /// The file or a setting is wrong: everything that is, in the order of the file, settings last; never empty.
    case invalid([Diagnostic])
}

extension ScenarioError {
    /// The same error, with the options that settings were given by in place of `--set KEY`.
    ///
    /// - Parameter options: By the setting's key.
    public func naming(options: [String: String]) -> ScenarioError {
        guard case .invalid(let diagnostics) = self else { return self }
        return .invalid(
            diagnostics.map { diagnostic in
                var renamed = diagnostic
                for (key, option) in options where diagnostic.file == "--set \(key)" { renamed.file = option }
                return renamed
            }
        )
    }
}

extension ScenarioError {
    /// The reason why a file was not read.
    init(_ refusal: InputFile.Refusal, _ path: String) {
        self =
            switch refusal {
            case .missing: .missing(path: path)
            case .notRegular(let kind): .unreadable(path: path, reason: "it is \(kind)")
            case .refused(let reason): .unreadable(path: path, reason: reason)
            case .tooLarge:
                .invalid([Diagnostic(file: path, line: 1, column: 1, message: refusal.description)])
            }
    }
}

extension ScenarioError {
    /// The files that it names, in the order of naming; one may be there more than once, or be no file but an option.
    package var files: [String] {
        switch self {
        case .missing(let path), .unreadable(let path, _), .unavailable(let path, _): [path]
        case .invalid(let diagnostics): diagnostics.map(\.file)
        }
    }
}

extension ScenarioError: CustomStringConvertible {
    /// The file beside a missing one whose name is nearest, also where only the ending is left out.
    private static func neighbour(of path: String) -> String? {
        let url = URL(filePath: path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)) ?? []
        let name = url.lastPathComponent
        let near = Suggestion.nearest(to: name, among: names.sorted()) ?? names.sorted().first { $0 == "\(name).yaml" }
        return near.map { String(path.dropLast(name.count)) + $0 }
    }

    /// The example of the name in a path, or the one whose name is nearest to a name without a folder.
    private static func example(near path: String) -> String? {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let name = file.hasSuffix(ExampleFile.ending) ? String(file.dropLast(ExampleFile.ending.count)) : file
        if ExampleScenario.names.contains(name) { return name }
        return path.contains("/") ? nil : Suggestion.nearestOrLonger(to: name, among: ExampleScenario.names)
    }

    /// How many diagnostics ``description`` shows.
    private static let shown = 50

    /// What a user sees: a line for each thing that is wrong, though not for more than fifty.
    public var description: String {
        switch self {
        case .missing(let path):
            let near =
                Self.neighbour(of: path).map { "\"\(OneLine.text($0))\"" }
                ?? Self.example(near: path).map { "the example \"\($0)\"" }
            return "\(OneLine.text(path)): there is no such file\(near.map { "; did you mean \($0)?" } ?? "")"
        case .unreadable(let path, let reason):
            return "\(OneLine.text(path)): cannot be read: \(reason)"
        case .unavailable(let path, let reason):
            return "\(OneLine.text(path)): \(reason)"
        case .invalid(let diagnostics):
            let lines = diagnostics.prefix(Self.shown).map(\.description)
            let rest = diagnostics.count - lines.count
            return (lines + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: "\n")
        }
    }
}
