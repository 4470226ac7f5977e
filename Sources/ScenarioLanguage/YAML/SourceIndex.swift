import InputFiles

/// A text indexed by line and column, as counted by the YAML parser.
struct SourceIndex {
    /// The number of open brackets above which texts are not parsed.
    ///
    /// The parser is recursive. The bound is far above ``YAMLText/deepest``, because brackets in strings and comments
    /// count too. Together with ``widestLead`` it keeps the parser within a stack of 512 KiB, the smallest in use.
    private static let mostOpenBrackets = 200

    /// The columns of indentation and indicators at the beginning of a line above which texts are not parsed.
    private static let widestLead = 100

    private let scalars: [Unicode.Scalar]
    private let lineStarts: [Int]

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        var lineStarts = [0]
        for (position, scalar) in scalars.enumerated() {
            let isBreak =
                switch scalar {
                case "\n", "\u{85}", "\u{2028}", "\u{2029}": true
                case "\r": position + 1 == scalars.count || scalars[position + 1] != "\n"
                default: false
                }
            if isBreak { lineStarts.append(position + 1) }
        }
        self.lineStarts = lineStarts
    }

    /// Returns the index of a place in the text; nil outside of it.
    func position(of place: Place) -> Int? {
        guard case .file(let line, let column) = place, lineStarts.indices.contains(line - 1) else { return nil }
        let position = lineStarts[line - 1] + column - 1
        return scalars.indices.contains(position) ? position : nil
    }

    /// Returns the scalar at a place; nil outside of the text.
    func scalar(at place: Place) -> Unicode.Scalar? {
        position(of: place).map { scalars[$0] }
    }

    /// Returns the place of a scalar by its index.
    func place(ofPosition position: Int) -> Place {
        let line = lineStarts.lastIndex { $0 <= position } ?? 0
        return .file(line: line + 1, column: position - lineStarts[line] + 1)
    }

    /// Returns the place of a character by its offset in a text with the same lines.
    func place(ofCharacter offset: Int, in text: String) -> Place {
        place(ofPosition: text.prefix(offset).unicodeScalars.count)
    }

    /// Returns a place at which the nesting could exceed the parser's stack; nil if there is none.
    ///
    /// It never misses such a place: a level is opened by a bracket, or begins at a column of its own after indentation
    /// and indicators.
    func overlyDeepPlace() -> Place? {
        var open = 0
        var lead: Int? = 0
        for (position, scalar) in scalars.enumerated() {
            switch scalar {
            case "[", "{": open += 1
            case "]", "}": open = max(0, open - 1)
            default: break
            }
            switch scalar {
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": lead = 0
            case " ", "\t", "-", "?", ":": lead = lead.map { $0 + 1 }
            default: lead = nil
            }
            if open > Self.mostOpenBrackets || (lead ?? 0) > Self.widestLead {
                return place(ofPosition: position)
            }
        }
        return nil
    }
}
