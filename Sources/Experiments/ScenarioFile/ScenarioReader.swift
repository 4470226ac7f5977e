internal import Foundation
import LiveActivityModel

/// Reads scenarios from YAML: every mistake is found in one go and told with its place.
public enum ScenarioReader {
    /// Larger files are refused unread [bytes].
    public static let largestFile = 1 << 20

    /// Reads a scenario file.
    ///
    /// - Parameters:
    ///   - file: The file's path, also the name that diagnostics give it.
    ///   - settings: Values that replace or add to those of the file, each as `key.path=value`; later ones win.
    /// - Returns: The scenario, its data files still to be loaded.
    /// - Throws: What is wrong with the file or the settings.
    public static func read(file: String, settings: [String] = []) throws(ScenarioError) -> LoadedScenario {
        let bytes = try bytes(of: file)
        return try read(bytes: bytes, named: file, settings: settings)
    }

    /// Reads a scenario from a text.
    ///
    /// - Parameters:
    ///   - yaml: The text.
    ///   - name: The name that diagnostics give the text; data files are looked for beside it.
    ///   - settings: Values that replace or add to those of the text, each as `key.path=value`; later ones win.
    /// - Returns: The scenario, its data files still to be loaded.
    /// - Throws: What is wrong with the text or the settings.
    public static func read(
        yaml: String,
        named name: String,
        settings: [String] = []
    ) throws(ScenarioError) -> LoadedScenario {
        try read(bytes: Data(yaml.utf8), named: name, settings: settings)
    }

    private static func read(bytes: Data, named name: String, settings: [String]) throws(ScenarioError)
        -> LoadedScenario
    {
        let source = ScenarioSource(file: name, settings: settings)
        var findings: [Reading.Finding] = []
        func note(_ flaw: YAMLText.Flaw) {
            let message = flaw.path.isEmpty ? flaw.message : "\(flaw.path) \(flaw.message)"
            findings.append(.init(place: flaw.place, path: flaw.path, message: message))
        }
        func invalid() -> ScenarioError {
            let ordered = findings.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
            return .invalid(ordered.map { source.diagnostic($0.element) })
        }

        var root: ScenarioNode?
        do {
            let composed = YAMLText(try text(of: bytes)).compose()
            root = composed.root
            composed.flaws.forEach(note)
        } catch {
            note(error)
        }
        guard var root else { throw invalid() }
        for (index, text) in settings.enumerated() {
            do {
                try Setting(text, index: index).apply(to: &root)
            } catch {
                note(error)
            }
        }
        var reading = Reading()
        let scenario = Section.scenario.read(root, "", &reading)
        if let scenario { ScenarioRules(scenario).check(&reading) }
        // What stands at a refused anchor or alias is not what was meant.
        let flawed = Set(findings.map(\.place))
        findings += reading.findings.filter { !flawed.contains($0.place) }
        guard let scenario, findings.isEmpty else { throw invalid() }
        return LoadedScenario(scenario: scenario, source: source, reading: reading)
    }

    /// The file's bytes; never reads more than ``largestFile`` and one byte, whatever the file is.
    private static func bytes(of file: String) throws(ScenarioError) -> Data {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: file, isDirectory: &isDirectory) else {
            throw .missing(path: file)
        }
        guard !isDirectory.boolValue else { throw .unreadable(path: file, reason: "it is a directory") }
        guard let handle = FileHandle(forReadingAtPath: file) else {
            throw .unreadable(path: file, reason: "it cannot be opened")
        }
        defer { try? handle.close() }
        var bytes = Data()
        do {
            while bytes.count <= largestFile,
                let more = try handle.read(upToCount: largestFile + 1 - bytes.count), !more.isEmpty
            {
                bytes += more
            }
        } catch {
            throw .unreadable(path: file, reason: "reading failed")
        }
        guard bytes.count <= largestFile else {
            let message = "the file is too large for a scenario; allowed: up to \(largestFile) bytes"
            throw .invalid([Diagnostic(file: file, line: 1, column: 1, path: "", message: message)])
        }
        return bytes
    }

    /// The text of UTF-8 bytes, without a byte order mark.
    private static func text(of bytes: Data) throws(YAMLText.Flaw) -> String {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var text = String.UnicodeScalarView()
        var (line, column) = (1, 1)
        decoding: while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar):
                text.append(scalar)
                (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
            case .emptyInput:
                break decoding
            case .error:
                throw YAMLText.Flaw(place: .file(line: line, column: column), message: "this is not UTF-8 text")
            }
        }
        if text.first == "\u{FEFF}" { text.removeFirst() }
        return String(text)
    }
}
