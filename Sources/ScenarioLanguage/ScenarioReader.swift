internal import Foundation
import InputFiles
import LiveActivityModel

/// Reads scenarios from YAML, and reports all problems at once with their places.
public enum ScenarioReader {
    /// The size above which files are refused unread [bytes].
    public static let largestFile = 1 << 20

    /// Reads a scenario file.
    ///
    /// - Parameters:
    ///   - file: The file's path, also its name in diagnostics.
    ///   - settings: Values that replace or extend those of the file, each as `key.path=value`; later ones win.
    /// - Returns: The scenario, without the contents of its data files.
    /// - Throws: The problems of the file or the settings.
    public static func read(file: String, settings: [String] = []) throws(ScenarioError) -> LoadedScenario {
        try read(bytes: TextFile.bytes(of: file, limit: largestFile), named: file, settings: settings)
    }

    /// Reads a scenario from a text.
    ///
    /// - Parameters:
    ///   - yaml: The text.
    ///   - name: The name of the text in diagnostics; data files are searched beside it.
    ///   - settings: Values that replace or extend those of the text, each as `key.path=value`; later ones win.
    /// - Returns: The scenario, without the contents of its data files.
    /// - Throws: The problems of the text or the settings.
    public static func read(
        yaml: String,
        named name: String,
        settings: [String] = []
    ) throws(ScenarioError) -> LoadedScenario {
        try read(bytes: Data(yaml.utf8), named: name, settings: settings)
    }

    private static func read(bytes: Data, named name: String, settings: [String]) throws(ScenarioError)
        -> LoadedScenario
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
        return try read(root, source, settings, from: 0, errors: errors)
    }

    /// Returns a scenario with further settings, without reading the file again.
    package static func read(_ loaded: LoadedScenario, further settings: [String]) throws(ScenarioError)
        -> LoadedScenario
    {
        var source = loaded.source
        let first = source.settings.count
        source.settings += settings
        return try read(loaded.root, source, settings, from: first, errors: [])
    }

    /// Applies settings, numbered from a first index, and reads the tree.
    private static func read(
        _ root: ScenarioNode,
        _ source: ScenarioSource,
        _ settings: [String],
        from first: Int,
        errors: [SourceError]
    ) throws(ScenarioError) -> LoadedScenario {
        var (root, errors) = (root, errors)
        for (index, text) in settings.enumerated() {
            let index = first + index
            do throws(SourceError) {
                let setting = try Setting(text, index: index)
                guard setting.keys.first != "extends" else {
                    let message = "must be in the file: settings apply after the files that it extends"
                    throw SourceError(place: .setting(index), path: "extends", message: message)
                }
                try setting.apply(to: &root)
            } catch {
                errors.append(error)
            }
        }
        root.markDescription(of: settings)
        return try read(root: root, source: source, errors: errors)
    }

    /// Merges a file with the file that it extends, which may extend another one, and so on.
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
            guard step < mostSteps else { throw refusal("must not chain more than \(mostSteps) files") }
            // Only the caller of the program may name a stream.
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
            source.leftOut.add(entries, of: extended, besides: root)
            root = root.extending(entries, step: step)
            link = tree.extended.map { ($0.name, $0.place.inExtended(step: step)) }
            file = extended
        }
        root.markDescription(ofExtended: source.extendedFiles)
    }

    /// The maximum number of files in a chain of extensions.
    private static let mostSteps = 8

    /// Returns the path of a file named by another one: beside that file, or an example.
    private static func path(of name: String, besides file: String) -> String {
        guard !name.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return name }
        let path = String(file[...slash]) + name
        return ExampleFile.exists(name) && !FileManager.default.fileExists(atPath: path) ? name : path
    }

    /// Returns the problem of a file without any usable content.
    private static func noScenario(_ tree: ScenarioNode) -> String {
        let isPointer = tree.scalar?.hasPrefix("version https://git-lfs") ?? false
        return "must be a scenario, a section of keys and values, got \(tree.excerpt)"
            + (isPointer ? "; it is a Git LFS pointer: run git lfs pull" : "")
    }

    /// Reads a whole tree.
    ///
    /// - Parameters:
    ///   - errors: The problems of the text from which the tree was parsed.
    /// - Throws: The problems of the text or the tree.
    package static func read(
        root: ScenarioNode,
        source: ScenarioSource,
        errors textErrors: [SourceError] = []
    ) throws(ScenarioError) -> LoadedScenario {
        var errors = textErrors
        var reading = Reading()
        var experiment = Section.experiment.read(root.resolvingLocalTimes(), "", &reading)
        if let read = experiment {
            ScenarioRules(read.scenario).check(&reading)
            if reading.errors.isEmpty { experiment?.scenario.readCohorts(of: root, &reading) }
        }
        if let experiment {
            experiment.refuseUnknownResponses(&reading)
            if let factors = experiment.factors {
                let rules = FactorRules(factors: factors, scenario: experiment.scenario)
                rules.check(&reading)
                if factors.vary.contains(where: { $0.path == "clock.starts_at" }), root.hasLocalWindows {
                    reading.refuse(
                        "factors.vary",
                        "must not vary clock.starts_at, because windows have local times: count them from the start of the "
                            + "run, such as @2h..2h30m"
                    )
                }
                if !(errors + reading.errors).isEmpty { rules.checkLevels(over: root, &reading) }
            }
        }
        // The value at a refused anchor or alias was not intended.
        let refused = Set(errors.map(\.place))
        errors += reading.errors.filter { !refused.contains($0.place) }
        guard let experiment, errors.isEmpty else { throw invalid(errors, source) }
        return LoadedScenario(experiment: experiment, root: root, source: source, reading: reading)
    }

    private static func invalid(_ errors: [SourceError], _ source: ScenarioSource) -> ScenarioError {
        let ordered = errors.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
        return .invalid(ordered.map { source.diagnostic($0.element) })
    }
}

extension ScenarioNode {
    /// Marks the description as the file's if settings have changed the scenario, because it may describe values that
    /// no longer hold.
    ///
    /// The mark is part of the scenario, so it appears in the resolved file and in every report, but it does not affect
    /// a run's id.
    fileprivate mutating func markDescription(of settings: [String]) {
        let changes = ChangedDescription.changes(by: settings)
        guard !changes.isEmpty else { return }
        markDescription { text, _ in ChangedDescription.text(text, changes: changes) }
    }

    /// Marks a description that comes from an extended file with the name of that file.
    fileprivate mutating func markDescription(ofExtended files: [String]) {
        markDescription { text, place in
            guard case .extended(let step, _, _) = place else { return nil }
            return ChangedDescription.text(text, of: files[step])
        }
    }

    private mutating func markDescription(_ marked: (String, Place) -> String?) {
        guard case .mapping(var entries) = content,
            let index = entries.firstIndex(where: { $0.key == "description" }), let text = entries[index].value.scalar,
            !text.allSatisfy(\.isWhitespace), let marked = marked(text, entries[index].value.place),
            marked.utf8.count <= 10_000
        else { return }
        entries[index].value.content = .scalar(marked, isPlain: false)
        content = .mapping(entries)
    }
}
