package import InputFiles
import TextFormats

/// The texts from which a scenario is read, with their names in diagnostics.
package struct ScenarioSource: Sendable {
    /// The file as the user named it.
    let file: String
    /// The settings as the user wrote them, `key.path=value`.
    package var settings: [String]
    /// The files that it extends, nearest first.
    var extendedFiles: [String] = []
    /// The checks and factors of extended files, which belong to their experiments only.
    var leftOut = LeftOut()

    /// Numbers of checks and factors that a file does not inherit and does not replace.
    struct LeftOut: Hashable, Sendable {
        var checks = 0
        var factors = 0
        /// The files that have them.
        var files: [String] = []

        /// Adds those of an extended file, unless the file that extends it has its own.
        mutating func add(_ entries: [ScenarioNode.Entry], of file: String, besides root: ScenarioNode) {
            let before = checks + factors
            func value(_ key: String) -> ScenarioNode? {
                root.mapping?.contains { $0.key == key } == true ? nil : entries.first { $0.key == key }?.value
            }
            checks += value("checks")?.list?.count ?? 0
            factors += value("factors")?.mapping?.first { $0.key == "vary" }?.value.mapping?.count ?? 0
            if checks + factors > before { files.append(file) }
        }
    }

    /// Returns a diagnostic for an error, with the name of its file.
    package func diagnostic(_ error: SourceError) -> Diagnostic {
        let (file, line, column) = named(error.place)
        let others = error.others.map { other in
            let (file, line, column) = named(other.place)
            return "; \(other.path) is at \(OneLine.text(file))" + (line > 0 ? ":\(line):\(column)" : "")
        }
        let message = error.sentence + others.joined()
        return Diagnostic(file: file, line: line, column: column, path: error.path, message: message)
    }

    /// Returns the name of a place's file, or of its setting, which has no lines.
    private func named(_ place: Place) -> (file: String, line: Int, column: Int) {
        switch place {
        case .file(let line, let column):
            return (file, line, column)
        case .extended(let step, let line, let column):
            return (extendedFiles[step], line, column)
        case .setting(let index):
            let setting = settings[index]
            let key = setting.prefix { $0 != "=" }
            return ("--set \(key.isEmpty ? setting : String(key))", 0, 0)
        }
    }
}
