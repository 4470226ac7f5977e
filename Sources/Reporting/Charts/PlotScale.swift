import TextFormats

/// A linear axis for some values with room at both ends, in values and in pixels.
struct PlotScale {
    /// The length of the axis [px].
    private(set) var length: Double
    private let low: Double
    private let high: Double

    /// The minimum room at either end [px].
    private static let room = 18.0

    /// Creates an axis; equal values are in its middle.
    init(_ values: [Double], length: Double) {
        self.length = length
        let (least, most) = (values.min() ?? 0, values.max() ?? 1)
        // A single value does not determine the range.
        let reach = most > least ? (most - least) / 2 : max(most.magnitude / 10, 1e-3)
        let half = reach * length / (length - 2 * PlotScale.room)
        let middle = least + (most - least) / 2
        // The ends are rounded outwards to numbers with few digits.
        var step = 1e-6
        while step * 1000 <= half { step *= 10 }
        low = ((middle - half) / step).rounded(.down) * step
        high = ((middle + half) / step).rounded(.up) * step
    }

    /// Returns the position of a value, from the low end [px].
    func pixel(_ value: Double) -> Double { (value - low) / (high - low) * length }

    /// Returns the same axis with another length.
    func resized(to length: Double) -> PlotScale {
        var scale = self
        scale.length = length
        return scale
    }

    /// Both ends, for a scale of Vega-Lite.
    var domain: JSONValue { Chart.domain(low, high) }
}
