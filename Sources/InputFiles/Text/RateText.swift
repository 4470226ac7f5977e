/// Rates as text: `30/m` is thirty per minute.
package enum RateText {
    /// The units of time, by their text after the slash [s].
    private static let units: [(name: String, seconds: Double)] = [("s", 1), ("m", 60), ("h", 3600)]

    /// The form of a rate in messages.
    package static let form = "a rate such as 30/m (/s, /m or /h)"

    /// The form as a regular expression of JSON Schema.
    package static let pattern = #"^[0-9]+(\.[0-9]+)?/[smh]$"#

    /// Returns the number and the unit [s] in a text; nil for any other text, including negative numbers.
    package static func parts(_ text: String) -> (number: Double, seconds: Double)? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = NumberText.number(String(parts[0])), number >= 0,
            let unit = units.first(where: { $0.name == parts[1] })
        else { return nil }
        return (number, unit.seconds)
    }

    /// Returns the rate in a text, as a number per some seconds; nil for any other text.
    package static func rate(_ text: String, perSeconds seconds: Double) -> Double? {
        parts(text)
            .map { seconds >= $0.seconds ? $0.number * (seconds / $0.seconds) : $0.number / ($0.seconds / seconds) }
    }

    /// Returns the text of a rate.
    package static func text(_ number: Double, perSeconds seconds: Double) -> String {
        NumberText.text(number) + "/" + (units.first { $0.seconds == seconds }?.name ?? "s")
    }
}
