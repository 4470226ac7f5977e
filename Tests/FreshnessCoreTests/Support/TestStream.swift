/// A small fixed generator, so that a failing case can be told by its seed.
///
/// A Weyl sequence through the finaliser of MurmurHash3; nothing under test draws from it.
struct TestStream {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 33) &* 0xFF51_AFD7_ED55_8CCD
        mixed = (mixed ^ mixed >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return mixed ^ mixed >> 33
    }

    /// A number in 0..<limit.
    mutating func next(below limit: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(limit)).high)
    }
}
