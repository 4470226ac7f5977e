import Testing

@testable import LiveActivityModel

@Suite("Rows in pages")
struct PagedRowsTests {
    @Test("Each time is stored separately, up to the longest", arguments: [(1 << 40) - 1, 1 << 40, .max] as [Int64])
    func times(longest: Int64) {
        var rows = PagedRows(width: 3, longest: longest)
        var expected: [[Int64]] = []
        for row in 0..<600 {
            rows.clear(row)
            expected.append([0, 0, 0])
        }
        for step in 0..<5000 {
            let (row, column) = (step * 7919 % 600, step % 3)
            // The first time of some rows is as long as allowed.
            let time = column == 0 && row % 5 == 0 ? longest - expected[row][0] : Int64(step)
            rows.add(time, to: row, column)
            expected[row][column] += time
        }
        for row in stride(from: 0, to: 600, by: 9) {
            rows.clear(row)
            expected[row] = [0, 0, 0]
        }
        for row in 0..<600 {
            for column in 0..<3 { #expect(rows[row, column] == expected[row][column]) }
        }
    }

    @Test("A row far ahead also allocates those before it, all zero")
    func far() {
        var rows = PagedRows(width: 2, longest: 1)
        rows.clear(1000)
        #expect((0...1000).allSatisfy { rows[$0, 0] == 0 && rows[$0, 1] == 0 })
    }
}
