import Experiments

extension SummaryRow {
    /// The row in words, with its value: a wrong row shows itself in a diff.
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
