public import Foundation
import TestSupport

/// A pseudoterminal, for programs that print more on a terminal.
public final class Terminal {
    /// The program's side, used as one of its streams.
    public let stream: FileHandle
    private let reader: Int32
    private var text = ""

    /// Creates a terminal that has no output yet.
    public init() throws {
        var (ours, theirs): (Int32, Int32) = (-1, -1)
        guard openpty(&ours, &theirs, nil, nil, nil) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        // Programs that other tests start in the meantime must not inherit it.
        _ = fcntl(ours, F_SETFD, FD_CLOEXEC)
        reader = ours
        stream = FileHandle(fileDescriptor: theirs, closeOnDealloc: true)
    }

    deinit {
        close(reader)
    }

    /// Types a line at the keyboard.
    public func type(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(reader, bytes, bytes.count)
    }

    /// Waits until a text appears in the output; false if it never does.
    public func shows(_ awaited: String) -> Bool {
        let deadline = ContinuousClock.now + Patience.limit
        while !text.contains(awaited) {
            guard ContinuousClock.now < deadline else { return false }
            var ready = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, 1000) > 0 else { continue }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(reader, &bytes, bytes.count)
            if count > 0 { text += String(decoding: bytes[..<count], as: UTF8.self) }
        }
        return true
    }
}
