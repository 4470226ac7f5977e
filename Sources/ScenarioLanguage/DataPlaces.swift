internal import Foundation
import InputFiles
import TextFormats

/// The places of a scenario's data files during a run, so that its results can be replayed from any directory.
///
/// They are listed in `timing.json`, the only file of a result directory that is never compared.
public struct DataPlaces: Hashable, Sendable {
    /// The key in `timing.json`.
    public static let key = "data_files"
    /// The absolute path of each file, by its name in the scenario.
    public let files: [String: String]

    /// Creates an empty list.
    public init() { files = [:] }

    /// Creates a list of file names, each with the place where it was found.
    init(_ found: [(name: String, path: String)]) {
        let existing = found.filter { FileManager.default.fileExists(atPath: $0.path) }
        files = Dictionary(
            existing.map { ($0.name, URL(fileURLWithPath: $0.path).standardizedFileURL.path) }
        ) { first, _ in first }
    }

    /// The size above which a `timing.json` is ignored [bytes].
    private static let largestFile = 1 << 20

    /// Returns the place of a data file when the neighbouring results were made; nil if it was not recorded.
    ///
    /// - Parameter scenario: The scenario of the results; any other scenario has no recorded places.
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
