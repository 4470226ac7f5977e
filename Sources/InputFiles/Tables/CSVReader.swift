/// Reads a file of delimited text record by record, in bounded memory.
///
/// The text is UTF-8 with or without byte order mark, with lines ended by LF or CRLF, and quotes as in RFC 4180. Empty
/// lines are skipped. The separator is recognized from the first line unless it is given. ``CSVTable`` handles headers
/// and columns.
package struct CSVReader: ~Copyable {
    /// The longest record [bytes].
    ///
    /// No row written by a person or a tool comes close to it.
    static let longestRecord = 1 << 20

    /// The result of one step.
    package enum Step {
        /// A valid record, now in ``record``.
        case record
        /// A malformed record; reading can continue.
        case malformed(Diagnostic)
        /// The end of the file.
        case end
    }

    /// The file's name for diagnostics.
    package let file: String
    /// The last record found.
    package private(set) var record = CSVRecord()

    private let source: any ByteSource
    /// The bytes read from the source; those in `position..<filled` are not consumed yet.
    private var buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 18)
    private var position = 0
    private var filled = 0
    private var nextLine = 1
    private var isAtStart = true
    private var isFinished = false
    /// The format given by the caller.
    package let format: DelimitedFormat
    /// The byte between two fields; known once the first record is found.
    private(set) var separator = UInt8(ascii: ",")

    /// Creates a reader for the bytes of a source; diagnostics name the file.
    init(file: String, source: any ByteSource, format: DelimitedFormat = .recognized) {
        self.file = file
        self.source = source
        self.format = format
    }

    /// Opens a file, or the data file of an example by that name if there is no such file.
    package init(path: String, format: DelimitedFormat = .recognized) throws(DataFileError) {
        let source: any ByteSource
        do {
            source = FileBytes(path, try InputFile(path))
        } catch {
            guard error == .missing, let example = ExampleFile.bytes(of: path) else {
                throw DataFileError(error, file: path)
            }
            source = MemoryBytes(example)
        }
        self.init(file: path, source: source, format: format)
    }

    deinit {
        buffer.deallocate()
    }

    /// The bytes of a field of the last record, with doubled quotes unchanged; empty if the record has no such field.
    package func field(_ index: Int) -> ArraySlice<UInt8> {
        index < record.fields.count ? record[index] : []
    }

    /// The number of fields of the last record.
    package var fieldCount: Int { record.fields.count }

    /// Finds the next record.
    package mutating func advance() throws(DataFileError) -> Step {
        while true {
            if isAtStart { try begin() }
            if isFinished { return .end }
            guard let scanner = try scanRecord() else { return .end }
            if record.bytes.isEmpty { continue }
            if let (problem, offset) = scanner.problem { return .malformed(diagnostic(problem, offset)) }
            if scanner.hasNonASCII, let field = record.firstFieldNotUTF8() { return .malformed(notUTF8(field)) }
            return .record
        }
    }

    /// Scans one record into ``record``; nil at the end of the file.
    private mutating func scanRecord() throws(DataFileError) -> CSVScanner? {
        var scanner = CSVScanner(separator: separator)
        record.begin(line: nextLine)
        var hasEnded = false
        while !hasEnded {
            if position + scanner.offset == filled {
                guard try fill() else {
                    isFinished = true
                    if scanner.offset == 0 { return nil }
                    scanner.endOfFile(into: &record)
                    break
                }
            }
            let unscanned = UnsafeBufferPointer(rebasing: buffer[(position + scanner.offset)..<filled])
            hasEnded = scanner.scan(unscanned, into: &record)
            if scanner.offset > Self.longestRecord {
                isFinished = true
                scanner.giveUp()
                break
            }
        }
        let end = position + scanner.offset - scanner.lineEndLength
        record.end(bytes: UnsafeBufferPointer(rebasing: buffer[position..<end]))
        if separator == UInt8(ascii: "|") { record.trimFields() }
        position += scanner.offset
        nextLine += scanner.lineFeeds
        return scanner
    }

    /// Reads more bytes into the buffer; `false` at the end of the file.
    private mutating func fill() throws(DataFileError) -> Bool {
        if filled == buffer.count {
            // The rest moves to the front. The buffer doubles if the rest fills half of it. The limit on records bounds
            // the growth.
            let rest = UnsafeBufferPointer(rebasing: buffer[position..<filled])
            let isLarge = rest.count > buffer.count / 2
            let next = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: buffer.count * (isLarge ? 2 : 1))
            _ = next.update(fromContentsOf: rest)
            buffer.deallocate()
            buffer = next
            filled = rest.count
            position = 0
        }
        let count = try source.read(into: UnsafeMutableBufferPointer(rebasing: buffer[filled...]))
        filled += count
        return count > 0
    }

    /// Skips everything before the first record, and recognizes the separator.
    private mutating func begin() throws(DataFileError) {
        isAtStart = false
        while filled < 4, try fill() {}
        let start = buffer[..<min(filled, 4)]
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        if start.elementsEqual("PAR1".utf8) {
            throw .unreadable(file: file, reason: "is a Parquet file, must be CSV; convert it to CSV first")
        }
        let line = try firstLine()
        if let stated = DelimitedFormat.statedSeparator(in: line), buffer[position...].starts(with: line) {
            // The rest of the line is empty and is therefore skipped.
            position += line.count
            separator = format.separator ?? stated
            return
        }
        separator = format.separator ?? DelimitedFormat.recognizedSeparator(in: line)
    }

    /// Returns the first line that is not empty, as far as it is in the first read of the source, without consuming it.
    private mutating func firstLine() throws(DataFileError) -> [UInt8] {
        func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
        while true {
            let rest = buffer[position..<filled].drop(while: isLineEnd)
            let line = rest.prefix { !isLineEnd($0) }
            if line.endIndex < filled { return Array(line) }
            guard filled < buffer.count, try fill() else { return Array(line) }
        }
    }
}

extension CSVReader {
    /// Returns a diagnostic at an offset into the last record.
    private func diagnostic(_ problem: CSVScanner.Problem, _ offset: Int) -> Diagnostic {
        let (line, column) = record.place(ofOffset: offset)
        return Diagnostic(file: file, line: line, column: column, message: problem.rawValue)
    }

    private func notUTF8(_ field: Int) -> Diagnostic {
        let (line, column) = record.place(ofField: field)
        let message = "field \(field + 1) of the row is not UTF-8; save the file as UTF-8"
        return Diagnostic(file: file, line: line, column: column, message: message)
    }
}
