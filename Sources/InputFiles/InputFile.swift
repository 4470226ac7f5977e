internal import Foundation

/// A regular file opened for reading.
///
/// Every file that a user or another file names is opened here, so that the program never waits for anything else. A
/// named pipe without a writer and a device are refused before they are opened. A pipe that is already open is read if
/// the path is `/dev/stdin` or `/dev/fd/N`, which a shell passes for `<(command)`.
public final class InputFile {
    /// The reason why a file is not read.
    public enum Refusal: Error, Hashable, Sendable {
        case missing
        /// The path leads to something else, in words: `a named pipe`.
        case notRegular(String)
        /// The system refused, with its reason.
        case refused(String)
        /// The file has more bytes than are allowed.
        case tooLarge(limit: Int)
    }

    private let descriptor: Int32
    /// The size at the time of opening [bytes]; 0 for a stream.
    public let size: Int

    /// Returns `true` if a text can name a file; the system would read it only to the first NUL and open another file.
    package static func isName(_ text: String) -> Bool { !text.utf8.contains(0) }

    /// Opens a file.
    public init(_ path: String) throws(Refusal) {
        guard Self.isName(path) else { throw .refused("its name contains a NUL") }
        var status = stat()
        guard stat(path, &status) == 0 else { throw Self.refusal(errno) }
        try Self.check(status, path)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (Self.isOpenStream(path) ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else { throw Self.refusal(errno) }
        let isKnown = fstat(descriptor, &status) == 0
        (self.descriptor, size) = (descriptor, status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : 0)
        // The name may lead to another file by now.
        guard isKnown else { throw .refused("its kind is unknown") }
        try Self.check(status, path)
    }

    deinit { close(descriptor) }

    /// Reads some bytes and returns their number, 0 at the end.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(Refusal) -> Int {
        while true {
            let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw Self.refusal(errno) }
        }
    }

    /// Returns all bytes of a file.
    ///
    /// - Parameter limit: The size above which a file is refused [bytes]; little more than that is ever read.
    public static func bytes(of path: String, limit: Int) throws(Refusal) -> [UInt8] {
        let file = try InputFile(path)
        guard file.size <= limit else { throw .tooLarge(limit: limit) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(file.size)
        let part = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { part.deallocate() }
        while true {
            let count = try file.read(into: part)
            guard count > 0 else { return bytes }
            guard bytes.count + count <= limit else { throw .tooLarge(limit: limit) }
            bytes += part[..<count]
        }
    }

    /// Returns true if the path names a stream that the program was given open.
    public static func isOpenStream(_ path: String) -> Bool {
        path == "/dev/stdin" || path.hasPrefix("/dev/fd/")
    }

    private static func check(_ status: stat, _ path: String) throws(Refusal) {
        let kind: String
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFIFO, S_IFCHR:
            if isOpenStream(path) { return }
            kind = status.st_mode & S_IFMT == S_IFIFO ? "a named pipe" : "a device"
        case S_IFDIR: kind = "a directory"
        case S_IFSOCK: kind = "a socket"
        default: kind = "a device"
        }
        throw .notRegular(kind)
    }

    private static func refusal(_ number: Int32) -> Refusal {
        number == ENOENT || number == ENOTDIR ? .missing : .refused(String(cString: strerror(number)))
    }
}

extension InputFile.Refusal: CustomStringConvertible {
    /// The reason, without the file's name.
    public var description: String {
        switch self {
        case .missing: "there is no such file"
        case .notRegular(let kind): "is \(kind), must be a regular file"
        case .refused(let reason): "cannot be read: \(reason)"
        case .tooLarge(let limit): "the file is too large; allowed: up to \(limit) bytes"
        }
    }
}
