public import Quantities

/// A hash of everything that happened in a run: of each event its (time, event, subject).
///
/// Two runs with one fingerprint had the same history, up to a chance of about 2^-64. Events are added up, so it does not
/// matter in which order a host works them out: each carries its instant. Numbers and bytes are taken in one after the
/// other; each such step is a bijection of the state, so a difference once made cannot be hidden by what follows alike.
@frozen
public struct Fingerprint: Hashable, Sendable {
    @usableFromInline
    var state: UInt64

    /// The fingerprint of nothing: the fraction of the golden ratio, as any constant would do.
    @inlinable
    public init() {
        state = 0x9E37_79B9_7F4A_7C15
    }

    /// A fingerprint that was taken before, from its ``value``.
    @inlinable
    public init(value: UInt64) {
        state = value
    }

    /// The hash so far.
    @inlinable
    public var value: UInt64 { state }

    /// Takes in one number.
    @inlinable
    public mutating func combine(_ number: UInt64) {
        // The multiplier is odd and the shift is an xor-shift: both invertible. It is the first constant of Stafford's
        // thirteenth variant of the 64-bit finaliser.
        var mixed = (state ^ number) &* 0xBF58_476D_1CE4_E5B9
        mixed ^= mixed >> 31
        state = mixed
    }

    /// Takes in bytes: words of eight in little-endian order, the bytes that are left one by one, and how many there were.
    ///
    /// Complexity: O(n). Not inlinable: in a build for debugging this target is optimised, its callers are not.
    public mutating func combine(bytes: UnsafeRawBufferPointer) {
        let wholeWords = bytes.count / 8 * 8
        for offset in stride(from: 0, to: wholeWords, by: 8) {
            combine(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        }
        for byte in bytes[wholeWords...] { combine(UInt64(byte)) }
        combine(UInt64(bytes.count))
    }

    /// Takes in one event, before or after others.
    ///
    /// What is added is a hash of the event alone: a folded product of two words, as in W. Yi's wyhash, a multiplication and a
    /// shift, without which the sum of some would be a hash of a sum.
    @inlinable
    @inline(__always)
    public mutating func add(time: Instant, event: UInt8, subject: UInt64) {
        let occasion = UInt64(bitPattern: time.microseconds) ^ UInt64(event) &<< 56 ^ 0x9E37_79B9_7F4A_7C15
        let product = occasion.multipliedFullWidth(by: subject ^ 0xD6E8_FEB8_6659_FD93)
        let mixed = (product.high ^ product.low ^ occasion) &* 0xBF58_476D_1CE4_E5B9
        state &+= mixed ^ mixed &>> 32
    }
}
