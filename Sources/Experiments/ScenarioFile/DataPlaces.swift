internal import Foundation
import TextFormats

/// Where the data files of a scenario were when it was run, so that its results can be replayed from any directory.
///
/// `timing.json` lists them, the one file of a result directory that is never compared.
public struct DataPlaces: Hashable, Sendable {
    /// The key in `timing.json`.
    public static let key = "data_files"
    /// The absolute path of each file, by its name in the scenario.
    public let files: [String: String]

    /// No data files.
    public init() { files = [:] }

    /// Files by name, each with where it was found.
    init(_ found: [(name: String, path: String)]) {
        let existing = found.filter { FileManager.default.fileExists(atPath: $0.path) }
        files = Dictionary(
            existing.map { ($0.name, URL(fileURLWithPath: $0.path).standardizedFileURL.path) }
        ) { first, _ in first }
    }

    /// Larger files than this say nothing of data [bytes].
    private static let largestFile = 1 << 20

    /// Where a data file was when the results beside a file were made; nil where nothing says so.
    ///
    /// - Parameter scenario: The scenario of the results; any other has none beside it.
    static func recorded(of file: String, beside scenario: String) -> String? {
        guard let slash = scenario.lastIndex(of: "/"), scenario[slash...] == "/scenario.resolved.yaml" else {
            return nil
        }
        let path = scenario[...slash] + "timing.json"
        guard let bytes = try? InputFile.bytes(of: String(path), limit: largestFile),
            let json = try? JSONMembers(bytes),
            let recorded = json[key]?.members?[file]?.text, recorded.hasPrefix("/")
        else { return nil }
        return recorded
    }
}
