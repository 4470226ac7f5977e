/// One record of a CSV file: its raw bytes, and the positions of its fields.
///
/// Fields are views of the bytes instead of a `String` each: a month of New York's trips has half a billion fields, and
/// a reader needs few of them.
package struct CSVRecord {
    /// The range of a field in the record's bytes, without the quotes around it.
    package struct Field {
        var start: Int
        var end: Int
        /// `true` if quotes within the field are doubled and must be unescaped.
        var hasDoubledQuotes: Bool
    }

    /// The raw bytes of the record, without its line end.
    private(set) var bytes: [UInt8] = []
    /// The fields in file order.
    package private(set) var fields: [Field] = []
    /// The line on which the record begins, from 1.
    package private(set) var line = 1

    /// The bytes of a field, with doubled quotes unchanged.
    ///
    /// For times, numbers and names, which contain no quotes.
    package subscript(index: Int) -> ArraySlice<UInt8> {
        bytes[fields[index].start..<fields[index].end]
    }

    /// Returns a field as text.
    package func text(_ index: Int) -> String {
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

    /// Returns the line and column of an offset into the bytes.
    ///
    /// It is only computed for errors, so that reading does not count columns. Columns count Unicode scalars, like
    /// editors.
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

    /// Returns the line and column where a field begins, at its opening quote if it has one; the record's end if there
    /// is no such field.
    func place(ofField index: Int) -> (line: Int, column: Int) {
        guard fields.indices.contains(index) else { return place(ofOffset: bytes.count) }
        let start = fields[index].start
        let isQuoted = start > 0 && bytes[start - 1] == UInt8(ascii: "\"")
        return place(ofOffset: isQuoted ? start - 1 : start)
    }

    /// Returns the first field that is not UTF-8, if any.
    func firstFieldNotUTF8() -> Int? {
        fields.indices.first { String(validating: self[$0], as: UTF8.self) == nil }
    }

    /// Begins a new record and reuses the memory of the last.
    mutating func begin(line: Int) {
        self.line = line
        fields.removeAll(keepingCapacity: true)
    }

    /// Removes the blanks around the fields of a table drawn with pipes.
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

    package mutating func append(_ field: Field) {
        fields.append(field)
    }

    /// Ends the record and stores its bytes.
    mutating func end(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes.removeAll(keepingCapacity: true)
        self.bytes.append(contentsOf: bytes)
    }
}
