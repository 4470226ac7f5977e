public import ScenarioLanguage
import Shell

extension LoadedScenario {
    /// Warns on standard error if settings change the load of a cell.
    ///
    /// - Throws: The problems of the file without settings.
    public func printWarningOfScale(file: String, settings: [String]) throws(ScenarioError) {
        if let warning = try warningOfScale(file: file, settings: settings) { printError("warning: \(warning)") }
    }

    /// Prints the warnings about load and the shape of factors, and warns if results would go under the name of another file.
    ///
    /// - Parameter areNamed: `true` if the directory of the results has the scenario's name.
    public func printWarnings(file: String, settings: [String], areNamed: Bool) throws(ScenarioError) {
        try printWarningOfScale(file: file, settings: settings)
        if let warningOfShape { printError("warning: \(warningOfShape)") }
        if areNamed, let warning = warningOfName { printError("warning: \(warning)") }
    }
}
