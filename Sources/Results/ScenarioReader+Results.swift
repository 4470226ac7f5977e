import InputFiles
public import ScenarioLanguage

extension ScenarioReader {
    /// Reads the scenario of results.
    ///
    /// - Throws: The same errors as ``results(in:_:)``.
    public static func read(resultsIn directory: String) throws(ScenarioError) -> LoadedScenario {
        try results(in: directory) { (file) throws(ScenarioError) in try read(file: file) }
    }

    /// Reads an object from the scenario of results.
    ///
    /// A run writes only keys and values that it can read. If one is unknown here, or one is missing, another version
    /// has written the file. This is reported in one sentence, without the other problems.
    ///
    /// - Parameter read: A function that reads the file at a path.
    /// - Throws: The problems of the file.
    public static func results<Value>(
        in directory: String,
        _ read: (_ file: String) throws(ScenarioError) -> Value
    ) throws(ScenarioError) -> Value {
        let file = "\(directory)/scenario.resolved.yaml"
        do throws(ScenarioError) {
            return try read(file)
        } catch .invalid(let diagnostics) {
            // A problem in a setting is the user's own.
            guard var first = diagnostics.first, diagnostics.allSatisfy({ $0.file == file }) else {
                throw .invalid(diagnostics)
            }
            let what = first.message.prefix { $0 != ";" }
            first.message = "\(what); \(Provenance.otherVersion(of: directory))"
            throw .invalid([first])
        }
    }
}
