import Testing

@testable import InputFiles

@Suite("Cells of tables")
struct TextCellTests {
    @Test("Each mark for a missing value is one in either case and with blanks", arguments: TextCell.missing.sorted())
    func missing(mark: String) {
        for text in [mark, mark.uppercased(), " \(mark) ", "\t\(mark)"] {
            #expect(TextCell.isMissing(ArraySlice(text.utf8)))
        }
    }

    @Test("Cells with other text are not missing", arguments: ["0", "-1", "no", "nanny", "under", "<a>", "(1)", "\\m"])
    func present(text: String) {
        #expect(!TextCell.isMissing(ArraySlice(text.utf8)))
    }

    @Test("An empty or blank cell is missing", arguments: ["", " ", "\t "])
    func blank(text: String) {
        #expect(TextCell.isMissing(ArraySlice(text.utf8)))
    }
}
