import Foundation
public import InputFiles
public import TextFormats

/// The reason why there is no scenario.
public enum ScenarioError: Error, Hashable {
    /// The file does not exist.
    case missing(path: String)
    /// Something with this name exists, but cannot be read as a file.
    case unreadable(path: String, reason: String)
    /// The program that reads a data file is not installed and cannot be obtained now.
    case unavailable(path: String, reason: String)
    /// The file or a setting is invalid.
    ///
    /// All problems are included, in the order of the file, settings last; there is at least one.
    case invalid([Diagnostic])
}

extension ScenarioError {
    /// Returns the error with the names of options instead of `--set KEY`.
    ///
    /// - Parameter options: The options, by the setting's key.
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
    /// Creates the error for a file that was not read.
    package init(_ refusal: InputFile.Refusal, _ path: String) {
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
    /// The files named in the error, in order, possibly repeated; an entry may be an option instead of a file.
    package var files: [String] {
        switch self {
        case .missing(let path), .unreadable(let path, _), .unavailable(let path, _): [path]
        case .invalid(let diagnostics): diagnostics.map(\.file)
        }
    }
}

extension ScenarioError: CustomStringConvertible {
    /// Returns the file beside a missing one with the most similar name, even if only the extension is missing.
    private static func neighbour(of path: String) -> String? {
        let url = URL(filePath: path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)) ?? []
        let name = url.lastPathComponent
        let near = Suggestion.nearest(to: name, among: names.sorted()) ?? names.sorted().first { $0 == "\(name).yaml" }
        return near.map { String(path.dropLast(name.count)) + $0 }
    }

    /// Returns the example with the name in a path, or with the most similar name if there is no folder.
    private static func example(near path: String) -> String? {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let name = file.hasSuffix(ExampleFile.ending) ? String(file.dropLast(ExampleFile.ending.count)) : file
        if ExampleScenario.names.contains(name) { return name }
        return path.contains("/") ? nil : Suggestion.nearestOrLonger(to: name, among: ExampleScenario.names)
    }

    /// The number of diagnostics shown in ``description``.
    private static let shown = 50

    /// The text for the user: one line per problem, for at most fifty problems.
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

extension ScenarioError: UserError {
    public var failure: FailureKind {
        switch self {
        case .missing: .inputMissing
        case .unavailable: .temporary
        case .unreadable, .invalid: .badData
        }
    }
}
