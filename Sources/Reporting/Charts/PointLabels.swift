/// The places of texts beside the points of a plot, so that none covers a point or another text.
///
/// Each text gets the first free of four places beside its point: above left, above right, below right, below left.
/// Above left comes first, because that area is empty on a front that rises to the right. A text without a free place
/// is left out; the tables beside the plot have it.
struct PointLabels {
    /// A place beside a point.
    enum Place: String, CaseIterable {
        case aboveLeft, aboveRight, belowRight, belowLeft

        var isLeft: Bool { self == .aboveLeft || self == .belowLeft }
        var isAbove: Bool { self == .aboveLeft || self == .aboveRight }
    }

    /// A point in pixels, from the upper left corner.
    struct Point {
        var x: Double
        var y: Double
    }

    // As in `pareto.vl.json`:
    /// The distance of a text from its point, across and along the line [px].
    private static let distance = (across: 6.0, along: 5.0)
    /// The mean width of a character of a sans-serif font of 11 px, with a margin [px].
    private static let letterWidth = 6.2
    /// The height of a line [px].
    private static let lineHeight = 12.0
    /// The radius of a point's mark [px].
    private static let markRadius = 4.5

    private struct Box {
        var left, top, right, bottom: Double

        func overlaps(_ other: Box) -> Bool {
            left < other.right && other.left < right && top < other.bottom && other.top < bottom
        }
    }

    /// Returns the place of each text, in order; nil for a text that is left out.
    ///
    /// - Parameters:
    ///   - texts: The texts with their points; the first are placed first.
    ///   - points: All points that must stay visible.
    ///   - width: The width of the plot [px].
    ///   - height: The height of the plot [px].
    ///   - most: The maximum number of texts.
    /// - Complexity: O(*texts* · (*texts* + *points*)).
    static func places(
        of texts: [(text: String, at: Point)],
        among points: [Point],
        width: Double,
        height: Double,
        atMost most: Int
    ) -> [Place?] {
        let marks = points.map { point in
            Box(
                left: point.x - markRadius,
                top: point.y - markRadius,
                right: point.x + markRadius,
                bottom: point.y + markRadius
            )
        }
        var taken: [Box] = []
        return texts.map { text, point in
            guard taken.count < most else { return nil }
            for place in Place.allCases {
                let box = box(of: text, at: point, place)
                let isWithin = box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height
                guard isWithin, !taken.contains(where: box.overlaps), !marks.contains(where: box.overlaps) else {
                    continue
                }
                taken.append(box)
                return place
            }
            return nil
        }
    }

    private static func box(of text: String, at point: Point, _ place: Place) -> Box {
        let length = Double(text.count) * letterWidth
        let left = place.isLeft ? point.x - distance.across - length : point.x + distance.across
        let top = place.isAbove ? point.y - distance.along - lineHeight : point.y + distance.along
        return Box(left: left, top: top, right: left + length, bottom: top + lineHeight)
    }
}
