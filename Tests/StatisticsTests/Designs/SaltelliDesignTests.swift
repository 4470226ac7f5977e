import Statistics
import Testing

struct SaltelliDesignTests {
    @Test
    func rows() {
        let design = SaltelliDesign(basePoints: 20, factors: 3)
        let points = SobolSequence(dimensions: 6).points(20)
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
}
