import Testing

@testable import Reporting

struct SparklineTests {
    @Test(
        arguments: [
            ([], ""), ([0, 1], "▁█"), ([nil, 0.5, nil], "·▄·"), ([0.999], "▇"), ([-1, 2], "▁█"),
            ([0, 1.0 / 7, 2.0 / 7, 3.01 / 7, 4.01 / 7, 5.01 / 7, 6.01 / 7, 1], "▁▂▃▄▅▆▇█"),
        ] as [([Double?], String)]
    )
    func wholeScale(values: [Double?], text: String) {
        #expect(Sparkline.text(values, scale: 0...1) == text)
    }

    @Test
    func partOfTheScale() {
        #expect(Sparkline.text([0.9, 0.95, 1], scale: 0.9...1) == "▁▄█")
    }
}
