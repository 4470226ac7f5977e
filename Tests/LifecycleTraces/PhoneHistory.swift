/// A history of pushes at one phone, with what each of them does.
///
/// Every host of a phone has to come to the same log: the station by itself, the simulator's cell, the stand-in for APNs.
/// Times are seconds since the activity appeared with content of that instant. Where the first
/// push is a start there is none before it.
public struct PhoneHistory: Sendable {
    /// One push.
    public struct Arrival: Sendable {
        /// When it reaches the phone.
        public let at: Int64
        /// What it asks for: `start`, `update` or `end`.
        public let event: String
        /// The payload's timestamp.
        public let timestamp: Int64
        /// Whether its priority is 10.
        public let isImmediate: Bool
    }

    /// What it shows.
    public let name: String
    /// How many pushes of priority 10 a minute may take effect; nil for any number.
    public let budget: Int?
    /// Whether ends are free of that.
    public let endsExempt: Bool
    /// Whether the app has begun the activity.
    public var beginsByApp: Bool { arrivals.first?.event != "start" }
    /// The pushes, in the order in which they arrive.
    public let arrivals: [Arrival]
    /// What comes of them: `10 shown`, a line for each.
    public let log: [String]

    /// From lines like `10 update 8 high: shown`: the instant, the event, the timestamp, the priority, and what it does.
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

    /// All of them.
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
