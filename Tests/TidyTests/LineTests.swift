import Testing

/// Lines in files that the formatter skips: the JavaScript modules of pages.
@Suite("Lines")
struct LineTests {
    @Test("No line of a page's module exceeds 120 columns")
    func modules() throws {
        let paths = Repository.files(
            below: [
                "Realtime/Sources/Dashboard", "Realtime/Sources/PageServer", "Realtime/Sources/Studio",
                "Sources/Reporting",
            ],
            endingWith: [".js"]
        )
        for path in paths {
            let text = String(decoding: try Repository.data(of: path), as: UTF8.self)
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                #expect(line.count <= 120, "\(path):\(index + 1) has \(line.count) columns")
            }
        }
    }
}
