/// The SplitMix64 generator of Steele, Lea and Flood (OOPSLA 2014), so that tests draw the same everywhere.
struct SplitMix {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }

    /// A whole number within bounds.
    mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + Int64(UInt64(range.upperBound - range.lowerBound + 1).multipliedFullWidth(by: next()).high)
    }

    /// A fraction of one.
    mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Yes, so many times in a hundred.
    mutating func yes(_ percent: Int64) -> Bool { number(1...100) <= percent }

    /// One of some values.
    mutating func one<Element>(of elements: [Element]) -> Element {
        elements[Int(number(0...Int64(elements.count - 1)))]
    }
}
