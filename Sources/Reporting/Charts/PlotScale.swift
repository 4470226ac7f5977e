import TextFormats

/// A linear axis for some values with room at both ends, as values and as pixels.
struct PlotScale {
    /// How long the axis is [px].
    let length: Double
    private let low: Double
    private let high: Double

    /// What is left free at either end, at least [px].
    private static let room = 18.0

    /// An axis; for equal values one with them in its middle.
    init(_ values: [Double], length: Double) {
        self.length = length
        let (least, most) = (values.min() ?? 0, values.max() ?? 1)
        // Of a single value nothing says how far the axis is to reach.
        let reach = most > least ? (most - least) / 2 : max(most.magnitude / 10, 1e-3)
        let half = reach * length / (length - 2 * PlotScale.room)
        let middle = least + (most - least) / 2
        // Its ends are numbers of few digits, outside of these.
        var step = 1e-6
        while step * 1000 <= half { step *= 10 }
        low = ((middle - half) / step).rounded(.down) * step
        high = ((middle + half) / step).rounded(.up) * step
    }

    /// Where a value stands, from the low end [px].
    func pixel(_ value: Double) -> Double { (value - low) / (high - low) * length }

    /// Both ends, as a scale of Vega-Lite wants them.
    var domain: JSONValue { [.decimal(low, places: 6), .decimal(high, places: 6)] }
}
