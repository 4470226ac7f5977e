/// A history of pushes to one phone, with the effect of each.
///
/// Every host of a phone must yield the same log: the station on its own, the simulator's cell, and the APNs stand-in.
/// Times are seconds since the activity appeared, with content of that instant. If the first push is a start, there is
/// no activity before it.
public struct PhoneHistory: Sendable {
    /// One push.
    public struct Arrival: Sendable {
        /// When it reaches the phone.
        public let at: Int64
        /// The event: `start`, `update` or `end`.
        public let event: String
        /// The payload's timestamp.
        public let timestamp: Int64
        /// `true` if its priority is 10.
        public let isImmediate: Bool
    }

    /// The subject of the history.
    public let name: String
    /// The number of pushes of priority 10 per minute that may take effect; nil for any number.
    public let budget: Int?
    /// `true` if ends are exempt from the budget.
    public let endsExempt: Bool
    /// `true` if the app has started the activity.
    public var beginsByApp: Bool { arrivals.first?.event != "start" }
    /// The pushes in the order of arrival.
    public let arrivals: [Arrival]
    /// The effects: `10 shown`, one line each.
    public let log: [String]

    /// Creates a history from lines like `10 update 8 high: shown`: the instant, the event, the timestamp, the priority
    /// and the effect.
    private init(_ name: String, budget: Int? = nil, endsExempt: Bool = false, _ lines: String...) {
        self.name = name
        self.budget = budget
        self.endsExempt = endsExempt
        var arrivals: [Arrival] = []
        var log: [String] = []
        for line in lines {
            let halves = line.split(separator: ": ")
            let words = halves[0].split(separator: " ")
            let (at, timestamp) = (Int64(words[0]) ?? -1, Int64(words[2]) ?? -1)
            arrivals.append(
                Arrival(at: at, event: String(words[1]), timestamp: timestamp, isImmediate: words[3] == "high")
            )
            log.append("\(at) \(halves[1])")
        }
        (self.arrivals, self.log) = (arrivals, log)
    }

    /// All histories.
    public static let all: [PhoneHistory] = [
        PhoneHistory(
            "in order",
            "10 update 9 high: shown",
            "20 update 19 low: shown",
            "30 end 29 high: ended"
        ),
        PhoneHistory(
            "overtaken on the way",
            "10 update 9 low: shown",
            "12 update 5 low: older",
            "20 update 19 low: shown",
            "21 update 9 low: older",
            "22 end 18 low: older",
            "23 end 20 low: ended"
        ),
        PhoneHistory(
            "equal timestamps: the first update stays, an end takes effect",
            "10 update 9 low: shown",
            "11 update 9 low: older",
            "12 end 9 low: ended"
        ),
        PhoneHistory(
            "a late push spends budget",
            budget: 2,
            "10 update 9 high: shown",
            "11 update 5 high: older",
            "12 update 11 high: throttled",
            "13 update 12 low: shown"
        ),
        PhoneHistory(
            "the budget of a minute begins with its first push",
            budget: 1,
            "10 update 9 high: shown",
            "69 update 68 high: throttled",
            "70 update 69 high: shown",
            "71 end 70 high: throttled",
            "72 end 71 low: ended"
        ),
        PhoneHistory(
            "ends are exempt where the scenario says so",
            budget: 1,
            endsExempt: true,
            "10 update 9 high: shown",
            "11 update 10 high: throttled",
            "12 end 11 high: ended"
        ),
        PhoneHistory(
            "nothing follows the end",
            "10 end 9 low: ended",
            "11 update 10 low: after end",
            "12 end 11 low: after end"
        ),
        PhoneHistory(
            "a start begins an activity, once: to a live one it is a duplicate, and what has ended stays so",
            "5 start 4 high: started",
            "10 update 9 low: shown",
            "21 start 20 high: duplicate",
            "22 update 15 low: shown",
            "23 update 4 low: older",
            "30 end 29 low: ended",
            "31 start 30 high: after end",
            "32 update 31 low: after end"
        ),
        PhoneHistory(
            "a start meets the activity of the app, and spends none of the budget",
            budget: 1,
            "5 update 4 low: shown",
            "6 start 8 high: duplicate",
            "7 update 6 high: shown",
            "8 update 7 high: throttled"
        ),
    ]
}
