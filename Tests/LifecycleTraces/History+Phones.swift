extension History {
    /// The scenario of ``phones`` without their settings.
    public static let phoneScenario = "devices: {budget: {window: 60s, ends_exempt: false}}"

    /// Histories of pushes to one phone: `10 update 8 high: shown` is the instant, the event, the payload's timestamp, the
    /// priority and the effect.
    ///
    /// The hosts are the station on its own, the simulator's cell, and the APNs stand-in. Times are in seconds since the
    /// activity appeared, with content of that instant. If the first push is a start, there is no activity before it.
    public static let phones = read(
        """
        in order
            10 update 9 high: shown; 20 update 19 low: shown; 30 end 29 high: ended

        overtaken on the way
            10 update 9 low: shown; 12 update 5 low: older; 20 update 19 low: shown; 21 update 9 low: older
            22 end 18 low: older; 23 end 20 low: ended

        equal timestamps: the first update stays, an end takes effect
            10 update 9 low: shown; 11 update 9 low: older; 12 end 9 low: ended

        a late push spends budget
            devices.budget.limit=2
            10 update 9 high: shown; 11 update 5 high: older; 12 update 11 high: throttled; 13 update 12 low: shown

        the budget of a minute begins with its first push
            devices.budget.limit=1
            10 update 9 high: shown; 69 update 68 high: throttled; 70 update 69 high: shown; 71 end 70 high: throttled
            72 end 71 low: ended

        ends are exempt where the scenario says so
            devices.budget.limit=1; devices.budget.ends_exempt=true
            10 update 9 high: shown; 11 update 10 high: throttled; 12 end 11 high: ended

        nothing follows the end
            10 end 9 low: ended; 11 update 10 low: after end; 12 end 11 low: after end

        a start begins an activity, once: to a live one it is a duplicate, and what has ended stays so
            5 start 4 high: started; 10 update 9 low: shown; 21 start 20 high: duplicate; 22 update 15 low: shown
            23 update 4 low: older; 30 end 29 low: ended; 31 start 30 high: after end; 32 update 31 low: after end

        a start meets the activity of the app, and spends none of the budget
            devices.budget.limit=1
            5 update 4 low: shown; 6 start 8 high: duplicate; 7 update 6 high: shown; 8 update 7 high: throttled

        a phone drops starts beyond its budget; one start comes back after each refill
            devices.start={by: push, push_budget: {starts: 2, refill: 60s}}
            5 start 4 high: started; 6 start 5 high: duplicate; 7 start 6 high: start over budget; 64 start 63 high: start over budget
            65 start 64 high: duplicate; 66 end 65 high: ended; 67 start 66 high: start over budget
        """
    )

    /// A push of a phone's history.
    public struct Arrival: Sendable {
        /// The push in the words of the history, without its effect.
        public let words: Substring
        /// When it reaches the phone [s].
        public let at: Int64
        /// The event: `start`, `update` or `end`.
        public let event: String
        /// The payload's timestamp [s].
        public let timestamp: Int64
        /// `true` if its priority is 10.
        public let isImmediate: Bool
    }

    /// The pushes of a phone's history in the order of arrival.
    public var arrivals: [Arrival] {
        log.map { line in
            let push = line.prefix { $0 != ":" }
            let words = push.split(separator: " ")
            return Arrival(
                words: push,
                at: Int64(words[0]) ?? -1,
                event: String(words[1]),
                timestamp: Int64(words[2]) ?? -1,
                isImmediate: words[3] == "high"
            )
        }
    }
}
