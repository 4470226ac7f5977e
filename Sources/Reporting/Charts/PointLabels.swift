/// Where texts beside the points of a plot stand, so that none covers a point or another text.
///
/// Each text gets the first free place of four beside its point: above to the left, above to the right, below to the right,
/// below to the left. Above to the left comes first because nothing lies there on a front that rises to the right. A text
/// without a free place is left out: the tables beside the plot have it.
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

    /// The size of the letters [px].
    static let fontSize: Int64 = 11
    /// How far a text stands from its point, across and along the line [px].
    static let distance: (across: Int64, along: Int64) = (6, 4)

    /// What a letter takes of the width, on average of a sans-serif at ``fontSize`` and a little more [px].
    private static let letterWidth = 6.2
    /// What a line takes of the height [px].
    private static let lineHeight = 12.0
    /// From the middle of a point's mark to its edge [px].
    private static let markRadius = 4.5

    private struct Box {
        var left, top, right, bottom: Double

        func overlaps(_ other: Box) -> Bool {
            left < other.right && other.left < right && top < other.bottom && other.top < bottom
        }
    }

    /// The place of each text, in their order; nil for one that is left out.
    ///
    /// - Parameters:
    ///   - texts: With the points beside which they are to stand; the first are placed first.
    ///   - points: All that must stay visible.
    ///   - width: Of the plot [px].
    ///   - height: Of the plot [px].
    ///   - most: How many texts there may be.
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
        let (across, along) = (Double(distance.across), Double(distance.along))
        let left = place.isLeft ? point.x - across - length : point.x + across
        let top = place.isAbove ? point.y - along - lineHeight : point.y + along
        return Box(left: left, top: top, right: left + length, bottom: top + lineHeight)
    }
}
