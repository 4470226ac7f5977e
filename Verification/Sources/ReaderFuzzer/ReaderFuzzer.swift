import CaseChecks
import Foundation
import ReaderChecks

/// The reader under test, from `FRESHET_FUZZ_READER`: the name of one of them.
private let reader: ReaderCheck.Reader = {
    let name = ProcessInfo.processInfo.environment["FRESHET_FUZZ_READER"] ?? ""
    let readers = ReaderCheck.Reader.all + [.cases]
    guard let reader = readers.first(where: { $0.name == name }) else {
        fatalError("FRESHET_FUZZ_READER must be one of \(readers.map(\.name)), got \"\(name)\"")
    }
    return reader
}()

private let check = ReaderCheck(
    reader,
    scratchFile: FileManager.default.temporaryDirectory
        .appending(path: "freshet-fuzz-\(ProcessInfo.processInfo.processIdentifier)").path()
)

/// The entry point of libFuzzer for each input; a failed check stops it like a crash, and the input is kept.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let complaints = check.complaints(about: Array(UnsafeBufferPointer(start: start, count: count)))
    guard complaints.isEmpty else { fatalError(complaints.joined(separator: "\n")) }
    return 0
}
