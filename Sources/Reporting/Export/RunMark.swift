import Experiments
internal import Foundation
import TextFormats

/// The identity of a run, from `run.json`.
struct RunMark {
    let name: String
    let id: String
    let seed: UInt64
    let fingerprint: String
    let replications: Int
    /// `true` for a real-time run that ended early.
    let isEndedEarly: Bool

    init(directory: String) throws(ExportError) {
        let path = directory + "/run.json"
        let bytes: [UInt8]
        do {
            bytes = try InputFile.bytes(of: path, limit: RecordedResults.largestDescription)
        } catch {
            guard error == .missing else { throw .invalid(["\(path): \(error)"]) }
            if let other = Provenance.otherResults(in: directory) { throw .invalid(["\(directory) \(other)"]) }
            throw .missing(path: path)
        }
        guard let json = try? JSONMembers(bytes), let name = json["name"]?.text, let id = json["run_id"]?.text,
            let seed: UInt64 = json["seed"]?.integer(), let fingerprint = json["fingerprint"]?.text,
            let replications: Int = json["replications"]?.integer(),
            RecordedResults.replicationCounts.contains(replications)
        else { throw .invalid(["\(path): this is not the run.json of a run"]) }
        (self.name, self.id, self.seed) = (name, id, seed)
        isEndedEarly = json["real_time"]?.members?["ended_early"] != nil
        (self.fingerprint, self.replications) = (fingerprint, replications)
    }

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}
