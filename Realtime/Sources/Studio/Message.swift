import Quantities
import TextFormats

/// The reason why a message of the page is invalid.
struct MessageError: Error {
    let sentence: String
}

/// The members of a message, checked against their allowed ranges.
struct Message {
    private let json: JSONMembers

    /// Reads a message.
    init(_ bytes: [UInt8]) throws(MessageError) {
        guard let json = try? JSONMembers(bytes) else {
            throw MessageError(sentence: "the message is not a JSON object")
        }
        self.json = json
    }

    /// The maximum number of settings and the maximum length of each [bytes]: more than a person makes.
    private static let (mostSettings, longestSetting) = (64, 4096)

    /// Returns settings, each as `key.path=value`.
    func settings(_ name: String) throws(MessageError) -> [String] {
        let values = json[name]?.elements?.map(\.text) ?? []
        guard values.count <= Self.mostSettings else {
            throw MessageError(sentence: "\(name) has \(values.count) settings; allowed: \(Self.mostSettings)")
        }
        var settings: [String] = []
        for value in values {
            guard let value, value.utf8.count <= Self.longestSetting else {
                throw MessageError(sentence: "\(name) must be texts of at most \(Self.longestSetting) bytes")
            }
            settings.append(value)
        }
        return settings
    }

    /// Returns a whole number.
    func integer(_ name: String, in range: ClosedRange<Int>, default standard: Int? = nil) throws(MessageError) -> Int {
        guard let value = json[name] else {
            if let standard { return standard }
            throw MessageError(sentence: "\(name) is missing")
        }
        guard let number: Int = value.integer(), range ~= number else {
            throw MessageError(
                sentence: "\(name) must be \(range.lowerBound) to \(range.upperBound), got \(value.kind)"
            )
        }
        return number
    }

    /// Returns a number.
    func number(_ name: String, in range: ClosedRange<Double>, default standard: Double) throws(MessageError) -> Double
    {
        try number(name, in: range) ?? standard
    }

    /// Returns a number; `nil` if there is none.
    func number(_ name: String, in range: ClosedRange<Double>) throws(MessageError) -> Double? {
        guard let value = json[name] else { return nil }
        guard let number = value.number, range ~= number else {
            throw MessageError(
                sentence: "\(name) must be \(range.lowerBound) to \(range.upperBound), got \(value.kind)"
            )
        }
        return number
    }

    /// Returns a text of at most 200 bytes.
    func text(_ name: String) throws(MessageError) -> String {
        guard let text = json[name]?.text, !text.isEmpty, text.utf8.count <= 200 else {
            throw MessageError(sentence: "\(name) must be a text of 1 to 200 bytes")
        }
        return text
    }

    /// Returns texts of at most 200 bytes each.
    func texts(_ name: String, count: ClosedRange<Int>) throws(MessageError) -> [String] {
        let texts = json[name]?.elements?.compactMap(\.text) ?? []
        guard count ~= texts.count, texts.allSatisfy({ $0.utf8.count <= 200 }) else {
            throw MessageError(
                sentence: "\(name) must be \(count.lowerBound) to \(count.upperBound) texts of at most 200 bytes"
            )
        }
        return texts
    }
}
