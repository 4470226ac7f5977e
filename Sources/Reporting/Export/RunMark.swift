import Experiments
internal import Foundation

/// What `run.json` says of which run it is.
struct RunMark: Decodable {
    let name: String
    let id: String
    let seed: UInt64
    let fingerprint: String
    let replications: Int64

    private enum CodingKeys: String, CodingKey {
        case name, seed, fingerprint, replications
        case id = "run_id"
    }

    /// Reads it from a run directory.
    init(directory: String) throws(ExportError) {
        let path = directory + "/run.json"
        guard let bytes = FileManager.default.contents(atPath: path) else {
            if let other = RecordedRun.otherResults(in: directory) { throw .invalid(["\(directory) \(other)"]) }
            throw .missing(path: path)
        }
        guard let mark = try? JSONDecoder().decode(RunMark.self, from: bytes) else {
            throw .invalid(["\(path): this is not the run.json of a run"])
        }
        self = mark
    }

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}
