import Evaluation
import InputFiles
import LiveActivityModel
import Results
import ScenarioLanguage
import Studies
import TextFormats

/// `sweep.json` or `tune.json`, as far as a brief uses it.
struct DesignFile {
    let path: String
    let members: JSONMembers

    /// The largest size; `sweep.json` lists all points [bytes].
    private static let largest = 1 << 26

    init(_ directory: String, _ name: String) throws(ScenarioError) {
        path = "\(directory)/\(name)"
        let bytes = try TextFile.bytes(of: path, limit: Self.largest)
        guard let members = try? JSONMembers(Array(bytes)) else {
            throw .invalid([Diagnostic(file: path, message: "must be a JSON object")])
        }
        self.members = members
    }

    /// The mark of the answer: ✓, ≈, ✗ or ?.
    var mark: String { ["✓", "≈", "✗"].first { $0 == text("mark") } ?? "?" }

    func text(_ key: String) -> String { OneLine.excerpt(members[key]?.text ?? "", longest: 2000) }

    func texts(_ key: String) -> [String] {
        (members[key]?.elements ?? []).compactMap(\.text).map { OneLine.excerpt($0, longest: 2000) }
    }

    /// The answer, at least one sentence.
    func answer() throws(ScenarioError) -> [String] {
        let answer = texts("answer")
        guard !answer.isEmpty else {
            let message = "has no answer: an earlier version of freshet wrote it; repeat the command that did"
            throw .invalid([Diagnostic(file: path, message: message)])
        }
        return answer
    }

    /// The sentence on today's settings if they are missing.
    var missingToday: [String] { [text("today_missing")].filter { !$0.isEmpty }.map(MarkdownText.escaped) }

    var pushes: BriefPushes? { members["today"]?.members?["pushes"]?.members.flatMap(BriefPushes.init) }

    var basis: [String] {
        let sweep = members["sweep_id"]?.text.map { "Sweep \($0)" }
        let id = sweep ?? members["tune_id"]?.text.map { "Search \($0)" } ?? ""
        let version = members["freshet_version"]?.text.map { OneLine.excerpt($0, longest: 32) }
        return ["\(OneLine.excerpt(id, longest: 64)), \(Brief.version(version))."]
    }
}
