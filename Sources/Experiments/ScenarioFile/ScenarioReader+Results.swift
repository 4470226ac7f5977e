extension ScenarioReader {
    /// Reads the scenario of results.
    ///
    /// - Throws: As ``results(in:_:)`` does.
    public static func read(resultsIn directory: String) throws(ScenarioError) -> LoadedScenario {
        try results(in: directory) { (file) throws(ScenarioError) in try read(file: file) }
    }

    /// Reads what the scenario of results makes.
    ///
    /// A run writes no key and no value that it does not read. Where one is not known here, or one is missing, another version
    /// has written the file: that is told in one sentence, and not what else does not fit.
    ///
    /// - Parameter read: Reads the file at a path.
    /// - Throws: What is wrong with the file.
    public static func results<Value>(
        in directory: String,
        _ read: (_ file: String) throws(ScenarioError) -> Value
    ) throws(ScenarioError) -> Value {
        let file = "\(directory)/scenario.resolved.yaml"
        do throws(ScenarioError) {
            return try read(file)
        } catch .invalid(let diagnostics) {
            // What a setting says is the user's own.
            guard var first = diagnostics.first, diagnostics.allSatisfy({ $0.file == file }) else {
                throw .invalid(diagnostics)
            }
            let what = first.message.prefix { $0 != ";" }
            first.message = "\(what); \(ResultKind.otherVersion(of: directory))"
            throw .invalid([first])
        }
    }
}
