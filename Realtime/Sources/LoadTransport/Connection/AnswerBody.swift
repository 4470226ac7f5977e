import NIOCore

/// Reads the body of a refusal: `{"reason":"…"}`, with a `timestamp` in milliseconds where the status is 410.
///
/// A scanner for this one shape, because a refusal may come thousands of times a second. What it cannot read is no reason.
struct AnswerBody {
    /// The reason as APNs spells it.
    private(set) var reason: String?
    /// When APNs found the token invalid [ms since 1970].
    private(set) var timestampMilliseconds: Int64?

    /// No body that APNs sends is nearly as long.
    static var largestByteCount: Int { 4096 }

    init(_ body: ByteBuffer) {
        var scanner = Scanner(rest: body.readableBytesView)
        guard scanner.take(0x7B) else { return }
        while let key = scanner.string(), scanner.take(0x3A) {
            if let text = scanner.string() {
                if key == "reason" { reason = text }
            } else if let number = scanner.number() {
                if key == "timestamp" { timestampMilliseconds = number }
            } else {
                return
            }
            guard scanner.take(0x2C) else { return }
        }
    }

    private struct Scanner {
        var rest: ByteBufferView

        /// Takes a character, and the space before it.
        mutating func take(_ character: UInt8) -> Bool {
            skipSpace()
            guard rest.first == character else { return false }
            rest.removeFirst()
            return true
        }

        /// Takes a string without escapes.
        mutating func string() -> String? {
            guard take(0x22), let end = rest.firstIndex(of: 0x22) else { return nil }
            defer { rest = rest[rest.index(after: end)...] }
            return String(decoding: rest[..<end], as: UTF8.self)
        }

        /// Takes a whole number that is not negative; what may follow its digits is left.
        mutating func number() -> Int64? {
            skipSpace()
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(digits.count)
            return Int64(String(decoding: digits, as: UTF8.self))
        }

        private mutating func skipSpace() {
            rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        }
    }
}
