import Experiments
import Foundation
import LiveActivityModel

/// The scenario that a studio was opened with.
struct ScenarioOfStudio: Sendable {
    /// Its file.
    let file: String
    /// What the command line sets in it.
    let settings: [String]
    /// What the reader of the scenario warns of, and what the studio leaves out.
    let notes: [String]
    /// All of it, without data files.
    let scenario: Scenario

    /// Reads a scenario file, or that of a result directory.
    init(path: String, settings: [String]) throws(ScenarioError) {
        var isDirectory: ObjCBool = false
        let isResult = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
        file = isResult ? path + "/scenario.resolved.yaml" : path
        self.settings = settings
        let loaded = try ScenarioReader.read(file: file, settings: settings)
        scenario = loaded.scenario
        notes =
            loaded.warnings.map(\.description)
            + (loaded.experiment.factors == nil ? [] : ["The file's factors are left out: the studio has its own."])
        // Also what is wrong with its data is said before a page opens.
        _ = try ScenarioLoader.world(loaded, replications: nil)
    }

    /// The scenario with further settings; of data files the names alone.
    func scenario(_ further: [String]) throws(ScenarioError) -> Scenario {
        try ScenarioReader.read(file: file, settings: settings + further).scenario
    }

    /// The scenario with further settings, ready to run.
    ///
    /// - Parameter adapt: Changes it before it is made ready.
    func world(_ further: [String], adapt: (inout Scenario) -> Void = { _ in }) throws(ScenarioError) -> World {
        var loaded = try ScenarioReader.read(file: file, settings: settings + further)
        adapt(&loaded.scenario)
        return try ScenarioLoader.world(loaded)
    }
}
