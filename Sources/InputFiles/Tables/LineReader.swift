/// Reads a file line by line in bounded memory; the lines of NDJSON.
package struct LineReader: ~Copyable {
    /// The longest line [bytes]; the rest of a longer one is skipped.
    static let longest = 1 << 20

    /// The last line, without its end.
    package private(set) var bytes: [UInt8] = []
    /// The number of the last line, from 1.
    package private(set) var line = 0
    /// `true` if the last line was longer than allowed, and its rest was skipped.
    package private(set) var isTooLong = false

    private let source: any ByteSource
    private let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 18)
    private var position = 0
    private var filled = 0

    /// Opens a file.
    package init(path: String) throws(DataFileError) {
        do {
            source = FileBytes(path, try InputFile(path))
        } catch {
            throw DataFileError(error, file: path)
        }
    }

    deinit { buffer.deallocate() }

    /// Finds the next line; `false` at the end of the file.
    package mutating func advance() throws(DataFileError) -> Bool {
        bytes.removeAll(keepingCapacity: true)
        isTooLong = false
        var hasAny = false
        while true {
            if position == filled {
                filled = try source.read(into: buffer)
                position = 0
                if filled == 0 {
                    if hasAny { line += 1 }
                    return hasAny
                }
            }
            hasAny = true
            let rest = UnsafeBufferPointer(rebasing: buffer[position..<filled])
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            let part = rest[..<(end ?? rest.count)]
            if bytes.count + part.count > Self.longest { isTooLong = true }
            if !isTooLong { bytes.append(contentsOf: part) }
            position += part.count
            guard end != nil else { continue }
            position += 1
            line += 1
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            return true
        }
    }

    /// The first bytes of compressed files.
    private static let compressed: [(format: String, start: [UInt8])] = [
        ("gzip", [0x1F, 0x8B]), ("Zstandard", [0x28, 0xB5, 0x2F, 0xFD]), ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A]),
        ("bzip2", [0x42, 0x5A, 0x68, 0x39, 0x31, 0x41]), ("ZIP", [0x50, 0x4B, 0x03, 0x04]),
    ]

    /// Returns `true` if the first byte of a file that is no blank begins a JSON object; a compressed file is refused.
    package static func isJSON(_ path: String) throws(DataFileError) -> Bool {
        guard !InputFile.isOpenStream(path) else { return true }
        let start = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 1)
        defer { start.deallocate() }
        let count: Int
        do throws(InputFile.Refusal) {
            count = try InputFile(path).read(into: start)
        } catch {
            if case .notRegular(let kind) = error {
                throw .unreadable(file: path, reason: "is \(kind), must be a file of rows: NDJSON, CSV or Parquet")
            }
            throw DataFileError(error, file: path)
        }
        if let format = compressed.first(where: { start[..<count].starts(with: $0.start) })?.format {
            throw .unreadable(
                file: path,
                reason:
                    "is compressed with \(format), must be a file of rows: NDJSON, CSV or Parquet; decompress it first"
            )
        }
        let first = start[..<count].first { !" \t\r\n".utf8.contains($0) && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
        return first == UInt8(ascii: "{")
    }
}
