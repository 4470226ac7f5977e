package import InputFiles

/// The texts from which a scenario is read, with their names in diagnostics.
package struct ScenarioSource: Sendable {
    /// The file as the user named it.
    let file: String
    /// The settings as the user wrote them, `key.path=value`.
    package var settings: [String]
    /// The files that it extends, nearest first.
    var extendedFiles: [String] = []

    /// Returns a diagnostic for an error, with the name of its file.
    package func diagnostic(_ error: SourceError) -> Diagnostic {
        var diagnostic = placed(error)
        diagnostic.isOfKey = error.isOfKey
        return diagnostic
    }

    private func placed(_ error: SourceError) -> Diagnostic {
        let (path, message) = (error.path, error.sentence)
        switch error.place {
        case .file(let line, let column):
            return Diagnostic(file: file, line: line, column: column, path: path, message: message)
        case .extended(let step, let line, let column):
            return Diagnostic(file: extendedFiles[step], line: line, column: column, path: path, message: message)
        case .setting(let index):
            let setting = settings[index]
            let key = setting.prefix { $0 != "=" }
            return Diagnostic(
                file: "--set \(key.isEmpty ? setting : String(key))",
                line: 0,
                column: 0,
                path: path,
                message: message
            )
        }
    }
}
