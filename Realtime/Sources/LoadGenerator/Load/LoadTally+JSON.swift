import Histogram
package import TextFormats

/// The tally of a load on APNs as JSON, so that the tallies of several generators can be added up.
///
/// A histogram is a list of pairs of a bucket's value and its count. Recorded again, the values fall into the same buckets.
extension LoadTally {
    /// The tally as one JSON object.
    package var json: String {
        var json = JSONText()
        for (name, count) in LoadTally.counts { json.add(name, self[keyPath: count]) }
        json.begin("statuses")
        for (status, count) in statuses.sorted(by: { $0.key < $1.key }) { json.add("\(status)", count) }
        json.end()
        json.begin("learnt")
        learnt.write(to: &json)
        json.end()
        for (name, times) in LoadTally.histograms { json.add(name, raw: LoadTally.pairs(self[keyPath: times])) }
        json.add("not_accepted_wait_us", notAcceptedWaits)
        json.beginArray("seconds")
        for second in seconds {
            json.begin(nil)
            second.learnt.write(to: &json)
            json.add("latency_us", raw: LoadTally.pairs(second.latency))
            json.end()
        }
        json.end()
        json.beginArray("outcomes")
        for outcomes in outcomes {
            json.begin(nil)
            outcomes.write(to: &json)
            json.end()
        }
        json.end()
        return json.document
    }

    /// Reads a tally from ``json``; nil for anything else, and if its parts contradict each other.
    package init?(_ json: JSONMembers) {
        self.init()
        for (name, count) in LoadTally.counts {
            guard let number = LoadTally.count(json[name]) else { return nil }
            self[keyPath: count] = number
        }
        guard let statuses = json["statuses"]?.members, let learnt = Outcomes(json["learnt"]?.members) else {
            return nil
        }
        for (name, value) in statuses.members {
            guard let status = Int(name), let count = LoadTally.count(value) else { return nil }
            self.statuses[status] = count
        }
        self.learnt = learnt
        for (name, times) in LoadTally.histograms {
            let isRead = LoadTally.read(json[name], atMost: LoadTally.largestCount, into: &self[keyPath: times])
            guard isRead else { return nil }
        }
        guard let waits = LoadTally.waits(json["not_accepted_wait_us"], of: notAccepted) else { return nil }
        notAcceptedWaits = waits
        guard let seconds = json["seconds"]?.elements, let outcomes = json["outcomes"]?.elements else { return nil }
        for element in seconds {
            guard let members = element.members, let learnt = Outcomes(members) else { return nil }
            var second = Second()
            second.learnt = learnt
            let limit = LoadTally.largestSecond
            guard learnt.total <= limit, LoadTally.read(members["latency_us"], atMost: limit, into: &second.latency)
            else { return nil }
            self.seconds.append(second)
        }
        for element in outcomes {
            guard let learnt = Outcomes(element.members) else { return nil }
            self.outcomes.append(learnt)
        }
        guard isWhole else { return nil }
    }

    /// `true` if values that are stored more than once agree.
    private var isWhole: Bool {
        let parts = [seconds.map(\.learnt), outcomes].map { $0.reduce(into: Outcomes()) { $0.add($1) } }
        return parts.allSatisfy { $0 == learnt } && learnt.total == requests
            && statuses.values.reduce(0, +) == learnt.answered && Int(latency.totalCount) == learnt.answered
            && Int(timeToAcceptance.totalCount) == learnt.accepted
    }

    /// The largest count; the sum of a thousand shares with it still fits.
    private static let largestCount = 1_000_000_000_000
    /// The largest count of a second, which no generator reaches; a thousand shares with it fit the histogram's 32 bits.
    private static let largestSecond = 4_000_000

    static var counts: [(name: String, count: WritableKeyPath<LoadTally, Int>)] {
        [
            ("first_attempts", \.firstAttempts), ("retries", \.retries), ("given_up", \.givenUp),
            ("withheld", \.withheld), ("not_accepted", \.notAccepted),
        ]
    }

    static var histograms: [(name: String, times: WritableKeyPath<LoadTally, Times>)] {
        [
            ("latency_us", \.latency), ("service_time_us", \.serviceTime), ("send_wait_us", \.sendWait),
            ("time_to_acceptance_us", \.timeToAcceptance), ("lateness_us", \.lateness),
        ]
    }

    fileprivate static func count(_ value: JSONMembers.Value?) -> Int? {
        guard let count: Int = value?.integer(), (0...largestCount).contains(count) else { return nil }
        return count
    }

    /// Reads the shortest and the longest wait of a number of requests or pushes; returns nil if they cannot be theirs.
    fileprivate static func waits(_ value: JSONMembers.Value?, of count: Int) -> ClosedRange<UInt64>?? {
        guard let bounds = value?.elements else { return .some(nil) }
        let waits: [UInt64] = bounds.compactMap { $0.integer() }
        guard bounds.count == 2, waits.count == 2, waits[0] <= waits[1], count > 0 else { return nil }
        return waits[0]...waits[1]
    }

    /// The pairs of a histogram.
    ///
    /// The last bucket has the longest value, which is kept exactly; each other bucket has its lowest value.
    private static func pairs<Count>(_ histogram: Histogram<Count>) -> String {
        let last = histogram.lowestEquivalentForValue(histogram.maxRecorded)
        let pairs = histogram.recordedValues()
            .map { step in
                let value = histogram.lowestEquivalentForValue(step.value)
                return "\(value == last ? histogram.maxRecorded : value),\(step.count)"
            }
        return "[\(pairs.joined(separator: ","))]"
    }

    /// Records pairs again; returns false if they are not pairs or their counts are too large.
    private static func read<Count>(
        _ value: JSONMembers.Value?,
        atMost limit: Int,
        into histogram: inout Histogram<Count>
    ) -> Bool {
        guard let numbers = value?.elements, numbers.count.isMultiple(of: 2) else { return false }
        var total = 0
        for index in stride(from: 0, to: numbers.count, by: 2) {
            guard let value: UInt64 = numbers[index].integer(), let count = LoadTally.count(numbers[index + 1]),
                count > 0,
                value <= histogram.highestTrackableValue
            else { return false }
            total += count
            guard total <= limit, let count = Count(exactly: count), histogram.record(value, count: count) else {
                return false
            }
        }
        return true
    }
}

extension LoadTally.Outcomes {
    fileprivate func write(to json: inout JSONText) {
        json.add("accepted", accepted)
        json.begin("reasons")
        for (reason, count) in reasons.sorted(by: { $0.key < $1.key }) { json.add(reason, count) }
        json.end()
        json.add("timed_out", timedOut)
        json.add("not_sent", notSent)
        json.add("connection_lost", connectionLost)
        json.add("not_processed", notProcessed)
        json.add("unanswered_wait_us", waits)
    }

    fileprivate init?(_ json: JSONMembers?) {
        self.init()
        guard let json, let accepted = LoadTally.count(json["accepted"]), let reasons = json["reasons"]?.members,
            let timedOut = LoadTally.count(json["timed_out"]), let notSent = LoadTally.count(json["not_sent"]),
            let connectionLost = LoadTally.count(json["connection_lost"]),
            let notProcessed = LoadTally.count(json["not_processed"])
        else { return nil }
        self.accepted = accepted
        (self.timedOut, self.notSent) = (timedOut, notSent)
        (self.connectionLost, self.notProcessed) = (connectionLost, notProcessed)
        guard let waits = LoadTally.waits(json["unanswered_wait_us"], of: missing) else { return nil }
        self.waits = waits
        for (reason, value) in reasons.members {
            guard let count = LoadTally.count(value) else { return nil }
            self.reasons[reason] = count
        }
    }
}

extension JSONText {
    /// Adds the shortest and the longest wait; nothing without any.
    fileprivate mutating func add(_ name: String, _ waits: ClosedRange<UInt64>?) {
        if let waits { add(name, raw: "[\(waits.lowerBound),\(waits.upperBound)]") }
    }
}
