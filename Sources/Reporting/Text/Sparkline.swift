/// A line of small bars, one per value.
enum Sparkline {
    private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    /// The character for an undefined value.
    static let gap: Character = "·"

    /// The scale of shares, from a whole number of tenths below all of them to the whole.
    struct ShareScale {
        /// The start of the scale [%].
        let bottom: Int
        var range: ClosedRange<Double> { Double(bottom) / 100...1 }

        init(_ shares: [Double?]) {
            let lowest = shares.compactMap(\.self).min() ?? 0
            bottom = 10 * min(9, max(0, Int((lowest * 10).rounded(.down))))
        }
    }

    /// Returns the bars of values on a scale.
    ///
    /// Only the top of the scale gives a full bar, so a line of full bars means "all the time".
    ///
    /// - Parameters:
    ///   - values: The values; a value outside of the scale is drawn at its end.
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
