import Testing

@testable import Wire

@Suite("Token digests")
struct TokenDigestTests {
    private static let digits = Array(String(repeating: "0123456789abcdefABCDEF9f", count: 7).utf8.prefix(160))

    private static func isRead(_ digits: [UInt8]) -> Bool {
        TokenDigest(hexadecimal: Substring(String(decoding: digits, as: UTF8.self))) != nil
    }

    @Test("Digits are read in all lengths of device tokens", arguments: [2, 22, 24, 26, 40, 54, 64, 160])
    func lengths(_ count: Int) {
        #expect(Self.isRead(Array(Self.digits.prefix(count))))
        #expect(!Self.isRead(Array(Self.digits.prefix(count - 1))))
    }

    @Test("A byte that is not a digit is found at any position", arguments: [23, 24, 31, 39, 40, 159])
    func otherBytes(_ position: Int) {
        for byte in 0..<128 as Range<UInt8> {
            var digits = Self.digits
            digits[position] = byte
            let isDigit = "0123456789abcdefABCDEF".utf8.contains(byte)
            #expect(Self.isRead(digits) == isDigit, "byte \(byte) at \(position)")
        }
    }
}
