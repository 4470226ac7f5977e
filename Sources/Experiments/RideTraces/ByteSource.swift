import Foundation

/// Where the bytes of a file come from.
protocol ByteSource: AnyObject {
    /// Reads some of them: how many came; 0 at the end.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(DataFileError) -> Int
}

/// The bytes of a stream that was opened; it is closed with this object.
final class StreamBytes: ByteSource {
    private let file: String
    private let stream: InputStream

    /// The bytes of an open stream, of which errors name the file.
    init(file: String, stream: InputStream) {
        self.file = file
        self.stream = stream
    }

    deinit { stream.close() }

    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(DataFileError) -> Int {
        let count = buffer.baseAddress.map { stream.read($0, maxLength: buffer.count) } ?? 0
        if count < 0 { throw Self.error(file, stream) }
        return count
    }

    /// Why a stream cannot be read.
    static func error(_ file: String, _ stream: InputStream) -> DataFileError {
        .unreadable(
            file: file,
            reason: "cannot be read: \(stream.streamError?.localizedDescription ?? "unknown error")"
        )
    }
}
