import Shell
package import Wire

/// A reader of files of device tokens, one per line in hexadecimal digits; empty lines do not count.
///
/// Tokens identify people's devices, so messages state nothing of them but their length.
package enum TokensFile {
    /// The most tokens of a load.
    package static let most = 10_000_000
    /// The largest allowed file [bytes]; ten million tokens of 80 bytes take 1.6 GB.
    private static let largestFile = 1 << 32
    /// The most wrong lines that are listed; further ones are counted.
    private static let mostListed = 20

    /// Reads a file, or reports its wrong lines and ends the command.
    package static func readOrExit(_ path: String) throws -> [DeviceToken] {
        let (tokens, problems) = read(try bytesOrExit(path, limit: largestFile), named: path)
        guard problems.isEmpty else {
            for problem in problems.prefix(mostListed) { printError(problem) }
            if problems.count > mostListed {
                printError("\(path): \(problems.count - mostListed) more lines are not tokens")
            }
            throw Failure.badData
        }
        guard (1...most).contains(tokens.count) else {
            printError("\(path): must hold 1 to \(most) tokens, one per line, got \(tokens.count)")
            throw Failure.badData
        }
        return tokens
    }

    /// The tokens of a text, and the problems of its lines with their places.
    static func read(_ bytes: [UInt8], named name: String) -> (tokens: [DeviceToken], problems: [String]) {
        let spaces: Set<UInt8> = [0x20, 0x09, 0x0D]
        var (tokens, problems) = ([DeviceToken](), [String]())
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            guard let first = line.firstIndex(where: { !spaces.contains($0) }),
                let last = line.lastIndex(where: { !spaces.contains($0) })
            else { continue }
            let digits = line[first...last]
            if let token = DeviceToken(hexadecimal: digits) {
                tokens.append(token)
                continue
            }
            let wrong = digits.firstIndex { !Character(Unicode.Scalar($0)).isHexDigit } ?? last + 1
            problems.append(
                "\(name):\(index + 1):\(wrong - line.startIndex + 1): must be a device token, an even number of hexadecimal "
                    + "digits up to \(2 * DeviceToken.largestByteCount), got \(digits.count) characters"
            )
        }
        return (tokens, problems)
    }
}
