import Experiments
import Foundation
import LiveActivityModel

/// The scenario that a studio was opened with, as it was then.
struct ScenarioOfStudio: Sendable {
    /// Its file.
    let file: String
    /// What the command line sets in it.
    let settings: [String]
    /// What the reader of the scenario warns of, and what the studio leaves out.
    let notes: [String]
    /// All of it, without data files.
    let scenario: Scenario
    private let source: ScenarioFile

    /// Reads a scenario file, or that of a result directory.
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
            + (loaded.experiment.factors == nil ? [] : ["The file's factors are left out: the studio has its own."])
        // Also what is wrong with its data is said before a page opens.
        _ = try ScenarioLoader.world(loaded, replications: nil)
    }

    /// Whether the file has been saved with other contents since the studio was opened.
    var hasChanged: Bool { source.hasChanged }

    /// What a page may not set: what a file is, what the studio chooses by itself, and what would make a changed world one
    /// that cannot be held against its base.
    static let fixed = [
        "cells", "checks", "clock", "description", "extends", "factors", "name", "replications", "seed",
    ]

    /// The file with settings of a page.
    ///
    /// - Throws: What is wrong with them. A page may not name files either: whatever address with settings it was opened by.
    private func loaded(_ further: [String]) throws(ScenarioError) -> LoadedScenario {
        let paths = further.map { String($0.prefix { $0 != "=" }) }
        let refused = paths.filter { Self.fixed.contains($0.split(separator: ".").first.map(String.init) ?? "") }
            .map { path in
                Diagnostic(
                    file: "--set \(path)",
                    path: path,
                    message: "is set where the studio is started: freshet studio \(file) --set \(path)=…"
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

    /// The scenario with further settings; of data files the names alone.
    func scenario(_ further: [String]) throws(ScenarioError) -> Scenario {
        try loaded(further).scenario
    }

    /// The scenario with further settings, ready to run.
    ///
    /// - Parameter adapt: Changes it before it is made ready.
    func world(_ further: [String], adapt: (inout Scenario) -> Void = { _ in }) throws(ScenarioError) -> World {
        var loaded = try loaded(further)
        adapt(&loaded.scenario)
        return try ScenarioLoader.world(loaded)
    }
}
