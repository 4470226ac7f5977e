import Evaluation
import Quantities
import TextFormats

extension Chart {
    /// Returns the freshness of screens and belief at each sample; nil if there is no data.
    ///
    /// - Parameters:
    ///   - end: The end of the time axis, since the beginning [µs]; nil for the last sample.
    ///   - faults: The faults, in the time of the samples.
    ///   - limits: The limits of checks on the share of screens, 0 to 1.
    static func glances(
        _ glances: FreshnessGlances,
        until end: Int64?,
        faults: [FaultSpan] = [],
        limits: [Double] = [],
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
        let points = looks.flatMap { look in
            kinds.map { (at: look.at.microseconds, kind: $0.name, percent: $0.share(look).map { $0 * 100 }) }
        }
        let axis = ShareAxis(points.compactMap(\.percent) + limits.map { $0 * 100 })
        let levels = limits.map(Format.level).unique.enumeration
        let words = kinds.compactMap { kind in kind.share(last).map { "\(Format.percent($0)) \(kind.name)" } }
        return Chart(
            template: "glances",
            name: "freshness-now",
            title: "Fresh now: " + (words.isEmpty ? "no data" : words.joined(separator: "; ")),
            subtitle: subtitle + axis.remark
                + (limits.isEmpty ? "" : "; dashed line: the limit for the whole run, \(levels)"),
            [
                "limits": .array(limits.map { ["percent": .decimal($0 * 100, places: 3)] }),
                "timeTitle": .string("since the beginning [\(unit.name)]"), "timeDomain": [0, time(until)],
                "faults": .array(Chart.faults(faults, within: 0..<until, time: time)),
                "rows": .array(points.map { row(at: time($0.at), $0.kind, $0.percent) }),
                "dash": .array(kinds.map(\.dash)),
            ],
            axis.values,
            series(kinds.map { ($0.name, $0.colour) })
        )
    }
}
