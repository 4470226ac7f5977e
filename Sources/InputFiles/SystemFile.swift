internal import Foundation

/// Reads and writes of a file descriptor that are not cut short by signals or by the system.
public enum SystemFile {
    /// Writes bytes as the system's `write` does; returns their number, or -1 with `errno`.
    public typealias Write = (_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int

    /// Writes all bytes.
    ///
    /// - Parameter write: A function in the place of the system's `write`; nil: the system's.
    /// - Returns: The system's words on the problem, after which a part may be written; nil if all bytes are.
    public static func write(
        _ bytes: UnsafeRawBufferPointer,
        to file: Int32,
        by write: Write? = nil
    ) -> String? {
        var rest = bytes
        while !rest.isEmpty {
            let count = write?(file, rest) ?? Foundation.write(file, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            if count == 0 { errno = ENOSPC }
            guard count > 0 else { return problem }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return nil
    }

    /// Reads from a place of a file until the buffer is full or the file ends.
    ///
    /// - Returns: The number of bytes; nil after a problem, with its number in `errno`.
    public static func read(into bytes: UnsafeMutableRawBufferPointer, from file: Int32, at offset: Int) -> Int? {
        var count = 0
        while count < bytes.count {
            let more = pread(file, bytes.baseAddress.map { $0 + count }, bytes.count - count, off_t(offset + count))
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else { return nil }
            if more == 0 { break }
            count += more
        }
        return count
    }

    /// The system's words on the last problem of this thread.
    public static var problem: String { String(cString: strerror(errno)) }

    /// Returns `true` if two paths lead to one file, also by a link or another spelling; the files need not exist.
    public static func isSame(_ path: String, _ other: String) -> Bool {
        var (one, two) = (stat(), stat())
        if stat(path, &one) == 0, stat(other, &two) == 0 { return one.st_dev == two.st_dev && one.st_ino == two.st_ino }
        return resolved(path) == resolved(other)
    }

    /// The absolute path of a file that need not exist, without links in its directory.
    private static func resolved(_ path: String) -> String {
        let file = URL(fileURLWithPath: path).standardizedFileURL
        return file.deletingLastPathComponent().resolvingSymlinksInPath().appendingPathComponent(file.lastPathComponent)
            .path
    }
}
