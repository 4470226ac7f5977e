/// A small fixed generator, so that a seed identifies a failing case.
///
/// It is a Weyl sequence through the finalizer of MurmurHash3. Code under test does not use it.
public struct TestStream: Sendable {
    private var state: UInt64

    /// Creates the stream of a seed.
    public init(seed: UInt64) {
        state = seed
    }

    /// Returns the next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 33) &* 0xFF51_AFD7_ED55_8CCD
        mixed = (mixed ^ mixed >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return mixed ^ mixed >> 33
    }

    /// Returns a number in 0..<limit.
    public mutating func next(below limit: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(limit)).high)
    }

    /// Returns a whole number in a range.
    public mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + Int64(UInt64(range.upperBound - range.lowerBound + 1).multipliedFullWidth(by: next()).high)
    }

    /// Returns a fraction in 0..<1.
    public mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns `true` with a probability in percent.
    public mutating func yes(_ percent: Int64) -> Bool { number(1...100) <= percent }

    /// Returns one of the elements.
    public mutating func one<Element>(of elements: [Element]) -> Element {
        elements[Int(number(0...Int64(elements.count - 1)))]
    }
}
