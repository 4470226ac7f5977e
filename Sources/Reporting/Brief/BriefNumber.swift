import TextFormats

/// A number of a decision: today's value, the proposed one, and the difference.
struct BriefNumber: Hashable, Sendable {
    /// The metric, as written in conditions, or its name in words.
    let name: String
    /// Today's value; empty if today's settings were not run.
    let today: String
    /// The value of the proposed settings.
    let proposed: String
    /// The difference with the reach of chance, if that is known; empty without today's value.
    let difference: String
    /// The limit that the value must keep; empty for none.
    var required = ""

    /// The cells of its row.
    var row: [String] {
        // Sentences of the answer have the metric, so the row has both.
        let words = MetricWords.names[name].map { "\($0) (`\(name)`)" } ?? name
        let limit = required.replacing("<=", with: "≤").replacing(">=", with: "≥")
        return [
            words + (limit.isEmpty ? "" : " (required: \(limit))"), today, proposed,
            difference,
        ]
    }

    /// The number for `tune.json` and `sweep.json`.
    var json: JSONValue {
        [
            "name": .string(name), "today": .string(today), "proposed": .string(proposed),
            "difference": .string(difference), "required": .string(required),
        ]
    }

    init(name: String, today: String, proposed: String, difference: String, required: String = "") {
        (self.name, self.today, self.proposed) = (name, today, proposed)
        (self.difference, self.required) = (difference, required)
    }

    /// Reads a number that ``json`` has written; nil for anything else.
    init?(_ value: JSONMembers.Value) {
        guard let members = value.members else { return nil }
        let texts = ["name", "today", "proposed", "difference", "required"].map { members[$0]?.text }
        let known = texts.compactMap { $0.map { OneLine.excerpt($0, longest: 200) } }
        guard known.count == texts.count else { return nil }
        self.init(name: known[0], today: known[1], proposed: known[2], difference: known[3], required: known[4])
    }
}

/// The pushes of today's settings and of the proposed ones, for the rides that were simulated.
struct BriefPushes: Hashable, Sendable {
    /// `a day`, or `per run of 4 h`.
    let period: String
    /// The rides of the period.
    let rides: Double
    /// Today's pushes; nil if today's settings were not run.
    let today: Double?
    /// The pushes of the proposed settings.
    let proposed: Double

    init(period: String, rides: Double, today: Double?, proposed: Double) {
        (self.period, self.rides, self.today, self.proposed) = (period, rides, today, proposed)
    }

    /// Reads pushes that ``PushPeriod/json(present:point:)`` has written; nil for anything else.
    init?(_ members: JSONMembers) {
        guard let period = members["period"]?.text, let rides = members["rides"]?.number,
            let today = members["today"]?.number, let point = members["point"]?.number
        else { return nil }
        self.init(period: OneLine.excerpt(period, longest: 64), rides: rides, today: today, proposed: point)
    }

    /// Returns the pushes for another number of rides, in proportion.
    func scaled(toRides count: Double) -> BriefPushes {
        guard rides > 0 else { return self }
        let factor = count / rides
        return BriefPushes(period: period, rides: count, today: today.map { $0 * factor }, proposed: proposed * factor)
    }
}

/// The price of pushes, in any currency.
public struct PushPrice: Hashable, Sendable {
    /// The price of a million pushes.
    let perMillion: Double
    /// The currency's name or sign.
    let currency: String

    /// Parses a number and a currency: `0.50 EUR`; nil for anything else.
    public init?(parsing text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, let number = Double(parts[0]), number.isFinite, (0...1e9).contains(number),
            (1...8).contains(parts[1].count), parts[1].allSatisfy({ $0.isLetter || $0.isCurrencySymbol })
        else { return nil }
        perMillion = number
        currency = String(parts[1])
    }

    /// Formats the price of some pushes.
    func text(_ pushes: Double) -> String { "\(Format.number(pushes / 1e6 * perMillion)) \(currency)" }
}
