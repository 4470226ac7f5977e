import Evaluation

extension SummaryRow {
    /// The row as text with its value, so that a wrong row is visible in a diff.
    var text: String {
        let shown =
            switch value {
            case .integer(let number): "\(number)"
            case .decimal(let number): "\(number)"
            case nil: "undefined"
            }
        return "\(metric){\(scope)}.\(stat) = \(shown) \(unit)"
    }
}
