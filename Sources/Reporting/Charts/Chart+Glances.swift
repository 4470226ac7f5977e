import Quantities
import TextFormats

extension Chart {
    /// Returns the freshness of screens and belief at each sample; nil if there is no data.
    ///
    /// - Parameters:
    ///   - end: The end of the time axis, since the beginning [µs]; nil for the last sample.
    ///   - faults: The faults, in the time of the samples.
    static func glances(
        _ glances: FreshnessGlances,
        until end: Int64?,
        faults: [FaultSpan] = [],
        subtitle: String
    ) -> Chart? {
        let looks = glances.all + (glances.last.map { [$0] } ?? [])
        let kinds: [(name: String, colour: Colour, dash: JSONValue, share: (FreshnessGlance) -> Double?)] = [
            ("on screens, during rides", .blue, [1, 0], { $0.freshOnScreens }),
            ("in belief", .orange, [6, 4], { $0.freshInBelief }),
        ]
        .filter { kind in looks.contains { kind.3($0) != nil } }
        guard !kinds.isEmpty, let last = looks.last else { return nil }
        let until = max(end ?? 0, last.at.microseconds)
        let unit = timeUnit(upTo: until)
        func time(_ microseconds: Int64) -> JSONValue { .decimal(Double(microseconds) / unit.length, places: 6) }
        let rows = looks.flatMap { look in
            kinds.map { kind -> JSONValue in
                [
                    "from": time(look.at.microseconds), "series": .string(kind.name),
                    "percent": kind.share(look).map { .decimal($0 * 100, places: 3) } ?? .null,
                ]
            }
        }
        let x = quantity(
            "from",
            axis: ["title": .string("since the beginning [\(unit.name)]"), "tickCount": 10],
            scale: ["domain": [0, time(until)], "nice": false]
        )
        let faults = faultRows(faults, within: 0..<until, time: time)
        let words = kinds.compactMap { kind in kind.share(last).map { "\(Format.percent($0)) \(kind.name)" } }
        return Chart(
            name: "freshness-now",
            title: "Fresh now: " + (words.isEmpty ? "no data" : words.joined(separator: "; ")),
            subtitle: subtitle,
            layers: faultLayers(faults, x: x) + [
                layer(
                    rows,
                    ["type": "line", "strokeWidth": 2, "strokeJoin": "round"],
                    [
                        "x": x, "y": percentAxis("fresh [%]"), "color": colours(kinds.map { ($0.name, $0.colour) }),
                        "strokeDash": series(kinds.map { ($0.name, $0.dash) }),
                    ]
                )
            ] + faultNames(faults, x: x),
            resolve: ["scale": ["y": "independent"]]
        )
    }
}
