import Evaluation
import InputFiles
import LiveActivityModel
import ScenarioLanguage

/// The points of a design while they are laid out, and the present settings of its worlds.
struct DesignLayout {
    private let file: LoadedScenario
    private let factors: Factors
    private let replications: Int?
    private let cache: LoadingCache
    /// The points to run, in the order of the design.
    private(set) var points: [DesignPoint] = []
    /// The number of points of the whole design.
    private(set) var size = 0
    /// The present settings that are no design point, one for each world.
    private(set) var presents: [DesignPoint] = []
    /// The index of the present settings for each point, in ``points`` followed by ``presents``; nil if they are not run.
    private(set) var presentOf: [Int?] = []
    /// The first reason why present settings are not run in a world; nil if there is none.
    private(set) var absence: ScenarioError?
    /// The data files of all points, with repetitions.
    private(set) var dataFiles: [DataFileReference] = []
    /// The indices of the checks that some point cannot evaluate.
    private(set) var skippedChecks: Set<Int> = []

    init(_ file: LoadedScenario, _ factors: Factors, replications: Int?, cache: LoadingCache) {
        (self.file, self.factors, self.replications, self.cache) = (file, factors, replications, cache)
    }

    /// Lays out the combinations that meet the conditions of the design.
    ///
    /// - Throws: ``ScenarioError`` with all errors of the design and of its first points that do not make a scenario.
    mutating func addPoints(
        _ combinations: [[FactorLevel]],
        only: [Condition],
        numbers: Set<Int>?,
        notify: (String) -> Void,
        laidOut: (Int) -> Void
    ) throws(ScenarioError) {
        var problems: [Diagnostic] = []
        // An error in one level appears at every point with that level.
        var seen: Set<Diagnostic> = []
        for levels in combinations {
            guard problems.count < 50 else { break }
            do throws(ScenarioError) {
                var isChosen = true
                if !factors.conditions.isEmpty || !only.isEmpty {
                    let values = file.values(factors: factors, levels: levels)
                    guard try file.holds(factors.conditions, at: "factors.where", of: values) else { continue }
                    isChosen = try file.holds(only, at: "--only", of: values)
                }
                let number = size
                size += 1
                guard isChosen, numbers?.contains(number) ?? true else { continue }
                let loaded = try file.scenario(factors: factors, levels: levels)
                points.append(try point(number, levels, loaded, notify))
                if points.count.isMultiple(of: 1000) { laidOut(points.count) }
            } catch {
                guard case .invalid(let found) = error else { throw error }
                problems += found.filter { seen.insert($0).inserted }
            }
        }
        guard problems.isEmpty else {
            throw .invalid(problems + file.mistakes(in: factors).filter { seen.insert($0).inserted })
        }
        guard !points.isEmpty || size == 0 else {
            throw .invalid([Diagnostic(file: "--only", message: "leaves none of the \(size) design points")])
        }
        guard !points.isEmpty else {
            throw file.error(at: "factors", "leave no design point: no combination of levels meets every condition")
        }
        presentOf = [Int?](repeating: nil, count: points.count)
    }

    /// Finds the present settings of each point among the points, or lays them out beside the design.
    ///
    /// Their numbers follow those of the design and count all of its worlds, so that a part of it has the same ones.
    mutating func addPresents(_ settings: PresentSettings, _ combinations: [[FactorLevel]], numbers: Set<Int>?) {
        var worlds: [[String]: Int] = [:]
        for levels in combinations where worlds[settings.world(of: levels)] == nil {
            worlds[settings.world(of: levels)] = size + worlds.count
        }
        let places = Dictionary(points.enumerated().map { ($1.levels.map(\.label), $0) }) { first, _ in first }
        for (index, chosen) in points.enumerated() {
            let levels = settings.levels(inWorldOf: chosen.levels)
            if settings.haveLevels, let place = places[levels.map(\.label)] {
                presentOf[index] = place
            } else if let number = worlds[settings.world(of: chosen.levels)], numbers?.contains(number) ?? true {
                if let known = presents.firstIndex(where: { $0.number == number }) {
                    presentOf[index] = points.count + known
                } else {
                    do throws(ScenarioError) {
                        let loaded = try settings.scenario(of: file, factors, inWorldOf: chosen.levels)
                        let present = try point(number, levels, loaded) { _ in }
                        presentOf[index] = points.count + presents.count
                        presents.append(present)
                    } catch {
                        // Settings that make no scenario in this world, or cannot answer, are not run.
                        absence = absence ?? error
                    }
                }
            }
        }
    }

    /// Returns a point with a scenario that can answer, and notes the files and checks that it concerns.
    private mutating func point(
        _ number: Int,
        _ levels: [FactorLevel],
        _ loaded: LoadedScenario,
        _ notify: (String) -> Void
    ) throws(ScenarioError) -> DesignPoint {
        let scenario = try ScenarioLoader.scenario(loaded, replications: replications, cache: cache, notify: notify)
        skippedChecks.formUnion(try file.requireAnswers(in: scenario))
        dataFiles += loaded.dataFiles
        return DesignPoint(
            number: number,
            levels: levels,
            run: RunID(scenario),
            cells: scenario.cells,
            events: RunEstimate(scenario).events
        )
    }
}
