import InputFiles
import LiveActivityModel
public import ScenarioLanguage
import TextFormats

/// How the columns and words of another program's log become those of an event log.
///
/// ```yaml
/// columns: {at: {column: ts, unit: ms}, ride: order_id, push: [apns_id, request]}
/// constants: {event: push}
/// time_zone: Europe/Berlin
/// events: {apns_request: push, heartbeat: ignore}
/// statuses: {OK: 200, timeout: 0}
/// reasons: {TOKEN_GONE: Unregistered}
/// kinds: {refresh: update}
/// stages: {en_route: accepted}
/// outcomes: {driver_cancel: cancelled}
/// ```
public struct LogMapping: Sendable {
    /// The column of a field.
    struct Column: Sendable {
        /// Its name in the file, or its names in several files; empty to ignore the field.
        var names: [String] = []
        /// The unit of its numbers; nil to take it from the name.
        var unit: EmpiricalColumn.Unit?
        /// The place in the mapping's file.
        var place: Place?
    }

    /// The mapping's file.
    private(set) var file = ""

    /// The columns that have other names than the usual ones.
    var columns: [LogField: Column] = [:]
    /// The values of fields that have no column.
    var constants: [LogField: String] = [:]
    /// The zone of times without an offset, and of the times of day in results; nil if it is unknown.
    var clock: ZonedClock?
    /// Words for events, in lower case; nil inside for events to ignore.
    var events: [String: LogEvent.Kind?] = [:]
    var kinds: [String: StoryLine.PushKind] = [:]
    var statuses: [String: Int] = [:]
    var reasons: [String: String] = [:]
    var stages: [String: String] = [:]
    var outcomes: [String: Bool] = [:]

    /// A log with the usual names.
    public init() {}

    /// Reads a mapping file.
    ///
    /// - Throws: All problems of the file.
    public init(file: String) throws(ScenarioError) {
        let root = try TextFile.tree(of: file, limit: 1 << 20)
        var reader = Reader(file: file)
        reader.read(root, into: &self)
        guard reader.problems.isEmpty else { throw .invalid(reader.problems) }
        self.file = file
    }

    private struct Reader {
        let file: String
        var problems: [Diagnostic] = []

        mutating func refuse(_ node: ScenarioNode, _ message: String) { refuse(node.place, message) }

        mutating func refuse(_ place: Place, _ message: String) {
            problems.append(Diagnostic(file: file, place: place, message: message))
        }

        mutating func read(_ root: ScenarioNode, into mapping: inout LogMapping) {
            guard let entries = root.mapping else {
                refuse(root, "the file must have sections such as columns; got \(root.excerpt)")
                return
            }
            for entry in entries {
                switch entry.key {
                case "columns": columns(entry.value, into: &mapping)
                case "constants":
                    for (field, node) in fields(entry.value) {
                        if let text = node.scalar {
                            mapping.constants[field] = text
                        } else {
                            refuse(node, "constants.\(field.rawValue) must be a text, got \(node.excerpt)")
                        }
                    }
                case "time_zone":
                    mapping.clock = entry.value.scalar.flatMap(ZonedClock.named)
                    if mapping.clock == nil {
                        refuse(
                            entry.value,
                            "time_zone must be a time zone of the IANA database, such as Europe/Berlin, or UTC; got "
                                + entry.value.excerpt
                        )
                    }
                case "events":
                    let known = Dictionary(uniqueKeysWithValues: LogEvent.Kind.allCases.map { ($0.word, $0) })
                    words(entry, known.keys.sorted() + ["ignore"]) { mapping.events[$0] = .some(known[$1]) }
                case "kinds":
                    let known = Dictionary(uniqueKeysWithValues: StoryLine.PushKind.allCases.map { ($0.word, $0) })
                    words(entry, known.keys.sorted()) { mapping.kinds[$0] = known[$1] }
                case "outcomes":
                    words(entry, ["cancelled", "completed"]) { mapping.outcomes[$0] = $1 == "cancelled" }
                case "reasons": words(entry, nil) { mapping.reasons[$0] = $1 }
                case "stages": words(entry, nil) { mapping.stages[$0] = $1 }
                case "statuses":
                    var wrong: [String] = []
                    words(entry, nil) { word, text in
                        let status = Int(text) ?? (text == "none" ? 0 : -1)
                        if status == 0 || (100...599).contains(status) {
                            mapping.statuses[word] = status
                        } else {
                            wrong.append(text)
                        }
                    }
                    for text in wrong {
                        refuse(
                            entry.value,
                            "statuses must map to 100 … 599, or to 0 for no answer; got \"\(OneLine.excerpt(text))\""
                        )
                    }
                default:
                    let known = [
                        "columns", "constants", "events", "kinds", "outcomes", "reasons", "stages", "statuses",
                        "time_zone",
                    ]
                    let key = OneLine.excerpt(entry.key)
                    refuse(
                        entry.keyPlace,
                        "\(key) is not a section; \(Suggestion.advice(for: entry.key, among: known))"
                    )
                }
            }
        }

        private mutating func fields(_ node: ScenarioNode) -> [(LogField, ScenarioNode)] {
            guard let entries = node.mapping else {
                refuse(node, "must be a section of fields, got \(node.excerpt)")
                return []
            }
            return entries.compactMap { entry in
                if let field = LogField(named: entry.key) { return (field, entry.value) }
                let advice = Suggestion.advice(for: entry.key, among: LogField.allCases.map(\.rawValue))
                refuse(entry.keyPlace, "\(OneLine.excerpt(entry.key)) is not a field of an event log; \(advice)")
                return nil
            }
        }

        private mutating func columns(_ node: ScenarioNode, into mapping: inout LogMapping) {
            var owners: [String: LogField] = [:]
            for (field, node) in fields(node) {
                let path = "columns.\(field.rawValue)"
                defer {
                    for name in mapping.columns[field]?.names ?? [] {
                        if let owner = owners.updateValue(field, forKey: name), owner != field {
                            refuse(
                                node,
                                "\(path) names \"\(OneLine.excerpt(name))\", which is the column of columns.\(owner.rawValue); a column is one field"
                            )
                        }
                    }
                }
                if node.plainText == "off" {
                    mapping.columns[field] = Column()
                } else if let names = names(node) {
                    mapping.columns[field] = Column(names: names, place: node.place)
                } else if let entries = node.mapping {
                    var column = Column(place: node.place)
                    for entry in entries {
                        switch (entry.key, names(entry.value), entry.value.scalar) {
                        case ("column", let names?, _): column.names = names
                        case ("unit", _, let text?):
                            column.unit = ColumnName.unit(named: text)
                            if column.unit == nil {
                                refuse(
                                    entry.value,
                                    "\(path).unit must be ns, us, ms, s, min, h or d, got \(entry.value.excerpt)"
                                )
                            }
                        default:
                            refuse(
                                entry.keyPlace,
                                "\(path) has only column and unit, got \(OneLine.excerpt(entry.key))"
                            )
                        }
                    }
                    if column.names.isEmpty { refuse(node, "\(path) must have a column") }
                    mapping.columns[field] = column
                } else {
                    refuse(
                        node,
                        "\(path) must be the name of a column, a list of names, or {column: NAME, unit: UNIT}; got \(node.excerpt)"
                    )
                }
            }
        }

        /// Returns the names in a text or a list of texts.
        private func names(_ node: ScenarioNode) -> [String]? {
            if let name = node.scalar { return [name] }
            guard let list = node.list, !list.isEmpty else { return nil }
            let names = list.compactMap(\.scalar)
            return names.count == list.count ? names : nil
        }

        private mutating func words(
            _ section: ScenarioNode.Entry,
            _ allowed: [String]?,
            _ take: (String, String) -> Void
        ) {
            guard let entries = section.value.mapping else {
                refuse(section.value, "\(section.key) must map words of the log, got \(section.value.excerpt)")
                return
            }
            for entry in entries {
                guard let text = entry.value.scalar, allowed?.contains(text) ?? true else {
                    let list = allowed.map { "; allowed: \($0.joined(separator: ", "))" } ?? ""
                    refuse(
                        entry.value,
                        "\(section.key).\(OneLine.excerpt(entry.key)) must be a word, got \(entry.value.excerpt)\(list)"
                    )
                    continue
                }
                take(entry.key.lowercased(), text)
            }
        }
    }
}
