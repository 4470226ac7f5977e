import TextFormats

/// A user's payload that many pushes carry, each with dates of its own.
///
/// A phone drops an update whose `timestamp` is not above that of the last one, so a document that is sent as it stands has
/// effect once. Here each push has a timestamp, also where the document has none; `stale-date` and `dismissal-date` keep their
/// distance from it. All other bytes stay, and so does a document without an object `aps`.
package struct PayloadDocument: Hashable, Sendable {
    /// A piece of the document.
    private enum Piece: Hashable, Sendable {
        case bytes([UInt8])
        /// A date, by its distance from the timestamp [s].
        case date(after: Int64)
    }

    private let pieces: [Piece]

    /// Where a document is not JSON, or not an object.
    package struct Malformed: Error, Hashable {
        /// The line, from 1.
        package let line: Int
        /// The column, from 1 [bytes].
        package let column: Int
        /// The text that is allowed there.
        package let expected: String
    }

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - text: The document.
    ///   - now: The timestamp [s since 1970] from which dates count where the document has none.
    package init(_ text: String, now: Int64) throws(Malformed) {
        let bytes = Array(text.utf8)
        let document: JSONMembers
        do throws(JSONMembers.Malformed) {
            document = try JSONMembers(bytes)
        } catch {
            let before = bytes.prefix(error.offset)
            let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            let line = before.count { $0 == UInt8(ascii: "\n") } + 1
            throw Malformed(line: line, column: error.offset - start + 1, expected: error.expected)
        }
        guard let start = document.range(of: "aps")?.lowerBound, let aps = document["aps"]?.members else {
            pieces = [.bytes(bytes)]
            return
        }
        let origin = aps.seconds("timestamp") ?? now
        let dates = ["timestamp", "stale-date", "dismissal-date"]
            .compactMap { name -> (range: Range<Int>, distance: Int64)? in
                guard let range = aps.range(of: name), let date = aps.seconds(name) else { return nil }
                return (start + range.lowerBound..<start + range.upperBound, date &- origin)
            }
            .sorted { $0.range.lowerBound < $1.range.lowerBound }
        var pieces: [Piece] = []
        var place = 0
        if aps["timestamp"] == nil {
            place = start + 1
            pieces += [.bytes(bytes[..<place] + Array("\"timestamp\":".utf8)), .date(after: 0)]
            if !aps.members.isEmpty { pieces.append(.bytes([UInt8(ascii: ",")])) }
        }
        for (range, distance) in dates {
            pieces += [.bytes(Array(bytes[place..<range.lowerBound])), .date(after: distance)]
            place = range.upperBound
        }
        self.pieces = pieces + [.bytes(Array(bytes[place...]))]
    }

    /// The document with a timestamp [s since 1970].
    package func bytes(timestamp: Int64) -> [UInt8] {
        pieces.flatMap { piece in
            switch piece {
            case .bytes(let bytes): bytes
            case .date(let distance): Array(String(timestamp &+ distance).utf8)
            }
        }
    }
}

extension JSONMembers {
    /// A date in whole seconds; nil for anything else.
    fileprivate func seconds(_ name: String) -> Int64? {
        self[name]?.number.flatMap { Int64(exactly: $0.rounded(.down)) }
    }
}
