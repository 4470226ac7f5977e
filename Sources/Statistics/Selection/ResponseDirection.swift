/// The better values of a response.
public enum ResponseDirection: Hashable, Sendable, CaseIterable {
    case maximise
    case minimise

    /// Returns the value or its negative, so that larger is better.
    public func oriented(_ value: Double) -> Double {
        switch self {
        case .maximise: value
        case .minimise: -value
        }
    }
}
