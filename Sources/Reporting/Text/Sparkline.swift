/// A line of small bars, one for each value.
enum Sparkline {
    private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    /// Stands for a value that is not defined.
    static let gap: Character = "·"

    /// The bars of values on a scale.
    ///
    /// A full bar means the top of the scale and nothing less, so that a line of full bars says "all the time".
    ///
    /// - Parameters:
    ///   - values: The values; what lies outside of the scale is drawn at its end.
    ///   - scale: From the smallest bar to the full one; not empty.
    static func text(_ values: [Double?], scale: ClosedRange<Double>) -> String {
        precondition(scale.lowerBound < scale.upperBound, "a scale has a length")
        return String(
            values.map { value -> Character in
                guard let value else { return gap }
                let share = (value - scale.lowerBound) / (scale.upperBound - scale.lowerBound)
                return bars[Int((min(1, max(0, share)) * Double(bars.count - 1)).rounded(.down))]
            }
        )
    }
}
