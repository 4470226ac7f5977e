import Experiments

/// What stands on top of a report: of the checks of a scenario, and of the thresholds of a test in real time.
extension [CheckRow] {
    /// How many hold: `3 checks: 2 hold, 1 does not`.
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

    /// Each that does not hold, with its value and its limit; for a value that was not measured the reason.
    ///
    /// - Parameter name: What each is called.
    func failures(name: (CheckRow) -> String) -> [String] {
        filter { !$0.holds }
            .map { row in
                let value = row.unmet.isEmpty ? "\(row.valueText)\(row.basis)" : row.unmet
                return "\(name(row)): \(value), must be \(row.demand)"
            }
    }

    /// A sentence in Markdown: that all hold, or each that does not.
    ///
    /// - Parameters:
    ///   - noun: What each is: `check`.
    ///   - name: What each is called.
    /// - Precondition: There are some.
    func verdict(of noun: String, name: KeyPath<CheckRow, String>) -> String {
        let failed = failures { MarkdownText.escaped($0[keyPath: name]) }
        guard !failed.isEmpty else { return "✓ **\(counts(of: noun)).**" }
        let list = failed.joined(separator: "; ")
        return "✗ **\(counts(of: noun)).** \(list)\(list.hasSuffix(".") ? "" : ".")"
    }
}
