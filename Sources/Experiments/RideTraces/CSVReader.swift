/// Reads a file of delimited text record by record, in bounded memory, whatever the file holds.
///
/// UTF-8 with or without byte order mark, lines ended by LF or CRLF, quotes as in RFC 4180; empty lines are passed over.
/// The separator is recognized by the first line, unless it is given. Headers and columns are the subject of ``CSVTable``.
struct CSVReader: ~Copyable {
    /// The longest record [bytes]: nothing that a person or a tool writes as one row comes near it.
    static let longestRecord = 1 << 20

    /// What one step found.
    enum Step {
        /// A sound record, now in ``record``.
        case record
        /// A record that breaks the format; reading can go on.
        case malformed(Diagnostic)
        /// The end of the file.
        case end
    }

    /// The file's name for diagnostics.
    let file: String
    /// The record found last.
    private(set) var record = CSVRecord()

    private let source: any ByteSource
    /// What was read from the source: bytes of `position..<filled` are not yet handed out.
    private var buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 18)
    private var position = 0
    private var filled = 0
    private var nextLine = 1
    private var isAtStart = true
    private var isFinished = false
    /// The form that the caller states.
    let format: DelimitedFormat
    /// The byte between two fields; known once the first record was found.
    private(set) var separator = UInt8(ascii: ",")

    /// Reads the bytes of a source; diagnostics name the file.
    init(file: String, source: any ByteSource, format: DelimitedFormat = .recognized) {
        self.file = file
        self.source = source
        self.format = format
    }

    /// Opens a file, or the one that an example has by that name where there is none.
    init(path: String, format: DelimitedFormat = .recognized) throws(DataFileError) {
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

    /// Finds the next record.
    mutating func advance() throws(DataFileError) -> Step {
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

    /// Reads more into the buffer; false at the end of the file.
    private mutating func fill() throws(DataFileError) -> Bool {
        if filled == buffer.count {
            // The rest goes to the front; twice the room is needed when it fills half of it. The limit on records
            // bounds the growth.
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

    /// Passes over what stands before the first record, and recognizes the separator.
    private mutating func begin() throws(DataFileError) {
        isAtStart = false
        while filled < 4, try fill() {}
        let start = buffer[..<min(filled, 4)]
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        if start.elementsEqual("PAR1".utf8) {
            throw .unreadable(file: file, reason: "is a Parquet file, must be CSV; write it out as CSV first")
        }
        let line = try firstLine()
        if let stated = DelimitedFormat.statedSeparator(in: line), buffer[position...].starts(with: line) {
            // The line that is left is empty, and so passed over.
            position += line.count
            separator = format.separator ?? stated
            return
        }
        separator = format.separator ?? DelimitedFormat.recognizedSeparator(in: line)
    }

    /// The first line that is not empty, as far as one reading of the source holds it; it stays to be read.
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
    /// A diagnostic at an offset into the last record.
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
