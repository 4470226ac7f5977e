import Statistics
import Testing

struct SaltelliDesignTests {
    @Test
    func rows() throws {
        let design = try SaltelliDesign(basePoints: 20, factors: 3)
        let points = try SobolSequence(dimensions: 6).points(20)
        #expect(design.rows.count == 20 * 5)
        for (base, point) in points.enumerated() {
            let first = Array(point[..<3])
            let second = Array(point[3...])
            #expect(design.rows[base * 5] == first)
            #expect(design.rows[base * 5 + 4] == second)
            for factor in 0..<3 {
                let crossed = design.rows[base * 5 + 1 + factor]
                #expect((0..<3).allSatisfy { crossed[$0] == ($0 == factor ? second : first)[$0] })
            }
        }
    }

    @Test
    func refused() {
        #expect(throws: DesignError.dimensionCount(21, allowed: 1...20)) {
            try SaltelliDesign(basePoints: 4, factors: 21)
        }
        #expect(throws: DesignError.pointCount(0, allowed: 1...SobolSequence.largestPointCount)) {
            try SaltelliDesign(basePoints: 0, factors: 2)
        }
    }
}
