public import Evaluation
import LiveActivityModel
import TextFormats

/// The age of the content on screens.
extension Chart {
    /// Returns the distribution of age over time, on a logarithmic axis.
    public static func age(_ result: RunResult) -> Chart {
        let age = result.total.age
        func seconds(_ microseconds: Int64) -> JSONValue { .decimal(Double(microseconds) / 1e6, places: 6) }
        let bars = AgeBars(age).bars
            .map { bar -> JSONValue in
                ["from": seconds(bar.low), "until": seconds(bar.high), "percent": .decimal(bar.share * 100, places: 3)]
            }
        let marks = [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)].enumerated()
            .compactMap { line, mark -> JSONValue? in
                guard let quantile = age.quantile(mark.1), quantile > 0 else { return nil }
                return [
                    "from": seconds(quantile), "label": .string("\(mark.0) \(Format.span(quantile))"),
                    "line": .integer(Int64(line)),
                ]
            }
        return Chart(
            template: "age",
            name: "age",
            title: age.quantile(0.5)
                .map { "Half of the time screens show content younger than \(Format.span($0))" }
                ?? "Age of information: nothing was on a screen",
            subtitle: subtitle(result) + "; 20 bars per power of ten, the first includes all younger content",
            ["bars": .array(bars), "marks": .array(marks)]
        )
    }
}

/// The distribution of an age in bars of equal width on a logarithmic axis.
struct AgeBars {
    /// One bar [µs].
    struct Bar: Hashable {
        let low: Int64
        let high: Int64
        let share: Double
    }

    /// The bars, from the first to the last one that is drawn.
    let bars: [Bar]

    /// 10^(i/20) in thousandths, correctly rounded; integers, because the last digit of a power can depend on the
    /// machine.
    private static let steps: [Int64] = [
        1000, 1122, 1259, 1413, 1585, 1778, 1995, 2239, 2512, 2818,
        3162, 3548, 3981, 4467, 5012, 5623, 6310, 7079, 7943, 8913,
    ]

    /// The share of time below which no bar is drawn at the beginning: on a logarithmic axis it would take most of the
    /// width.
    private static let smallestShare = 0.001

    init(_ age: RampTally) {
        guard age.time > 0 else {
            bars = []
            return
        }
        // The edges range from 1 ms to more than a year.
        var edges: [Int64] = []
        var decade: Int64 = 1
        while decade < 100_000_000_000 {
            edges += AgeBars.steps.map { $0 * decade }
            decade *= 10
        }
        let below = AgeBars.time(below: edges, age.timePerBucket).map { $0 / Double(age.time) }
        // Time below the first drawn bar is added to it, and time above the last edge to the last bar.
        let first = max(0, (below.firstIndex { $0 >= AgeBars.smallestShare } ?? edges.count - 1) - 1)
        let last = max(first + 1, below.firstIndex { $0 >= 1 } ?? edges.count - 1)
        bars = (first..<last)
            .map { index in
                let from = index == first ? 0 : below[index]
                let until = index + 1 == last ? 1 : below[index + 1]
                return Bar(low: edges[index], high: edges[index + 1], share: until - from)
            }
    }

    /// Returns the time spent below each edge, assuming an even distribution within a bucket.
    private static func time(below edges: [Int64], _ buckets: [(bucket: Int, time: Int64)]) -> [Double] {
        var below: [Double] = []
        var seen = 0.0
        var next = 0
        for edge in edges {
            while next < buckets.count, LogLinear.lowerBound(ofBucket: buckets[next].bucket + 1) <= edge {
                seen += Double(buckets[next].time)
                next += 1
            }
            var partly = 0.0
            if next < buckets.count, case let low = LogLinear.lowerBound(ofBucket: buckets[next].bucket), low < edge {
                let high = LogLinear.lowerBound(ofBucket: buckets[next].bucket + 1)
                partly = Double(buckets[next].time) * Double(edge - low) / Double(high - low)
            }
            below.append(seen + partly)
        }
        return below
    }
}
