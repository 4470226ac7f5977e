extension BinaryInteger {
    /// The number with its noun: "1 retry", "3 retries".
    public func counted(_ one: String, _ many: String) -> String { "\(self) \(self == 1 ? one : many)" }
}
