/// Finds the fields and the end of one CSV record in chunks of bytes.
///
/// The format is RFC 4180 with both kinds of line ends:
///
///     fieldStart ──text──▶ unquoted ──separator──▶ fieldStart
///         │                    └──CR──▶ carriageReturn ──LF──▶ (end)
///         └──quote──▶ quoted ◀──quote──▶ quoteInQuoted ──separator──▶ fieldStart
///
/// Only ``CSVReader`` calls it. The first error of a record is kept, and scanning continues to the record's end, so that
/// the next records are still found.
struct CSVScanner {
    /// An error in a record, with what is allowed.
    enum Problem: String {
        case quoteInUnquotedField =
            "a field that does not begin with a quote contains one; put the field in quotes and double the quote inside"
        case textAfterClosingQuote =
            "text follows a closing quote; allowed: the separator, the end of the line, or a second quote"
        case carriageReturnAlone = "a carriage return has no line feed after it; end lines with LF or CRLF"
        case nul = "the row contains a NUL byte; the file must be text in UTF-8"
        case quotedFieldNotClosed =
            "the quoted field that begins here is not closed before the end of the file or within 1 MiB"
        case tooLong = "the row is longer than 1 MiB; the rest of the file is not read"
    }

    private enum State {
        case fieldStart
        case unquoted
        case quoted
        case quoteInQuoted
        case carriageReturn
    }

    /// The number of bytes scanned, including the line end.
    private(set) var offset = 0
    /// The number of line feeds among them.
    private(set) var lineFeeds = 0
    /// The length of the line end [bytes].
    private(set) var lineEndLength = 0
    /// `true` if any byte is outside ASCII.
    private(set) var hasNonASCII = false
    /// The first problem and its offset.
    private(set) var problem: (Problem, offset: Int)?

    /// The byte between two fields.
    private let separator: UInt8
    private var state = State.fieldStart
    private var fieldStart = 0
    /// The end of a quoted field, known once its closing quote is found.
    private var quotedEnd: Int?
    private var hasDoubledQuotes = false

    init(separator: UInt8) {
        self.separator = separator
    }

    /// Continues the scan; `true` if the record's end was found.
    mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>, into record: inout CSVRecord) -> Bool {
        var highBits: UInt8 = 0
        defer { if highBits & 0x80 != 0 { hasNonASCII = true } }
        for byte in bytes {
            highBits |= byte
            // All special bytes are at most a comma (44) in ASCII, or the separator, so most bytes end here.
            if byte > UInt8(ascii: ","), byte != separator, state == .unquoted || state == .quoted {
                offset += 1
                continue
            }
            if step(byte, into: &record) { return true }
        }
        return false
    }

    /// Ends the record at the end of the file.
    mutating func endOfFile(into record: inout CSVRecord) {
        if state == .quoted { note(.quotedFieldNotClosed, at: fieldStart - 1) }
        if state == .carriageReturn { note(.carriageReturnAlone, at: offset - 1) }
        endField(at: offset, into: &record)
    }

    /// Aborts the record because it has no end within the limit.
    mutating func giveUp() {
        if state == .quoted {
            note(.quotedFieldNotClosed, at: fieldStart - 1)
        } else {
            note(.tooLong, at: 0)
        }
    }

    private mutating func step(_ byte: UInt8, into record: inout CSVRecord) -> Bool {
        if byte == 0 { note(.nul, at: offset) }
        if state == .carriageReturn && byte != UInt8(ascii: "\n") {
            note(.carriageReturnAlone, at: offset - 1)
            state = .unquoted
        }
        defer { offset += 1 }
        switch (byte, state) {
        case (UInt8(ascii: "\n"), .quoted):
            lineFeeds += 1
        case (UInt8(ascii: "\n"), _):
            lineFeeds += 1
            lineEndLength = state == .carriageReturn ? 2 : 1
            endField(at: offset + 1 - lineEndLength, into: &record)
            return true
        case (UInt8(ascii: "\""), .fieldStart):
            state = .quoted
            fieldStart = offset + 1
        case (UInt8(ascii: "\""), .quoted):
            state = .quoteInQuoted
            quotedEnd = offset
        case (UInt8(ascii: "\""), .quoteInQuoted):
            state = .quoted
            quotedEnd = nil
            hasDoubledQuotes = true
        case (_, .quoted):
            break
        case (separator, _):
            endField(at: offset, into: &record)
        case (UInt8(ascii: "\r"), _):
            state = .carriageReturn
        case (UInt8(ascii: "\""), _):
            note(.quoteInUnquotedField, at: offset)
        case (_, .quoteInQuoted):
            note(.textAfterClosingQuote, at: offset)
            state = .unquoted
        default:
            state = .unquoted
        }
        return false
    }

    private mutating func endField(at end: Int, into record: inout CSVRecord) {
        record.append(CSVRecord.Field(start: fieldStart, end: quotedEnd ?? end, hasDoubledQuotes: hasDoubledQuotes))
        state = .fieldStart
        fieldStart = offset + 1
        quotedEnd = nil
        hasDoubledQuotes = false
    }

    private mutating func note(_ problem: Problem, at offset: Int) {
        if self.problem == nil { self.problem = (problem, offset) }
    }
}
