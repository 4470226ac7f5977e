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
        try layOverExtended(&root, &source, errors)
        return try template(root, source, settings, from: 0, errors: errors)
    }

    /// The same file with further settings, without reading it again.
    static func template(_ template: ScenarioTemplate, further settings: [String]) throws(ScenarioError)
        -> ScenarioTemplate
    {
        var source = template.source
        let first = source.settings.count
        source.settings += settings
        return try self.template(template.root, source, settings, from: first, errors: [])
    }

    /// Applies settings, the first of which has a number among all, and reads the tree.
    private static func template(
        _ root: ScenarioNode,
        _ source: ScenarioSource,
        _ settings: [String],
        from first: Int,
        errors: [SourceError]
    ) throws(ScenarioError) -> ScenarioTemplate {
        var (root, errors) = (root, errors)
        for (index, text) in settings.enumerated() {
            let index = first + index
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

    /// Lays a file over the one that it extends, that one over the next, and so on.
    private static func layOverExtended(
        _ root: inout ScenarioNode,
        _ source: inout ScenarioSource,
        _ errors: [SourceError]
    ) throws(ScenarioError) {
        var (link, file) = (root.extended, source.file)
        while let (name, place) = link {
            let step = source.extendedFiles.count
            func refusal(_ message: String) -> ScenarioError {
                invalid(errors + [SourceError(place: place, path: "extends", message: message)], source)
            }
            let extended = path(of: name, besides: file)
            guard extended != source.file, !source.extendedFiles.contains(extended) else {
                throw refusal("must not lead back to \(extended)")
            }
            guard step < mostSteps else { throw refusal("must end: \(mostSteps) steps are allowed") }
            // A stream is for who calls the program to name.
            guard !InputFile.isOpenStream(extended) else { throw refusal("must name a file, got \(extended)") }
            let tree: ScenarioNode
            do throws(ScenarioError) {
                tree = try TextFile.tree(of: extended, limit: largestFile)
            } catch {
                guard case .invalid = error else { throw refusal("must name a file that can be read; \(error)") }
                throw error
            }
            source.extendedFiles.append(extended)
            guard let entries = tree.mapping else {
                let place = tree.place.inExtended(step: step)
                throw invalid(errors + [SourceError(place: place, message: noScenario(tree))], source)
            }
            root = root.extending(entries, step: step)
            link = tree.extended.map { ($0.name, $0.place.inExtended(step: step)) }
            file = extended
        }
    }

    /// Through how many files one may extend.
    private static let mostSteps = 8

    /// The path of a file that another one names: beside that one, or an example.
    private static func path(of name: String, besides file: String) -> String {
        guard !name.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return name }
        let path = String(file[...slash]) + name
        return ExampleFile.exists(name) && !FileManager.default.fileExists(atPath: path) ? name : path
    }

    /// What is wrong with a file of which nothing can be taken over.
    private static func noScenario(_ tree: ScenarioNode) -> String {
        let isPointer = tree.scalar?.hasPrefix("version https://git-lfs") ?? false
        return "must be a scenario, a section of keys and values, got \(tree.excerpt)"
            + (isPointer ? "; it is a pointer of Git LFS: git lfs pull brings the file" : "")
    }

    /// Reads a whole tree.
    ///
    /// - Parameters:
    ///   - errors: What is wrong with the text that the tree came from.
    ///   - memory: What is known of the tree already.
    /// - Throws: What is wrong with the text or the tree.
    static func read(
        root: ScenarioNode,
        source: ScenarioSource,
        errors textErrors: [SourceError] = [],
        remembering memory: ReadingMemory? = nil
    ) throws(ScenarioError) -> LoadedScenario {
        var errors = textErrors
        var reading = Reading(remembering: memory)
        let experiment = Section.experiment.read(root, "", &reading)
        if let experiment {
            ScenarioRules(experiment.scenario).check(&reading)
            experiment.refuseUnknownResponses(&reading)
            if let factors = experiment.factors {
                let rules = FactorRules(factors: factors, scenario: experiment.scenario)
                rules.check(&reading)
                if !(errors + reading.errors).isEmpty { rules.checkLevels(over: root, &reading) }
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
