import Testing

@testable import Reporting

struct PointLabelsTests {
    private typealias Point = PointLabels.Point

    private static func places(_ texts: [(String, Point)], among others: [Point] = [], atMost most: Int = 10)
        -> [PointLabels.Place?]
    {
        PointLabels.places(of: texts, among: texts.map(\.1) + others, width: 400, height: 300, atMost: most)
    }

    @Test("a label is above and to the left, where a front that rises to the right leaves space")
    func alone() {
        #expect(Self.places([("one", Point(x: 200, y: 150))]) == [.aboveLeft])
    }

    @Test(
        "a label at the edge of the plot stays inside",
        arguments: [
            (3.0, 150.0, PointLabels.Place.aboveRight), (3, 3, .belowRight), (397, 3, .belowLeft),
            (397, 297, .aboveLeft),
        ]
    )
    func edges(x: Double, y: Double, place: PointLabels.Place) {
        #expect(Self.places([("one", Point(x: x, y: y))]) == [place])
    }

    @Test("neighbouring points have labels on different sides, and a point without a free side has none")
    func cluster() {
        let places = Self.places([
            ("first", Point(x: 200, y: 150)), ("second", Point(x: 203, y: 151)), ("third", Point(x: 206, y: 150)),
        ])
        #expect(places == [.aboveLeft, .belowRight, .aboveRight])
        let hemmedIn = [(-20.0, -10.0), (20, -10), (20, 10), (-20, 10)].map { Point(x: 200 + $0, y: 150 + $1) }
        #expect(Self.places([("none", Point(x: 200, y: 150))], among: hemmedIn) == [nil])
    }

    @Test("the first labels are placed, up to the limit")
    func most() {
        let texts = (0..<5).map { ("\($0)", Point(x: 50 + 70 * Double($0), y: 150)) }
        #expect(Self.places(texts, atMost: 3) == [.aboveLeft, .aboveLeft, .aboveLeft, nil, nil])
    }
}
