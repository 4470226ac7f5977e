import Foundation
import InputFiles
import LiveActivityModel
public import ScenarioLanguage
import Studies

extension ReaderCheck {
    func complaintsAboutScenario(_ bytes: [UInt8]) -> [String] {
        do throws(ScenarioError) {
            let experiment = try ScenarioReader.read(file: scratchFile).experiment
            return roundTrip(experiment) + complaintsAboutWorld(bytes)
        } catch {
            return complaints(about: error, of: bytes)
        }
    }

    func complaintsAboutSettings(_ bytes: [UInt8]) -> [String] {
        let settings = String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        do throws(ScenarioError) {
            return roundTrip(
                try ScenarioReader.read(yaml: Self.base, named: scratchFile, settings: settings).experiment
            )
        } catch {
            return complaints(about: error, of: Array(Self.base.utf8))
        }
    }

    /// The scenario that settings change: it has a value, a section, a list, a distribution and a key with a dot.
    private static let base = """
        clock: {duration: 2h}
        apns: {latency: {quantiles: {p50: 1s, p99.9: 2s}}}
        rides: {stages: [{name: ride, duration: 10m}, {name: late, duration: {exponential: {mean: 1m}}}]}
        """

    /// Prepares an accepted scenario for a run, which may reveal further errors in data files and distributions.
    private func complaintsAboutWorld(_ bytes: [UInt8]) -> [String] {
        do throws(ScenarioError) {
            _ = try ScenarioLoader.load(file: scratchFile)
            return []
        } catch {
            guard case .invalid(let diagnostics) = error else { return complaints(about: error, of: bytes) }
            // Errors in a data file have their place there.
            let own = diagnostics.filter { $0.file == scratchFile }
            return own.isEmpty && !diagnostics.isEmpty ? [] : complaints(about: own, of: bytes)
        }
    }

    /// Writes a scenario with its checks and reads it again.
    public func roundTrip(_ experiment: Experiment) -> [String] {
        let written = ScenarioWriter.resolvedYAML(experiment)
        do throws(ScenarioError) {
            let read = try ScenarioReader.read(yaml: written, named: "written").experiment
            if read != experiment { return ["written and read again, the scenario is another: \(written)"] }
            if ScenarioWriter.resolvedYAML(read) != written { return ["written twice, the scenario reads differently"] }
            return []
        } catch {
            return ["what is written is refused: \(Self.excerpt("\(error)"))"]
        }
    }
}
