import ScenarioLanguage
public import SimulationKernel
public import TextFormats

/// Sizes of payloads in the form of scenarios.
extension PayloadSamples {
    /// Returns the distribution of sizes: the size itself if all are equal, otherwise quantiles with straight lines between
    /// them.
    ///
    /// The quantiles are those of the line through the ordered sizes, so that the mean of few sizes is close to theirs.
    public static func distribution(of payloads: [Payload]) -> Distribution {
        let sizes = payloads.map { Double($0.bytes) }.sorted()
        guard let smallest = sizes.first, let largest = sizes.last, smallest < largest else {
            return .constant(sizes.first ?? 0)
        }
        var probabilities = [0, 0.25, 0.5, 0.75, 1]
        if sizes.count >= 20 { probabilities += [0.05, 0.95] }
        if sizes.count >= 100 { probabilities += [0.01, 0.99] }
        return .quantiles(
            probabilities.sorted()
                .map { probability in
                    let place = Double(sizes.count - 1) * probability
                    let index = min(Int(place), sizes.count - 2)
                    let value = sizes[index] + (sizes[index + 1] - sizes[index]) * (place - Double(index))
                    return QuantilePoint(probability: probability, value: value.rounded())
                }
        )
    }

    /// The sizes of content without a stage of its own: those of the folder's own files, or else of all files.
    private var general: [Payload] { parts.first { $0.stage == nil }?.payloads ?? payloads }

    private static func notation(_ payloads: [Payload]) -> String {
        DistributionNotation(measure: .number, depth: 1).write(distribution(of: payloads)).yamlLines
            .joined(separator: "\n")
    }

    /// The `content:` and `rides:` parts of a scenario, with comments on what the sizes are.
    public var yaml: String {
        var lines = ["# sizes in bytes of \(Self.files(payloads.count)) in \(OneLine.text(folder))"]
        if payloads.contains(where: { $0.form != .other }) {
            lines.append("# JSON counts without the white space between its tokens, as it is sent")
        }
        let (bare, other) = (payloads.count { $0.form == .json }, payloads.count { $0.form == .other })
        if bare > 0 {
            lines += [
                "# JSON without aps: \(Self.files(bare)), counted as they are; a push adds about 90 bytes for its timestamp, event and",
                "# stale date",
            ]
        }
        if other > 0 {
            lines += [
                "# not JSON: \(Self.files(other)), counted with their size; inside a push, base64 makes it a third larger, and the",
                "# push adds about 90 bytes",
            ]
        }
        for payload in tooLarge {
            let size = "\(payload.bytes) bytes, above \(Self.largestAccepted), the limit of APNs"
            lines.append("# too large: \(OneLine.text(payload.file)), \(size)")
        }
        lines += ["content:", "  payload:", "    bytes: \(Self.notation(general)) # n = \(general.count)"]
        let stages = parts.filter { $0.stage != nil }
        if !stages.isEmpty { lines += ["rides:", "  stages: # add each payload_bytes to your stage of this name"] }
        for part in stages {
            lines += [
                "    - name: \(StructuredValue.text(part.stage ?? "").yamlLines.joined())",
                "      payload_bytes: \(Self.notation(part.payloads)) # n = \(part.payloads.count)",
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The sizes for scripts.
    public var json: JSONValue {
        func sizes(_ payloads: [Payload]) -> [String: JSONValue] {
            ["count": .integer(Int64(payloads.count)), "distribution": .string(Self.notation(payloads))]
        }
        return .object([
            "folder": .string(folder), "content": .object(sizes(general)),
            "stages": .object(
                Dictionary(
                    uniqueKeysWithValues: parts.compactMap { part in
                        part.stage.map { ($0, JSONValue.object(sizes(part.payloads))) }
                    }
                )
            ),
            "too_large": .array(
                tooLarge.map { .object(["file": .string($0.file), "bytes": .integer(Int64($0.bytes))]) }
            ),
        ])
    }

    private static func files(_ count: Int) -> String { count.counted("file", "files") }
}
