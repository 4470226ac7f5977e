/// One record of a CSV file: its bytes as they stand in the file and where its fields lie in them.
///
/// Fields are views of the bytes, without a `String` each: a month of New York's trips has half a billion fields, and a
/// reader looks at few of them.
struct CSVRecord {
    /// A field's place within the record's bytes, without the quotes around it.
    struct Field {
        var start: Int
        var end: Int
        /// Whether quotes within the field are doubled and must be undone.
        var hasDoubledQuotes: Bool
    }

    /// The record as it stands in the file, without its line end.
    private(set) var bytes: [UInt8] = []
    /// The fields in file order.
    private(set) var fields: [Field] = []
    /// The line on which the record begins, from 1.
    private(set) var line = 1

    /// The bytes of a field; doubled quotes are left doubled.
    ///
    /// For times, numbers and names, which have no quotes in them.
    subscript(index: Int) -> ArraySlice<UInt8> {
        bytes[fields[index].start..<fields[index].end]
    }

    /// A field as text.
    func text(_ index: Int) -> String {
        let text = String(decoding: self[index], as: UTF8.self)
        guard fields[index].hasDoubledQuotes else { return text }
        var undoubled = ""
        var isSecondOfPair = false
        for character in text.unicodeScalars {
            isSecondOfPair = character == "\"" && !isSecondOfPair
            if character != "\"" || isSecondOfPair { undoubled.unicodeScalars.append(character) }
        }
        return undoubled
    }

    /// Where an offset into the bytes lies in the file.
    ///
    /// Computed only for problems, so that reading counts no columns. Columns count Unicode scalars, as editors do.
    func place(ofOffset offset: Int) -> (line: Int, column: Int) {
        var place = (line: line, column: 1)
        for byte in bytes[..<min(offset, bytes.count)] {
            if byte == UInt8(ascii: "\n") {
                place = (place.line + 1, 1)
            } else if byte & 0b1100_0000 != 0b1000_0000 {
                place.column += 1
            }
        }
        return place
    }

    /// Where a field begins in the file, at its opening quote if it has one; the record's end if there is no such field.
    func place(ofField index: Int) -> (line: Int, column: Int) {
        guard fields.indices.contains(index) else { return place(ofOffset: bytes.count) }
        let start = fields[index].start
        let isQuoted = start > 0 && bytes[start - 1] == UInt8(ascii: "\"")
        return place(ofOffset: isQuoted ? start - 1 : start)
    }

    /// The first field that is not UTF-8, if any.
    func firstFieldNotUTF8() -> Int? {
        fields.indices.first { String(validating: self[$0], as: UTF8.self) == nil }
    }

    /// Begins a new record, keeping the memory of the last.
    mutating func begin(line: Int) {
        self.line = line
        fields.removeAll(keepingCapacity: true)
    }

    /// Drops the blanks around the fields of a table that is drawn with pipes.
    mutating func trimFields() {
        for index in fields.indices {
            let field = fields[index]
            let isQuoted = field.start > 0 && bytes[field.start - 1] == UInt8(ascii: "\"")
            guard !isQuoted, field.start < field.end else { continue }
            let trimmed = TextCell.trimmed(bytes[field.start..<field.end])
            fields[index].start = trimmed.startIndex
            fields[index].end = trimmed.endIndex
        }
    }

    mutating func append(_ field: Field) {
        fields.append(field)
    }

    /// Ends the record with its bytes.
    mutating func end(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes.removeAll(keepingCapacity: true)
        self.bytes.append(contentsOf: bytes)
    }
}
