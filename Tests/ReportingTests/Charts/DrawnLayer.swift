import Foundation

/// What a layer of a chart draws, read from the chart's text.
struct DrawnLayer {
    /// The kind of its marks.
    let mark: String
    /// What they are drawn from.
    let rows: [[String: Any]]
    /// The bounds of its time axis; empty where they are not stated as numbers.
    let domain: [Double]

    /// All layers, the lowest first.
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
