import LiveActivityModel

/// A writer of numbers in few bytes: each as LEB128 of its zigzag form (as in Protocol Buffers).
///
/// A run of zeros, common in histograms, is written as a zero and the run's length.
package struct NumberWriter: NumberTransfer {
    private var written: [UInt8] = []
    private var zeros: UInt64 = 0

    /// Creates a writer of nothing so far.
    package init() {}

    package mutating func transfer(_ number: inout Int64) { write(number) }

    package mutating func transfer(_ numbers: inout [Int64]) {
        for number in numbers { write(number) }
    }

    private mutating func write(_ number: Int64) {
        if number == 0 {
            zeros += 1
            return
        }
        endZeros()
        append(UInt64(bitPattern: number << 1 ^ number >> 63))
    }

    /// Returns everything written.
    package mutating func bytes() -> [UInt8] {
        endZeros()
        return written
    }

    private mutating func endZeros() {
        guard zeros > 0 else { return }
        append(0)
        append(zeros)
        zeros = 0
    }

    private mutating func append(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            written.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        written.append(UInt8(rest))
    }
}

/// A reader of the output of a ``NumberWriter``; it returns zeros after the last number.
package struct NumberReader: NumberTransfer {
    private let bytes: [UInt8]
    private var position = 0
    private var zeros: UInt64 = 0
    private var isExhausted = false

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// `true` if every number has been read, and no more.
    package var isAtEnd: Bool { position == bytes.count && zeros == 0 && !isExhausted }

    package mutating func transfer(_ number: inout Int64) {
        if zeros > 0 {
            zeros -= 1
            number = 0
            return
        }
        let code = next()
        if code == 0 {
            let count = next()
            zeros = count > 0 ? count - 1 : 0
            number = 0
            return
        }
        number = Int64(bitPattern: code >> 1) ^ -Int64(bitPattern: code & 1)
    }

    package mutating func transfer(_ numbers: inout [Int64]) {
        var index = 0
        while index < numbers.count {
            guard zeros > 0 else {
                transfer(&numbers[index])
                index += 1
                continue
            }
            let end = index + Int(min(zeros, UInt64(numbers.count - index)))
            for place in index..<end { numbers[place] = 0 }
            zeros -= UInt64(end - index)
            index = end
        }
    }

    private mutating func next() -> UInt64 {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count, shift < 64 {
            let byte = bytes[position]
            position += 1
            result |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return result }
            shift += 7
        }
        isExhausted = true
        return 0
    }
}
