import Foundation

/// A layer of a chart, parsed from the chart's text.
struct DrawnLayer {
    /// The mark type.
    let mark: String
    /// The data.
    let rows: [[String: Any]]
    /// The bounds of the time axis; empty if they are not numbers.
    let domain: [Double]

    /// The layers, the lowest first.
    static func layers(of chart: String) throws -> [DrawnLayer] {
        let read = try JSONSerialization.jsonObject(with: Data(chart.utf8)) as? [String: Any]
        return (read?["layer"] as? [[String: Any]] ?? [])
            .map { layer in
                let x = (layer["encoding"] as? [String: Any])?["x"] as? [String: Any]
                return DrawnLayer(
                    mark: (layer["mark"] as? [String: Any])?["type"] as? String ?? "",
                    rows: (layer["data"] as? [String: Any])?["values"] as? [[String: Any]] ?? [],
                    domain: (x?["scale"] as? [String: Any])?["domain"] as? [Double] ?? []
                )
            }
    }
}
