import Experiments

/// The verdict at the top of a report, on the checks of a scenario or the thresholds of a load.
extension [CheckRow] {
    /// Counts the rows by verdict: `3 checks: 2 hold, 1 does not`.
    func counts(of noun: String) -> String {
        let unsure = count { $0.verdict == .notSure }
        let holding = count(where: \.holds)
        let unmeasured = count { $0.verdict == .notMeasured }
        let failures = count - unsure - holding - unmeasured
        let all = count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
        guard holding < count else { return count == 1 ? "1 \(noun): it holds" : "\(all): all hold" }
        var parts = ["\(holding) \(holding == 1 ? "holds" : "hold")"]
        if failures > 0 { parts.append("\(failures) \(failures == 1 ? "does" : "do") not") }
        if unsure > 0 { parts.append("\(unsure) \(unsure == 1 ? "is" : "are") not sure") }
        if unmeasured > 0 { parts.append("\(unmeasured) \(unmeasured == 1 ? "is" : "are") not measured") }
        return "\(all): \(parts.joined(separator: ", "))"
    }

    /// Returns the rows that do not hold, each with its limit and its value, or the reason why there is no value.
    ///
    /// - Parameter name: Returns the name of a row.
    func failures(name: (CheckRow) -> String) -> [String] {
        filter { !$0.holds }
            .map { row in
                let value = row.unmet.isEmpty ? "\(row.valueText)\(row.basis)" : row.unmet
                return "\(name(row)): \(value), must be \(row.demand)"
            }
    }

    /// Returns the verdict as a sentence in Markdown: all hold, or each that does not.
    ///
    /// - Parameters:
    ///   - noun: The kind of the rows: `check`.
    ///   - name: The property that names a row.
    /// - Precondition: There is at least one row.
    func verdict(of noun: String, name: KeyPath<CheckRow, String>) -> String {
        let failed = failures { MarkdownText.escaped($0[keyPath: name]) }
        guard !failed.isEmpty else { return "✓ **\(counts(of: noun)).**" }
        let list = failed.joined(separator: "; ")
        return "✗ **\(counts(of: noun)).** \(list)\(list.hasSuffix(".") ? "" : ".")"
    }
}
