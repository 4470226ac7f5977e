import Testing

@testable import Reporting

struct TextTableTests {
    private let table = TextTable(["what", "n:"], rows: [["a | b", "1,000"], ["–", "1"]])

    @Test
    func markdown() {
        #expect(
            table.markdown == """
                | what   |     n |
                | ------ | ----: |
                | a \\| b | 1,000 |
                | –      |     1 |
                """
        )
    }

    @Test
    func plain() {
        #expect(table.plain == "what       n\na | b  1,000\n–          1")
    }

    @Test
    func noBlanksAtTheEndOfALine() {
        var table = TextTable(["a", "b"])
        table.add("1", "")
        #expect(table.plain == "a  b\n1")
    }
}
