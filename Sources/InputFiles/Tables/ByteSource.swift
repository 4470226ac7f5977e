/// A source of the bytes of a file.
protocol ByteSource: AnyObject {
    /// Reads some bytes and returns their number; 0 at the end.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(DataFileError) -> Int
}

/// The bytes of an open file; errors name the file.
final class FileBytes: ByteSource {
    private let name: String
    private let file: InputFile

    init(_ name: String, _ file: InputFile) {
        self.name = name
        self.file = file
    }

    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(DataFileError) -> Int {
        do {
            return try file.read(into: UnsafeMutableRawBufferPointer(buffer))
        } catch {
            throw DataFileError(error, file: name)
        }
    }
}

/// Bytes that are in memory.
final class MemoryBytes: ByteSource {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: some Sequence<UInt8>) {
        rest = Array(bytes)[...]
    }

    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let (_, end) = buffer.update(from: rest)
        rest = rest.dropFirst(end)
        return end
    }
}
