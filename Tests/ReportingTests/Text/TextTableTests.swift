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

    @Test("Parts repeat the first columns, are no wider than asked, and leave no column out")
    func parts() {
        let table = TextTable(["p:", "first:", "second:", "third:"], rows: [["1", "10", "20", "30"]])
        #expect(
            table.parts(width: 17, repeating: 1).map(\.plain) == [
                "p  first  second\n1     10      20", "p  third\n1     30",
            ]
        )
        #expect(table.parts(width: 3, repeating: 1).count == 3)
        #expect(table.parts(width: 80, repeating: 1) == [table])
        #expect(
            table.parts(ofColumns: 2, repeating: 1).map(\.plain) == [
                "p  first  second\n1     10      20", "p  third\n1     30",
            ]
        )
    }
}
