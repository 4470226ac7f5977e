import InputFiles
public import ScenarioLanguage

extension ReaderCheck {
    /// Returns the faults of an error about a file.
    public func complaints(about error: ScenarioError, of bytes: [UInt8]) -> [String] {
        switch error {
        case .missing, .unreadable, .unavailable:
            return ["a file that is there is refused as \(error)"]
        case .invalid(let diagnostics):
            return complaints(about: diagnostics, of: bytes)
        }
    }

    /// Returns the faults of the diagnostics of a file.
    func complaints(about diagnostics: [Diagnostic], of bytes: [UInt8]) -> [String] {
        guard !diagnostics.isEmpty else { return ["a refusal without a diagnostic"] }
        let lines = Self.lineCount(bytes)
        return diagnostics.compactMap { diagnostic in
            let isInFile = diagnostic.file == scratchFile
            let isInPlace =
                isInFile
                ? (1...lines + 1).contains(diagnostic.line) && diagnostic.column >= 1
                : diagnostic.file.utf8.starts(with: "--set ".utf8) && diagnostic.line == 0
            if !isInPlace { return "no place of \(lines) lines: \(Self.excerpt(diagnostic.description))" }
            if diagnostic.message.isEmpty { return "an empty message at \(diagnostic.line):\(diagnostic.column)" }
            if diagnostic.message.unicodeScalars.count > Self.longestMessage {
                return "a message as long as the input: \(Self.excerpt(diagnostic.message))"
            }
            if diagnostic.message.unicodeScalars.contains(where: Self.isUnfitForMessages) {
                return "a control character in a message: \(Self.excerpt(diagnostic.message))"
            }
            return nil
        }
    }

    /// Returns the number of lines, at least one, for every line ending of YAML and CSV.
    private static func lineCount(_ bytes: [UInt8]) -> Int {
        var lines = 1
        var previous: Unicode.Scalar?
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "\n" where previous == "\r": break
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": lines += 1
            default: break
            }
            previous = scalar
        }
        return lines
    }

    /// Returns `true` for characters that can control a terminal: controls, line and paragraph separators, and marks
    /// that change the text direction.
    private static func isUnfitForMessages(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .format: true
        default: false
        }
    }

    /// The first characters of a text, without those that could control a terminal.
    public static func excerpt(_ text: String) -> String {
        String(text.unicodeScalars.prefix(300).map { isUnfitForMessages($0) ? "¤" : Character($0) })
    }
}
