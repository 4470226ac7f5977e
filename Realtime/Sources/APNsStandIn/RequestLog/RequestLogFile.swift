import Dispatch
import Foundation
import InputFiles
import NIOConcurrencyHelpers
import Shell

/// The file of a request log: each line is appended by one write, on a separate thread.
///
/// A disk that is full or slower than the requests delays no answer: lines without room are counted and dropped.
final class RequestLogFile: Sendable {
    private struct State {
        /// The bytes that wait to be written.
        var waitingBytes = 0
        var lostLines = 0
        var isBroken = false
    }

    private let path: String
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "request log")
    private let state = NIOLockedValueBox(State())

    /// The maximum number of bytes that wait for the disk.
    private static var mostWaiting: Int { 64 << 20 }

    /// Opens a file; creates it, readable for this user alone, if it is missing.
    init(_ path: String) throws(StandInError) {
        self.path = path
        // A pipe without a reader would block the start forever.
        descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw .unwritable("\(path): \(SystemFile.problem)") }
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let kind = (try? FileManager.default.attributesOfItem(atPath: target))?[.type] as? FileAttributeType
        guard kind == .typeRegular else {
            Foundation.close(descriptor)
            throw .unwritable("\(path): --request-log must be a regular file, got another kind of file")
        }
    }

    deinit { Foundation.close(descriptor) }

    /// The number of lines that were not written.
    var lostLines: Int { state.withLockedValue { $0.lostLines } }

    /// Appends a line, to which its newline is added.
    func append(_ line: String) {
        let bytes = Array(line.utf8) + [UInt8(ascii: "\n")]
        let hasRoom = state.withLockedValue { state in
            guard !state.isBroken, state.waitingBytes + bytes.count <= RequestLogFile.mostWaiting else {
                state.lostLines += 1
                return false
            }
            state.waitingBytes += bytes.count
            return true
        }
        if hasRoom { queue.async { self.write(bytes) } }
    }

    /// Waits until all lines are written.
    func close() async {
        await withCheckedContinuation { done in queue.async { done.resume() } }
    }

    private func write(_ bytes: [UInt8]) {
        let error =
            state.withLockedValue { $0.isBroken } ? nil : bytes.withUnsafeBytes { SystemFile.write($0, to: descriptor) }
        state.withLockedValue { state in
            state.waitingBytes -= bytes.count
            if error != nil || state.isBroken { state.lostLines += 1 }
            if error != nil { state.isBroken = true }
        }
        if let error { printError("\(path): \(error); no further requests are logged there") }
    }
}
