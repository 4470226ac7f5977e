package import Foundation
import InputFiles
import TextFormats

/// Text files, read without trusting them.
public enum TextFile {
    /// Returns the tree of a file in YAML, or in JSON, which is a subset of YAML.
    ///
    /// - Parameters:
    ///   - file: The file's path, also its name in diagnostics.
    ///   - limit: The size above which files are refused unread [bytes].
    /// - Throws: The problems of the file as such; the caller checks its contents.
    public static func tree(of file: String, limit: Int) throws(ScenarioError) -> ScenarioNode {
        let bytes = try bytes(of: file, limit: limit)
        var errors: [SourceError] = []
        do {
            let composed = YAMLText(try text(of: bytes)).compose()
            if let root = composed.root, composed.errors.isEmpty { return root }
            errors = composed.errors
        } catch {
            errors = [error]
        }
        let source = ScenarioSource(file: file, settings: [])
        throw .invalid(errors.sorted { $0.place < $1.place }.map(source.diagnostic))
    }

    /// Returns the file's bytes, or the bytes of the example with this name if there is no such file.
    package static func bytes(of file: String, limit: Int) throws(ScenarioError) -> Data {
        guard InputFile.isName(file) else {
            throw .unreadable(path: OneLine.excerpt(file), reason: "its name contains a NUL")
        }
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: file, isDirectory: &isDirectory)
        // Results are often written to a directory with the scenario's name.
        if !exists || isDirectory.boolValue, let example = ExampleFile.bytes(of: file) { return Data(example) }
        do {
            return Data(try InputFile.bytes(of: file, limit: limit))
        } catch {
            throw ScenarioError(error, file)
        }
    }

    /// Returns the text of UTF-8 bytes, without a byte order mark.
    package static func text(of bytes: Data) throws(SourceError) -> String {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var text = String.UnicodeScalarView()
        var (line, column) = (1, 1)
        decoding: while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar):
                text.append(scalar)
                (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
            case .emptyInput:
                break decoding
            case .error:
                throw SourceError(place: .file(line: line, column: column), message: "this is not UTF-8 text")
            }
        }
        if text.first == "\u{FEFF}" { text.removeFirst() }
        return String(text)
    }
}
