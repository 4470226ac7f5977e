import TextFormats

/// A user's payload that many pushes carry, each with its own dates.
///
/// A phone shows an update only if its `timestamp` is above the last one's, so a document that is sent unchanged has effect
/// once. Therefore each push gets a timestamp, even if the document has none; `stale-date` and `dismissal-date` keep their
/// distance from it. All other bytes stay unchanged, and so does a document without an object `aps`.
package struct PayloadDocument: Hashable, Sendable {
    /// A piece of the document.
    private enum Piece: Hashable, Sendable {
        case bytes([UInt8])
        /// A date, by its distance from the timestamp [s].
        case date(after: Int64)
    }

    private let pieces: [Piece]

    /// A document that cannot be sent, and the place of its first problem.
    package struct Malformed: Error, Hashable {
        /// The line, from 1.
        package let line: Int
        /// The column, from 1 [bytes].
        package let column: Int
        /// The rule that is broken there, with the value that was found.
        package let problem: String
    }

    /// The dates that a document may have [s since 1970], up to the year 2286; numbers of milliseconds are larger.
    private static let dates: ClosedRange<Double> = 0...9_999_999_999

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - text: The document.
    ///   - now: The timestamp [s since 1970] from which dates count if the document has none.
    /// - Throws: ``Malformed`` for anything but a JSON object, for a name that appears twice in it or in `aps`, and for a date
    ///   in `aps` that is not in seconds, or for a start that names a channel and asks for a token.
    package init(_ text: String, now: Int64) throws(Malformed) {
        let bytes = Array(text.utf8)
        func malformed(_ offset: Int, _ problem: String) -> Malformed {
            let before = bytes.prefix(offset)
            let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            let line = before.count { $0 == UInt8(ascii: "\n") } + 1
            return Malformed(line: line, column: offset - start + 1, problem: problem)
        }
        func members(_ object: [UInt8], at start: Int) throws(Malformed) -> JSONMembers {
            do throws(JSONMembers.Malformed) {
                return try JSONMembers(object)
            } catch {
                throw malformed(start + error.offset, "must be a JSON object; expected \(error.expected)")
            }
        }
        let document = try members(bytes, at: 0)
        guard let start = document.range(of: "aps")?.lowerBound, let object = document["aps"]?.object else {
            pieces = [.bytes(bytes)]
            return
        }
        let aps = try members(object, at: start)
        for name in ["timestamp", "stale-date", "dismissal-date"] {
            guard let value = aps[name], let range = aps.range(of: name) else { continue }
            // A null is an optional date that is absent; a timestamp is not optional.
            if value == .null, name != "timestamp" { continue }
            guard let date = value.number, Self.dates.contains(date) else {
                let hint = value.number.map { (1e11..<1e14).contains($0) } == true ? ", which are milliseconds" : ""
                throw malformed(
                    start + range.lowerBound,
                    "aps.\(name) must be a number of seconds since 1970 within 0...9999999999, got \(value.kind)\(hint)"
                )
            }
        }
        if let token = aps.range(of: "input-push-token"), aps["input-push-token"] != .null,
            let channel = aps.range(of: "input-push-channel"), aps["input-push-channel"] != .null
        {
            let other = malformed(start + token.lowerBound, "")
            throw malformed(
                start + channel.lowerBound,
                "aps.input-push-channel must not be beside aps.input-push-token (\(other.line):\(other.column)), got both; "
                    + "allowed: one of them, because a card follows its token or a channel"
            )
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

    /// `true` if each push gets a timestamp of its own.
    package var isStamped: Bool { pieces.count > 1 }

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
