public import Quantities

/// A hash of everything that happened in a run: the (time, event, subject) of each event.
///
/// Two runs with the same fingerprint had the same history, except with a probability of about 2^-64. Events are added,
/// so the order in which a host processes them does not matter: each includes its instant. Numbers and bytes are
/// combined in sequence. Each step is a bijection of the state, so equal later steps cannot hide a difference.
@frozen
public struct Fingerprint: Hashable, Sendable {
    @usableFromInline
    var state: UInt64

    /// Creates the fingerprint of no events: the fraction of the golden ratio, an arbitrary constant.
    @inlinable
    public init() {
        state = 0x9E37_79B9_7F4A_7C15
    }

    /// Restores a fingerprint from its ``value``.
    @inlinable
    public init(value: UInt64) {
        state = value
    }

    /// The hash so far.
    @inlinable
    public var value: UInt64 { state }

    /// Combines a number.
    @inlinable
    public mutating func combine(_ number: UInt64) {
        // The multiplier is odd and the shift is an xor-shift: both invertible. It is the first constant of Stafford's
        // thirteenth variant of the 64-bit finaliser.
        var mixed = (state ^ number) &* 0xBF58_476D_1CE4_E5B9
        mixed ^= mixed >> 31
        state = mixed
    }

    /// Combines bytes: words of eight in little-endian order, then the remaining bytes one by one, then their number.
    ///
    /// - Complexity: O(*n*). Not inlinable, because in a debug build this target is optimised and its callers are not.
    public mutating func combine(bytes: UnsafeRawBufferPointer) {
        let wholeWords = bytes.count / 8 * 8
        for offset in stride(from: 0, to: wholeWords, by: 8) {
            combine(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        }
        for byte in bytes[wholeWords...] { combine(UInt64(byte)) }
        combine(UInt64(bytes.count))
    }

    /// Adds one event, in any order.
    ///
    /// The term is a hash of the event alone: a folded product of two words, as in W. Yi's wyhash, then a
    /// multiplication and a shift, without which the sum of several hashes would be a hash of a sum.
    @inlinable
    @inline(__always)
    public mutating func add(time: Instant, event: UInt8, subject: UInt64) {
        let occasion = UInt64(bitPattern: time.microseconds) ^ UInt64(event) &<< 56 ^ 0x9E37_79B9_7F4A_7C15
        let product = occasion.multipliedFullWidth(by: subject ^ 0xD6E8_FEB8_6659_FD93)
        let mixed = (product.high ^ product.low ^ occasion) &* 0xBF58_476D_1CE4_E5B9
        state &+= mixed ^ mixed &>> 32
    }
}
