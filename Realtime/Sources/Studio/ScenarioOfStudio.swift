import Evaluation
import Foundation
import InputFiles
import LiveActivityModel
import Results
import ScenarioLanguage
import Studies

/// The scenario that a studio was opened with, as it was at that time.
struct ScenarioOfStudio: Sendable {
    /// The scenario file.
    let file: String
    /// The settings of the command line.
    let settings: [String]
    /// Warnings of the scenario reader, and the parts that the studio leaves out.
    let notes: [String]
    /// The complete scenario, without data files.
    let scenario: Scenario
    /// The response and the limit of each check over the whole run, in the order of the file.
    let goals: [(response: String, limit: String)]
    private let source: ScenarioFile
    /// The data files as they were when the studio was opened, and samplers.
    private let cache = LoadingCache()

    /// Reads a scenario file, or the scenario of a result directory.
    init(path: String, settings: [String]) throws(ScenarioError) {
        var isDirectory: ObjCBool = false
        let isResult = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
        func read(_ file: String) throws(ScenarioError) -> (file: String, source: ScenarioFile) {
            (file, try ScenarioFile(file, settings: settings))
        }
        (file, source) = try isResult ? ScenarioReader.results(in: path, read) : read(path)
        self.settings = settings
        let loaded = source.loaded
        scenario = loaded.scenario
        notes =
            loaded.warnings.map(\.description)
            + (loaded.experiment.factors == nil ? [] : ["The file's factors are ignored: the studio has its own."])
        goals = loaded.experiment.checks.map(\.comparison)
            .filter { $0.response.window == nil && $0.relation != .equal && $0.relation != .unequal }
            .map { ($0.response.text, $0.limit.text) }
        // Errors in the data files are also reported before a page opens.
        _ = try ScenarioLoader.world(loaded, cache: cache)
    }

    /// `true` if the file has been saved with different contents since the studio was opened.
    var hasChanged: Bool { source.hasChanged }

    /// The keys that a page may not set: they identify the file, or the studio chooses their values, or a change would
    /// make the changed world incomparable with its base.
    static let fixed = [
        "cells", "checks", "clock", "description", "extends", "factors", "name", "replications", "seed",
    ]

    /// Loads the file with the settings of a page.
    ///
    /// - Throws: `ScenarioError` for invalid settings. A page may not name files either, whatever settings its address
    ///   carries.
    private func loaded(_ further: [String]) throws(ScenarioError) -> LoadedScenario {
        let paths = further.map { String($0.prefix { $0 != "=" }) }
        let refused = paths.filter { Self.fixed.contains($0.split(separator: ".").first.map(String.init) ?? "") }
            .map { path in
                Diagnostic(
                    file: "--set \(path)",
                    path: path,
                    message: "can only be set when the studio is started: freshet studio \(file) --set \(path)=…"
                )
            }
        guard refused.isEmpty else { throw .invalid(refused) }
        let loaded = try source.loaded(further: further)
        let known = Set(source.loaded.dataFiles.map(\.file))
        let files = loaded.dataFiles.filter { !known.contains($0.file) }
            .map {
                Diagnostic(
                    file: file,
                    path: $0.path,
                    message: "must name a file that the scenario names: a page reads no others"
                )
            }
        guard files.isEmpty else { throw .invalid(files) }
        return loaded
    }

    /// Returns the scenario with further settings.
    ///
    /// Of data files it has only the names.
    func scenario(_ further: [String]) throws(ScenarioError) -> Scenario {
        try loaded(further).scenario
    }

    /// Returns the scenario with further settings and the rides of its trace.
    func scenarioWithRides(_ further: [String]) throws(ScenarioError) -> Scenario {
        try ScenarioLoader.scenario(loaded(further), cache: cache)
    }

    /// Returns the scenario with further settings, ready to run.
    ///
    /// - Parameter adapt: Changes the scenario before it is prepared.
    func world(_ further: [String], adapt: (inout Scenario) -> Void = { _ in }) throws(ScenarioError) -> World {
        var loaded = try loaded(further)
        adapt(&loaded.scenario)
        return try ScenarioLoader.world(loaded, cache: cache)
    }
}
