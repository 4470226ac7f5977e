/// Cells of files as hashes and whole numbers, for readers of many rows.
package enum PlainBytes {
    /// Returns a hash of bytes that is the same in every process: FNV-1a, mixed; never 0.
    package static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
        return max(1, hash ^ hash >> 31)
    }

    /// Returns the whole number that bytes state; nil for anything else, and for more than 18 digits.
    package static func integer(_ bytes: ArraySlice<UInt8>) -> Int64? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let digits = isNegative ? bytes.dropFirst() : bytes
        guard (1...18).contains(digits.count) else { return nil }
        var number: Int64 = 0
        for byte in digits {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number * 10 + Int64(digit)
        }
        return isNegative ? -number : number
    }
}
