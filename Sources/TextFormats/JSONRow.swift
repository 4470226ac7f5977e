/// A line of newline-delimited JSON as the places of its members, without a value for each.
///
/// Nested objects are flattened: `{"push": {"id": 7}}` has the member `push.id`. Members of lists have no names and are
/// skipped. The memory of one row serves all rows.
package struct JSONRow {
    /// A member that is no object and no list.
    package struct Member {
        /// The place of its path in ``names``.
        package fileprivate(set) var name: Range<Int>
        /// The place of its value in the line, without quotes.
        package fileprivate(set) var value: Range<Int>
        /// `true` if the value contains escapes.
        package fileprivate(set) var hasEscapes: Bool
    }

    /// The members in the order of the line.
    package private(set) var members: [Member] = []
    /// The paths of the members, one after the other.
    package private(set) var names: [UInt8] = []

    /// The depth up to which objects may be nested.
    private static let deepest = 16

    /// Creates a row without members.
    package init() {}

    /// Reads a line.
    ///
    /// - Returns: `false` if it is not one JSON object; the members are then not valid.
    package mutating func read(_ line: [UInt8]) -> Bool {
        members.removeAll(keepingCapacity: true)
        names.removeAll(keepingCapacity: true)
        return line.withUnsafeBufferPointer { bytes in
            var scanner = Scanner(bytes: bytes)
            guard scanner.object(into: &self, parent: 0..<0, depth: 0) else { return false }
            scanner.skipSpace()
            return scanner.position == bytes.count
        }
    }

    fileprivate mutating func add(name: UnsafeBufferPointer<UInt8>.SubSequence, parent: Range<Int>) -> Range<Int> {
        let start = names.count
        for index in parent { names.append(names[index]) }
        if !parent.isEmpty { names.append(UInt8(ascii: ".")) }
        names.append(contentsOf: name)
        return start..<names.count
    }

    fileprivate mutating func add(_ member: Member) { members.append(member) }

    /// Returns the bytes of a value with its escapes replaced.
    package static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        // A string is a value of its own, so the reader of whole documents decodes it.
        let text = [UInt8(ascii: "{"), UInt8(ascii: "\""), UInt8(ascii: "v"), UInt8(ascii: "\""), UInt8(ascii: ":")]
        let document = text + [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\""), UInt8(ascii: "}")]
        guard let value = try? JSONMembers(document)["v"]?.text else { return Array(bytes) }
        return Array(value.utf8)
    }

    private struct Scanner {
        let bytes: UnsafeBufferPointer<UInt8>
        var position = 0

        init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

        var peek: UInt8 { position < bytes.count ? bytes[position] : 0 }

        mutating func skipSpace() {
            while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 || bytes[position] == 0x0D
            {
                position += 1
            }
        }

        mutating func takes(_ byte: UInt8) -> Bool {
            skipSpace()
            guard peek == byte, position < bytes.count else { return false }
            position += 1
            return true
        }

        mutating func object(into row: inout JSONRow, parent: Range<Int>, depth: Int) -> Bool {
            guard depth <= JSONRow.deepest, takes(UInt8(ascii: "{")) else { return false }
            if takes(UInt8(ascii: "}")) { return true }
            repeat {
                skipSpace()
                guard let key = string(), takes(UInt8(ascii: ":")) else { return false }
                let name = row.add(name: bytes[key.range], parent: parent)
                skipSpace()
                guard value(named: name, into: &row, depth: depth) else { return false }
            } while takes(UInt8(ascii: ","))
            return takes(UInt8(ascii: "}"))
        }

        mutating func value(named name: Range<Int>, into row: inout JSONRow, depth: Int) -> Bool {
            switch peek {
            case UInt8(ascii: "{"):
                return object(into: &row, parent: name, depth: depth + 1)
            case UInt8(ascii: "["):
                return list(into: &row, depth: depth + 1)
            case UInt8(ascii: "\""):
                guard let text = string() else { return false }
                row.add(Member(name: name, value: text.range, hasEscapes: text.hasEscapes))
                return true
            default:
                let start = position
                while position < bytes.count, !JSONRow.endsWord(bytes[position]) { position += 1 }
                guard JSONRow.isWord(bytes[start..<position]) else { return false }
                let isNull = bytes[start] == UInt8(ascii: "n")
                row.add(Member(name: name, value: isNull ? start..<start : start..<position, hasEscapes: false))
                return true
            }
        }

        private mutating func list(into row: inout JSONRow, depth: Int) -> Bool {
            guard depth <= JSONRow.deepest, takes(UInt8(ascii: "[")) else { return false }
            if takes(UInt8(ascii: "]")) { return true }
            let kept = row.members.count
            repeat {
                skipSpace()
                guard value(named: 0..<0, into: &row, depth: depth) else { return false }
            } while takes(UInt8(ascii: ","))
            row.members.removeSubrange(kept...)
            return takes(UInt8(ascii: "]"))
        }

        private mutating func string() -> (range: Range<Int>, hasEscapes: Bool)? {
            guard position < bytes.count, peek == UInt8(ascii: "\"") else { return nil }
            position += 1
            let start = position
            var hasEscapes = false
            while position < bytes.count {
                let byte = bytes[position]
                if byte == UInt8(ascii: "\"") {
                    position += 1
                    return (start..<(position - 1), hasEscapes)
                }
                guard byte >= 0x20 else { return nil }
                if byte == UInt8(ascii: "\\") {
                    hasEscapes = true
                    position += 1
                }
                position += 1
            }
            return nil
        }
    }

    @inline(__always)
    private static func endsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x09, 0x0D: true
        default: false
        }
    }

    @inline(__always)
    private static func isInNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): true
        default: false
        }
    }

    /// Returns `true` for a number, `true`, `false` or `null`.
    private static func isWord(_ bytes: UnsafeBufferPointer<UInt8>.SubSequence) -> Bool {
        guard let first = bytes.first else { return false }
        if first == UInt8(ascii: "-") || (0x30...0x39).contains(first) {
            return bytes.allSatisfy { (0x30...0x39).contains($0) || isInNumber($0) }
        }
        return ["true", "false", "null"].contains { bytes.elementsEqual($0.utf8) }
    }
}
