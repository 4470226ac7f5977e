import Foundation
import Reporting

/// What a stand-in says of itself once it is ready: the contents of `freshet apns --ready-file`.
package struct StandInReady: Codable, Sendable {
    /// Where it takes pushes.
    package let port: Int
    /// Where its metrics are; nil without.
    package var metricsPort: Int?
    /// Where it takes Netmera's REST calls; nil without.
    package var netmeraPort: Int?
    /// The file of the certificates (PEM) by which it is known; nil where it has written none.
    package var ca: String?
    /// The file of a key (.p8) whose provider tokens it takes; nil where it has written none.
    package var key: String?
    /// The key's id.
    package var kid: String?
    /// The key's team.
    package var team: String?
    /// Its process.
    package let pid: Int32

    /// A stand-in that has written no files.
    package init(port: Int, pid: Int32) {
        self.port = port
        self.pid = pid
    }

    private enum CodingKeys: String, CodingKey {
        case port
        case metricsPort = "metrics_port"
        case netmeraPort = "netmera_port"
        case ca, key, kid, team, pid
    }

    /// Writes it, readable for all.
    package func write(to file: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try ProviderFiles.write(String(decoding: try encoder.encode(self), as: UTF8.self) + "\n", to: file, mode: 0o644)
    }

    /// Reads what `freshet apns --ready-file` has written, or says what is wrong with it and ends the command.
    package static func reading(_ file: String) throws -> StandInReady {
        guard let bytes = FileManager.default.contents(atPath: file) else {
            printError("\(file): there is no such file")
            throw Failure.inputMissing
        }
        guard let ready = try? JSONDecoder().decode(StandInReady.self, from: bytes) else {
            printError("\(file): not what `freshet apns --ready-file` writes")
            throw Failure.badData
        }
        return ready
    }
}
