internal import Foundation
import LiveActivityModel

/// Reads scenarios from YAML: every mistake is found in one go and told with its place.
public enum ScenarioReader {
    /// Larger files are refused unread [bytes].
    public static let largestFile = 1 << 20

    /// Reads a scenario file.
    ///
    /// - Parameters:
    ///   - file: The file's path, also the name that diagnostics give it.
    ///   - settings: Values that replace or add to those of the file, each as `key.path=value`; later ones win.
    /// - Returns: The scenario, its data files still to be loaded.
    /// - Throws: What is wrong with the file or the settings.
    public static func read(file: String, settings: [String] = []) throws(ScenarioError) -> LoadedScenario {
        try template(file: file, settings: settings).base
    }

    /// Reads a scenario from a text.
    ///
    /// - Parameters:
    ///   - yaml: The text.
    ///   - name: The name that diagnostics give the text; data files are looked for beside it.
    ///   - settings: Values that replace or add to those of the text, each as `key.path=value`; later ones win.
    /// - Returns: The scenario, its data files still to be loaded.
    /// - Throws: What is wrong with the text or the settings.
    public static func read(
        yaml: String,
        named name: String,
        settings: [String] = []
    ) throws(ScenarioError) -> LoadedScenario {
        try template(bytes: Data(yaml.utf8), named: name, settings: settings).base
    }

    /// Reads a scenario file that may hold factors, as what the scenarios of its design points are made of.
    ///
    /// - Throws: As ``read(file:settings:)`` does.
    static func template(file: String, settings: [String]) throws(ScenarioError) -> ScenarioTemplate {
        let bytes = try TextFile.bytes(of: file, limit: largestFile)
        return try template(bytes: bytes, named: file, settings: settings)
    }

    private static func template(bytes: Data, named name: String, settings: [String]) throws(ScenarioError)
        -> ScenarioTemplate
    {
        var source = ScenarioSource(file: name, settings: settings)
        var errors: [SourceError] = []
        var root: ScenarioNode?
        do {
            let composed = YAMLText(try TextFile.text(of: bytes)).compose()
            root = composed.root
            errors = composed.errors
        } catch {
            errors.append(error)
        }
        guard var root else { throw invalid(errors, source) }
        if let extended = root.mapping?.first(where: { $0.key == "extends" })?.value.scalar {
            let directory = name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
            source.extendedFile = extended.hasPrefix("/") ? extended : directory + extended
            do throws(ScenarioError) {
                let tree = try TextFile.tree(of: source.extendedFile, limit: largestFile)
                guard let entries = tree.mapping else {
                    errors.append(SourceError(place: tree.place.inExtended, message: noScenario(tree)))
                    throw invalid(errors, source)
                }
                root = root.extending(entries)
                if let second = entries.first(where: { $0.key == "extends" }) {
                    let message = "must be left out of a file that another one extends: one step is allowed"
                    errors.append(SourceError(place: second.keyPlace.inExtended, path: "extends", message: message))
                }
            } catch {
                guard case .invalid = error else {
                    let place = root.mapping?.first { $0.key == "extends" }?.value.place ?? root.place
                    let message = "must name a file that can be read; \(error)"
                    errors.append(SourceError(place: place, path: "extends", message: message))
                    throw invalid(errors, source)
                }
                throw error
            }
        }
        for (index, text) in settings.enumerated() {
            do throws(SourceError) {
                let setting = try Setting(text, index: index)
                guard setting.keys.first != "extends" else {
                    let message = "must stand in the file: settings are laid over what it extends"
                    throw SourceError(place: .setting(index), path: "extends", message: message)
                }
                try setting.apply(to: &root)
            } catch {
                errors.append(error)
            }
        }
        root.markDescription(of: settings)
        let base = try read(root: root, source: source, errors: errors)
        return ScenarioTemplate(base: base, root: root, source: source)
    }

    /// What is wrong with a file of which nothing can be taken over.
    private static func noScenario(_ tree: ScenarioNode) -> String {
        let isPointer = tree.scalar?.hasPrefix("version https://git-lfs") ?? false
        return "must be a scenario, a section of keys and values, got \(tree.excerpt)"
            + (isPointer ? "; it is a pointer of Git LFS: git lfs pull brings the file" : "")
    }

    /// Reads a whole tree.
    ///
    /// - Parameter errors: What is wrong with the text that the tree came from.
    /// - Throws: That, and what is wrong with the tree.
    static func read(root: ScenarioNode, source: ScenarioSource, errors textErrors: [SourceError] = [])
        throws(ScenarioError) -> LoadedScenario
    {
        var errors = textErrors
        var reading = Reading()
        let experiment = Section.experiment.read(root, "", &reading)
        if let experiment {
            ScenarioRules(experiment.scenario).check(&reading)
            experiment.refuseUnknownResponses(&reading)
            if let factors = experiment.factors {
                FactorRules(factors: factors, scenario: experiment.scenario).check(&reading)
            }
        }
        // What stands at a refused anchor or alias is not what was meant.
        let refused = Set(errors.map(\.place))
        errors += reading.errors.filter { !refused.contains($0.place) }
        guard let experiment, errors.isEmpty else { throw invalid(errors, source) }
        return LoadedScenario(experiment: experiment, source: source, reading: reading)
    }

    private static func invalid(_ errors: [SourceError], _ source: ScenarioSource) -> ScenarioError {
        let ordered = errors.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
        return .invalid(ordered.map { source.diagnostic($0.element) })
    }
}

extension ScenarioNode {
    /// Marks the description as that of the file where settings have changed the scenario: it may speak of values that are no
    /// more.
    ///
    /// The mark is part of the scenario, so the resolved file and every report have it, but not of a run's id. Seeds and numbers of replications change
    /// nothing that a description tells, and factors are no part of the scenario.
    fileprivate mutating func markDescription(of settings: [String]) {
        let changes = settings.filter { setting in
            !["seed", "replications", "factors", "checks", "name"].contains(setting.prefix { !"=.".contains($0) })
        }
        guard !changes.isEmpty, !changes.contains(where: { $0.hasPrefix("description=") }),
            case .mapping(var entries) = content,
            let index = entries.firstIndex(where: { $0.key == "description" }), let text = entries[index].value.scalar,
            !text.allSatisfy(\.isWhitespace)
        else { return }
        let marked = ChangedDescription.text(text, changes: changes)
        guard marked.utf8.count <= 10_000 else { return }
        entries[index].value.content = .scalar(marked, isPlain: false)
        content = .mapping(entries)
    }
}
