internal import Foundation
import InputFiles

/// A value of a scenario file that has no source: its comment says `# assumption`.
public struct Assumption: Hashable, Sendable {
    /// The key: `rides.stages.3.refresh`.
    public let path: String
    /// The value as the scenario has it, on one line.
    public let value: String
    /// The rest of the comment; empty if there is none.
    public let reason: String
    /// The extended file that has the value; nil for the scenario file itself.
    public let origin: String?
}

extension LoadedScenario {
    /// The values whose comments in the scenario file, or in a file that it extends, begin with `assumption`.
    ///
    /// A comment on a line of its own belongs to the next value. The order is that of the keys.
    public func assumptions() throws(ScenarioError) -> [Assumption] {
        var marks: [Place: String] = [:]
        for (step, file) in ([source.file] + source.extendedFiles).enumerated() {
            let text = String(decoding: try TextFile.bytes(of: file, limit: ScenarioReader.largestFile), as: UTF8.self)
            for (line, reason) in Self.marks(in: text) {
                marks[step == 0 ? .file(line: line, column: 0) : .extended(step: step - 1, line: line, column: 0)] =
                    reason
            }
        }
        var found: [Assumption] = []
        collect(root, "", &marks, &found)
        return found
    }

    /// Returns the lines whose values are assumptions, counted from 1, with the reasons.
    private static func marks(in text: String) -> [(line: Int, reason: String)] {
        var marks: [(Int, String)] = []
        // The comment above the next value, and whether it has begun with the word.
        var above: String?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let content = line.trimmingPrefix(while: \.isWhitespace)
            if content.hasPrefix("#") {
                let comment = content.dropFirst().trimmingPrefix(while: \.isWhitespace)
                if let reason = reason(of: comment) {
                    above = reason
                } else if let known = above {
                    above = "\(known) \(comment)"
                }
            } else if let mark = line.firstRange(of: " # assumption") {
                let end = line.index(mark.lowerBound, offsetBy: 3)
                marks.append((index + 1, reason(of: line[end...]) ?? ""))
                above = nil
            } else if !content.isEmpty {
                if let above { marks.append((index + 1, above)) }
                above = nil
            }
        }
        return marks
    }

    /// Returns the rest of a comment that begins with `assumption`; nil for any other.
    private static func reason(of comment: Substring) -> String? {
        guard comment.hasPrefix("assumption") else { return nil }
        return comment.dropFirst("assumption".count).trimmingPrefix(while: { $0 == ":" || $0.isWhitespace })
            .trimmingCharacters(in: .whitespaces)
    }

    /// Collects the outermost value that begins on each marked line.
    private func collect(
        _ node: ScenarioNode,
        _ path: String,
        _ marks: inout [Place: String],
        _ found: inout [Assumption]
    ) {
        func take(_ place: Place, _ path: String, _ value: ScenarioNode) {
            guard let reason = marks.removeValue(forKey: place.ofLine) else { return }
            var origin: String?
            if case .extended(let step, _, _) = place { origin = source.extendedFiles[step] }
            found.append(Assumption(path: path, value: value.yamlFlow, reason: reason, origin: origin))
        }
        switch node.content {
        case .scalar: return
        case .mapping(let entries):
            for entry in entries {
                let place = Reading.path(path, entry.key)
                take(entry.keyPlace, place, entry.value)
                collect(entry.value, place, &marks, &found)
            }
        case .list(let nodes):
            for (index, node) in nodes.enumerated() {
                let place = Reading.path(path, "\(index)")
                if node.mapping == nil { take(node.place, place, node) }
                collect(node, place, &marks, &found)
            }
        }
    }
}

extension Place {
    /// The place without its column.
    fileprivate var ofLine: Place {
        switch self {
        case .file(let line, _): .file(line: line, column: 0)
        case .extended(let step, let line, _): .extended(step: step, line: line, column: 0)
        case .setting: self
        }
    }
}
