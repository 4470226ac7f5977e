/// Inputs with a short description that take long to read: one piece, repeated up to a size.
///
/// Each makes something grow that a careless reader would scan again for every piece: keys, errors, anchors, columns.
public struct LargeInput: Sendable {
    /// The name, which says what grows.
    public let name: String
    /// The reader that gets the input.
    public let reader: ReaderCheck.Reader
    private let start: String
    private let piece: @Sendable (Int) -> String
    private let end: String

    /// Creates an input: the start, pieces by their number, and the end.
    public init(
        _ name: String,
        _ reader: ReaderCheck.Reader,
        start: String = "",
        end: String = "",
        _ piece: @escaping @Sendable (Int) -> String
    ) {
        self.name = name
        self.reader = reader
        self.start = start
        self.piece = piece
        self.end = end
    }

    /// Returns the input with at most, and about, this number of bytes.
    public func bytes(size: Int) -> [UInt8] {
        var bytes = Array(start.utf8)
        var number = 0
        while true {
            let next = piece(number).utf8
            guard bytes.count + next.count + end.utf8.count <= size else { break }
            bytes += next
            number += 1
        }
        return bytes + Array(end.utf8)
    }
}
