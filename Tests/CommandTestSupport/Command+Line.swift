extension Command {
    /// The words of a command line, written as a user types it: `"run \(file) --set 'sender.streams=[1, 2]'"`.
    ///
    /// Words end at white space outside `'…'`. An interpolated value never ends a word, and an interpolated list of words
    /// is added whole.
    public struct Line: ExpressibleByStringInterpolation, Sendable {
        /// The words, without quotation marks.
        public let words: [String]

        /// The words of a line without interpolations.
        public init(stringLiteral line: String) {
            var interpolation = StringInterpolation(literalCapacity: line.count, interpolationCount: 0)
            interpolation.appendLiteral(line)
            self.init(stringInterpolation: interpolation)
        }

        /// The words of a line.
        public init(stringInterpolation: StringInterpolation) {
            words = stringInterpolation.words
        }

        /// Collects the words of a line.
        public struct StringInterpolation: StringInterpolationProtocol {
            fileprivate var words: [String] = []
            private var isInWord = false
            private var isQuoted = false

            /// Begins without words.
            public init(literalCapacity: Int, interpolationCount: Int) {}

            /// Adds what the user types.
            public mutating func appendLiteral(_ literal: String) {
                for character in literal {
                    if character == "'" {
                        isQuoted.toggle()
                        appendInterpolation("")
                    } else if character.isWhitespace, !isQuoted {
                        isInWord = false
                    } else {
                        appendInterpolation(character)
                    }
                }
            }

            /// Adds a value to the current word.
            public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
                if !isInWord { words.append("") }
                isInWord = true
                words[words.count - 1] += value.description
            }

            /// Adds the words of another line.
            public mutating func appendInterpolation(_ line: Line) { appendInterpolation(line.words) }

            /// Adds words.
            public mutating func appendInterpolation(_ list: [String]) {
                words += list
                isInWord = false
            }
        }
    }
}
