import InputFiles
import TextFormats

/// The rows of one file of an event log, with the cells of its fields: NDJSON, CSV or Parquet.
final class LogRows {
    /// The result of one step.
    enum Step {
        case row
        /// A row that cannot be read, in words.
        case broken(String)
        case end
    }

    let file: String
    private(set) var line = 0
    private let mapping: LogMapping
    private var lines: LineReader?
    private var csv: CSVReader?
    private var json = JSONRow()

    /// A column as it is understood.
    private struct Meaning {
        var field: LogField?
        var rank = Int.max
        var unit: EmpiricalColumn.Unit?
    }

    /// The place of each field in the current row; -1 for none.
    private var places = [Int](repeating: -1, count: LogField.allCases.count)
    private(set) var units = [EmpiricalColumn.Unit?](repeating: nil, count: LogField.allCases.count)
    /// The meanings of the members of JSON by a hash of their names, and of the previous row by place.
    private var meanings: [UInt64: Meaning] = [:]
    /// The fields that any row so far has, or the header of a table.
    private(set) var found: Set<LogField> = []
    private var hasHeader = false
    private var width = 0

    init(file: String, _ mapping: LogMapping, notify: (String) -> Void) throws(DataFileError) {
        self.file = file
        self.mapping = mapping
        if try LineReader.isJSON(file) {
            lines = try LineReader(path: file)
        } else {
            csv = try CSVReader(path: file, columns: nil, notify: notify)
        }
    }

    /// The fields that the header of a table has.
    var knownFields: Set<LogField>? {
        guard csv != nil, hasHeader else { return nil }
        return found.union(mapping.constants.keys)
    }

    /// The names of a table's columns, or of the members of JSON.
    private(set) var header: [String] = []

    /// Finds the next row.
    func advance() throws(DataFileError) -> Step {
        if csv != nil { return try advanceTable() }
        while try lines?.advance() ?? false {
            line = lines?.line ?? 0
            guard let bytes = lines?.bytes, bytes.contains(where: { $0 != 0x20 }) else { continue }
            if lines?.isTooLong ?? false { return .broken("is longer than 1 MiB") }
            guard json.read(bytes) else { return .broken("is not a JSON object") }
            locate()
            return .row
        }
        return .end
    }

    private func advanceTable() throws(DataFileError) -> Step {
        while true {
            switch try csv?.advance() {
            case .malformed(let diagnostic):
                line = diagnostic.line
                return .broken(diagnostic.message)
            case .record:
                line = csv?.record.line ?? 0
                guard hasHeader else {
                    readHeader()
                    continue
                }
                guard csv?.fieldCount == width else {
                    return .broken("has \(csv?.fieldCount ?? 0) fields, must have \(width) like the header")
                }
                return .row
            case .end, nil: return .end
            }
        }
    }

    private func readHeader() {
        hasHeader = true
        width = csv?.record.fields.count ?? 0
        header = (0..<width).map { csv?.record.text($0) ?? "" }
        var ranks = [Int](repeating: .max, count: LogField.allCases.count)
        for (index, name) in header.enumerated() {
            let meaning = meaning(of: name)
            guard let field = meaning.field, meaning.rank < ranks[field.index] else { continue }
            ranks[field.index] = meaning.rank
            places[field.index] = index
            units[field.index] = meaning.unit
            found.insert(field)
        }
    }

    /// Returns the field that a column has, by the mapping or by its name.
    private func meaning(of name: String) -> Meaning {
        let column = ColumnName(name.utf8.count <= 64 ? name : "")
        for field in LogField.allCases {
            guard let stated = mapping.columns[field] else { continue }
            for (rank, wanted) in stated.names.enumerated()
            where wanted == name || !column.key.isEmpty && ColumnName(wanted).key == column.key {
                return Meaning(field: field, rank: rank, unit: stated.unit ?? column.unit)
            }
        }
        var best = Meaning()
        for field in LogField.allCases where mapping.columns[field] == nil {
            for (rank, usual) in field.names.enumerated() where rank + 1 < best.rank {
                guard let unit = column.isExactly(usual) ?? column.isWithUnit(usual) else { continue }
                best = Meaning(field: field, rank: rank + 1, unit: unit)
            }
        }
        return best
    }

    /// Finds the fields among the members of a JSON row.
    private func locate() {
        for index in places.indices { places[index] = -1 }
        for (index, member) in json.members.enumerated() {
            let name = json.names[member.name]
            let hash = PlainBytes.hash(name)
            let meaning: Meaning
            if let known = meanings[hash] {
                meaning = known
            } else {
                let text = String(decoding: name, as: UTF8.self)
                meaning = self.meaning(of: text)
                if let field = meaning.field { found.insert(field) }
                // A hostile file may have other names in each row.
                if meanings.count < 10_000 {
                    meanings[hash] = meaning
                    header.append(text)
                }
            }
            guard let field = meaning.field, !member.value.isEmpty else { continue }
            if places[field.index] >= 0 {
                let other = json.members[places[field.index]]
                guard meaning.rank < meanings[PlainBytes.hash(json.names[other.name])]?.rank ?? 0 else { continue }
            }
            places[field.index] = index
            units[field.index] = meaning.unit
        }
    }

    /// Returns the bytes of a field; nil if the row has no value for it.
    func cell(_ field: LogField) -> ArraySlice<UInt8>? {
        let place = places[field.index]
        guard place >= 0 else { return mapping.constants[field].map { Array($0.utf8)[...] } }
        if let field = csv?.field(place) {
            guard !field.isEmpty else { return nil }
            let cell = TextCell.trimmed(field)
            return TextCell.isMissing(cell) ? nil : cell
        }
        let member = json.members[place]
        guard let bytes = lines?.bytes[member.value] else { return nil }
        return member.hasEscapes ? JSONRow.unescaped(bytes)[...] : bytes
    }
}

extension LogField {
    /// The place of the field among all fields.
    var index: Int {
        switch self {
        case .at: 0
        case .event: 1
        case .ride: 2
        case .push: 3
        case .kind: 4
        case .priority: 5
        case .attempt: 6
        case .stage: 7
        case .generated: 8
        case .stale: 9
        case .status: 10
        case .reason: 11
        case .latency: 12
        case .outcome: 13
        case .payload: 14
        }
    }
}
