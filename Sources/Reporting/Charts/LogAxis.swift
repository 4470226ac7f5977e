import TextFormats

/// A logarithmic axis for some values, from a round number below them to one above.
///
/// The ticks are in steps of 1, 2, 5 if there are few of them, else in powers of ten.
struct LogAxis: Hashable {
    let low: Double
    let high: Double
    private let marks: [Double]

    /// 1, 2, 5, 10… from 0.1 on, all exact enough for labels.
    private static let ladder: [Double] = (-1...10)
        .flatMap { decade -> [Double] in
            let unit = (0..<max(0, decade)).reduce(1.0) { power, _ in power * 10 } / (decade < 0 ? 10 : 1)
            return [unit, 2 * unit, 5 * unit]
        }

    /// Creates an axis for values above 0; from 1 to 10 if there are none.
    init(_ values: [Double]) {
        let least = values.min() ?? 1
        let most = max(values.max() ?? 10, least)
        let low = LogAxis.ladder.last { $0 <= least } ?? LogAxis.ladder[0]
        let high = LogAxis.ladder.first { $0 >= most && $0 > low } ?? most
        let within = LogAxis.ladder.filter { $0 >= low && $0 <= high }
        (self.low, self.high) = (low, high)
        // Every third mark is a power of ten.
        marks = within.count <= 9 ? within : within.filter { (LogAxis.ladder.firstIndex(of: $0) ?? 0) % 3 == 0 }
    }

    var domain: JSONValue { Chart.domain(low, high, places: 3) }
    var ticks: JSONValue { .array(marks.map { .decimal($0, places: 3) }) }
}
