import LiveActivityModel
import TextFormats

/// The present settings of a file with factors: each factor that can be chosen has the value of the file.
///
/// A factor of the world, such as the length of an outage, keeps the level of a design point. So the difference of that
/// point to the present settings is the effect of the choices alone.
package struct PresentSettings: Sendable {
    /// The factors of the world, by index.
    private let world: [Int]
    /// The value of the file for each factor, as a level: the design's own one if it has such a level.
    private let levels: [FactorLevel]
    /// `true` for each factor that has a level with the value of the file.
    private let haveLevel: [Bool]

    /// Finds the settings of a file.
    ///
    /// They are nil if nothing can be chosen, if levels are drawn for a sensitivity study, or if each point of a random
    /// design has a world of its own.
    package init?(_ file: LoadedScenario, _ factors: Factors) {
        let choices = factors.choices
        let world = factors.vary.indices.filter { !choices.contains($0) }
        guard world.count < factors.vary.count, factors.design != .saltelli,
            factors.design == .grid || world.isEmpty
        else { return nil }
        self.world = world
        let values = PointValues(file.scenario)
        let known = factors.vary.map { factor in
            factors.design == .grid ? factor.gridLevels.first { file.hasPresentValue($0, of: factor) } : nil
        }
        haveLevel = known.map { $0 != nil }
        levels = zip(factors.vary, known)
            .map { factor, level in
                if let level { return level }
                let value = (try? values.texts(factor.path))?.first ?? ""
                return FactorLevel(
                    label: (1...Self.longestLabel).contains(value.count) ? value : Self.unnamed,
                    value: value,
                    origin: factor.origin
                )
            }
    }

    /// `true` if each factor that can be chosen has a level with the value of the file.
    package var haveLevels: Bool { haveLevel.indices.allSatisfy { haveLevel[$0] || world.contains($0) } }

    /// Returns `true` if the levels of a point are the values of the file, also for factors of the world.
    package func arePresent(_ point: [FactorLevel]) -> Bool {
        levels.indices.allSatisfy { haveLevel[$0] && point[$0].label == levels[$0].label }
    }

    /// The label of a value that is too long for a table; no level of a file can have it.
    fileprivate static let unnamed = "(today)"
    /// The longest value that is its own label.
    private static let longestLabel = 48

    /// `true` if the design has factors of the world.
    package var haveWorlds: Bool { !world.isEmpty }

    /// Returns the labels of the world of a design point; points with equal ones share their present settings.
    package func world(of levels: [FactorLevel]) -> [String] { world.map { levels[$0].label } }

    /// Returns the present settings in the world of a design point, with a level for each factor.
    package func levels(inWorldOf point: [FactorLevel]) -> [FactorLevel] {
        levels.indices.map { world.contains($0) ? point[$0] : levels[$0] }
    }

    /// Returns the scenario of the present settings in the world of a design point.
    package func scenario(
        of file: LoadedScenario,
        _ factors: Factors,
        inWorldOf point: [FactorLevel]
    ) throws(ScenarioError) -> LoadedScenario {
        var factors = factors
        factors.vary = world.map { factors.vary[$0] }
        return try file.scenario(factors: factors, levels: world.map { point[$0] })
    }
}

extension FactorLevel {
    /// The label, or the value itself if it was too long for one.
    package var words: String { label == PresentSettings.unnamed ? OneLine.excerpt(value, longest: 200) : label }
}

extension LoadedScenario {
    /// Returns `true` if a level of a factor is the value of the file.
    fileprivate func hasPresentValue(_ level: FactorLevel, of factor: Factor) -> Bool {
        var factors = Factors()
        factors.vary = [factor]
        guard var other = (try? scenario(factors: factors, levels: [level]))?.scenario else { return false }
        // Settings change the description.
        other.description = scenario.description
        return other == scenario
    }
}
