import Foundation
import InputFiles
import TestSupport
import Testing

@Suite("Whole reads and writes of files")
struct SystemFileTests {
    private let scratch = Scratch()

    @Test("Writes in pieces, with signals between them, write each byte once; a read from a place ends with the file")
    func pieces() throws {
        let file = open(scratch.path("a"), O_RDWR | O_CREAT, 0o600)
        defer { close(file) }
        let bytes = (0..<100).map { UInt8($0) }
        var calls = 0
        let problem = bytes.withUnsafeBytes { bytes in
            SystemFile.write(bytes, to: file) { file, rest in
                calls += 1
                guard calls % 2 == 0 else {
                    errno = EINTR
                    return -1
                }
                return write(file, rest.baseAddress, min(7, rest.count))
            }
        }
        #expect(problem == nil && calls == 30)
        var read = [UInt8](repeating: 0, count: 60)
        let count = read.withUnsafeMutableBytes { SystemFile.read(into: $0, from: file, at: 50) }
        #expect(count == 50 && Array(read[..<50]) == Array(bytes[50...]))
    }

    @Test("A disk that takes nothing is full, and a file that is not open is a problem")
    func problems() {
        let full = [UInt8(1)].withUnsafeBytes { SystemFile.write($0, to: -1) { _, _ in 0 } }
        #expect(full == String(cString: strerror(ENOSPC)))
        #expect([UInt8(1)].withUnsafeBytes { SystemFile.write($0, to: -1) } == String(cString: strerror(EBADF)))
        var byte: [UInt8] = [0]
        #expect(byte.withUnsafeMutableBytes { SystemFile.read(into: $0, from: -1, at: 0) } == nil)
    }

    @Test("A link and another spelling lead to the same file, also before it exists")
    func same() throws {
        let file = scratch.path("log")
        #expect(SystemFile.isSame(file, scratch.path("./x/../log")))
        #expect(!SystemFile.isSame(file, "\(file)2"))
        try Data().write(to: URL(fileURLWithPath: file))
        let link = scratch.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        #expect(SystemFile.isSame(link, file))
    }
}
