public import LiveActivityModel
import TextFormats

extension TraceCleaning {
    /// The reason for rides requested after the end of the run.
    package static let afterTheRun = "request_after_the_run"
    /// The reason for cancelled rides in a file that has no column for the cancellation.
    static let cancelledWithoutColumn = "no_column_for_cancellation"
    /// The reason for rides over the hour that occurs twice in autumn.
    static let clockChange = "clock_change"

    /// The number of rows left out because they are unclean, except for rows that the file could not state any better.
    package var badRows: Int {
        leftOut.filter { ![Self.afterTheRun, Self.cancelledWithoutColumn, Self.clockChange].contains($0.reason) }
            .reduce(0) { $0 + $1.rows }
    }

    /// Returns the words of a reason after a count of rows: "40 rows without a pickup time".
    public static func words(ofReason reason: String) -> String {
        RideTimeline.Omission(rawValue: reason)?.words ?? RideTimeline.Repair(rawValue: reason)?.words
            ?? [
                afterTheRun: "with a request after the end of the run",
                cancelledWithoutColumn: "with a cancelled ride in a file without a column of cancellation times",
                clockChange: "over the hour that occurs twice when clocks are set back",
            ][reason] ?? reason.replacing("_", with: " ")
    }

    /// Returns lines about the omitted and repaired rows of a file; none if every row is a ride as it is.
    public func lines(of file: String) -> [String] {
        var parts: [String] = []
        func add(_ what: String, _ counts: [Count]) {
            guard !counts.isEmpty else { return }
            let listed = counts.map { count in
                count.words + (count.firstLine > 0 ? " (first in line \(count.firstLine))" : "")
            }
            parts.append("\(what): \(listed.joined(separator: ", "))")
        }
        add("left out", leftOut)
        add("repaired", repaired)
        let rows = read - otherProvider
        let counts = parts.isEmpty ? [] : ["\(kept) of \(rows) rows became rides; \(parts.joined(separator: "; "))"]
        return (counts + remarks).map { "\(OneLine.text(file)): \($0)" }
    }
}

extension TraceCleaning.Count {
    /// The count in words: "40 rows without a pickup time".
    package var words: String { "\(rows) \(rows == 1 ? "row" : "rows") \(TraceCleaning.words(ofReason: reason))" }
}

extension RideTimeline.Omission {
    /// The words after a count of rows.
    fileprivate var words: String {
        switch self {
        case .unparsableTime: "with a time that cannot be read"
        case .noRequest: "without a request time"
        case .noPickup: "without a pickup time"
        case .noDropoff: "without a drop-off time"
        case .dropoffNotAfterPickup: "with a drop-off that is not after the pickup"
        case .noCancellation: "with a cancelled ride but without a cancellation time"
        case .cancellationBeforeRequest: "with a cancellation before the request"
        case .longerThanLimit: "with a ride longer than rides.trace.longest_ride"
        }
    }
}

extension RideTimeline.Repair {
    /// The words after a count of rows.
    fileprivate var words: String {
        switch self {
        case .momentAfterCancellation: "with a moment after the cancellation"
        case .arrivalAfterPickup: "with an arrival after the pickup"
        case .acceptedAfterArrival: "with an acceptance after the arrival"
        case .pickupBeforeRequest: "with a pickup before the request"
        case .arrivalBeforeRequest: "with an arrival before the request"
        case .acceptedBeforeRequest: "with an acceptance before the request"
        case .arrivalMissing: "without an arrival time"
        case .acceptedMissing: "without an acceptance time"
        }
    }
}
