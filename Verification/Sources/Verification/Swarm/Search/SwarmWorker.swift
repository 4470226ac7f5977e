import Experiments
import Foundation
public import LiveActivityModel

/// A judge of worlds in a separate process, so that a trap or a hang does not end the swarm.
///
/// Each line of standard input requests one world: `seed N`, or `file LIMIT PATH` with the maximum number of events of
/// a cell. The response on standard output is a line `violation TEXT` for each violation, then `done EVENTS`. Each
/// world is written to a file in the worker's directory before it is run, so that it is available if the process ends.
public enum SwarmWorker {
    /// The file of the current world, in the worker's directory.
    static let worldFile = "world.yaml"

    /// Responds until standard input ends.
    ///
    /// - Parameters:
    ///   - directory: An existing directory for the current world.
    ///   - events: The mean number of events of the worlds of seeds; nil for small ones.
    ///   - bases: The scenario files from which every second seed draws a mutant.
    public static func serve(directory: String, events: Int64?, bases: [String]) {
        while let line = readLine() {
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            let verdict: WorldCheck.Verdict
            switch (words.first, words.count) {
            case ("seed", 2):
                verdict = ofSeed(UInt64(words[1]) ?? 0, directory, events, bases)
            case ("file", 3):
                verdict = ofFile(words[2], mostEvents: Int(words[1]) ?? WorldCheck.mostEventsOfSmall)
            default:
                return
            }
            let lines = verdict.violations.map { "violation \($0.replacing("\n", with: "; "))\n" }
            let answer = lines.joined() + "done \(verdict.events)\n"
            // The swarm has ended, so there is nothing left to do.
            guard (try? FileHandle.standardOutput.write(contentsOf: Data(answer.utf8))) != nil else { return }
        }
    }

    private static func ofSeed(
        _ seed: UInt64,
        _ directory: String,
        _ events: Int64?,
        _ bases: [String]
    ) -> WorldCheck.Verdict {
        let file = "\(directory)/\(worldFile)"
        func note(_ world: SwarmWorld) throws { try world.write(to: file) }
        func count(mostEvents: Int) throws -> Int64? {
            try WorldCheck.eventCount(of: ScenarioReader.read(file: file), mostEvents: mostEvents)
        }
        do {
            let (world, mostEvents) =
                if let base = base(of: seed, among: bases) {
                    try SwarmWorld.mutant(
                        of: SwarmWorld(file: base),
                        seed: seed,
                        events: events,
                        note: note,
                        count: count
                    )
                } else {
                    try SwarmWorld.drawn(seed: seed, events: events, note: note, count: count)
                }
            return ofFile(file, of: world.scenario, mostEvents: mostEvents)
        } catch {
            return WorldCheck.Verdict(violations: ["the file of the scenario is rejected: \(error)"], events: 0)
        }
    }

    /// The scenario file from which a seed draws a mutant: the files in rotation for odd seeds; nil for a world of its
    /// own.
    static func base(of seed: UInt64, among bases: [String]) -> String? {
        seed.isMultiple(of: 2) || bases.isEmpty ? nil : bases[Int(seed / 2 % UInt64(bases.count))]
    }

    /// The violations of the world in a file.
    ///
    /// - Parameter scenario: The scenario that the file was written from; nil if unknown.
    public static func ofFile(
        _ file: String,
        of scenario: Scenario? = nil,
        mostEvents: Int
    ) -> WorldCheck.Verdict {
        do {
            let loaded = try ScenarioReader.read(file: file)
            guard scenario == nil || loaded.scenario == scenario else {
                return WorldCheck.Verdict(violations: ["the file of the scenario is that of another one"], events: 0)
            }
            return WorldCheck.verdict(on: loaded, mostEvents: mostEvents)
        } catch {
            return WorldCheck.Verdict(violations: ["the file of the scenario is rejected: \(error)"], events: 0)
        }
    }
}
