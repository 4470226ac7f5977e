/// Which values of a response are the better ones.
public enum ResponseDirection: Hashable, Sendable, CaseIterable {
    case maximise
    case minimise

    /// The value, or its negative, such that larger is better.
    func oriented(_ value: Double) -> Double {
        switch self {
        case .maximise: value
        case .minimise: -value
        }
    }
}
