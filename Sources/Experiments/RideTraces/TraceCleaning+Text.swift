public import LiveActivityModel

extension TraceCleaning {
    /// The reason of rides that are requested when the run takes no more.
    static let afterTheRun = "request_after_the_run"
    /// The reason of cancelled rides of a file that has no column for the cancellation.
    static let cancelledWithoutColumn = "no_column_for_cancellation"
    /// The reason of rides over the hour that comes twice in autumn.
    static let clockChange = "clock_change"

    /// Rows that are left out because they are unclean; rows that no file of the kind could state better do not count.
    var badRows: Int {
        leftOut.filter { ![Self.afterTheRun, Self.cancelledWithoutColumn, Self.clockChange].contains($0.reason) }
            .reduce(0) { $0 + $1.rows }
    }

    /// The rows of a file that were left out or repaired, in lines; none where each row is a ride as it is.
    public func lines(of file: String) -> [String] {
        var parts: [String] = []
        func add(_ what: String, _ counts: [Count]) {
            guard !counts.isEmpty else { return }
            let listed = counts.map { count in
                let place = count.firstLine > 0 ? " (first in line \(count.firstLine))" : ""
                return "\(count.rows) \(count.reason.replacing("_", with: " "))\(place)"
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
