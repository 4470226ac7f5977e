import Foundation
import Reporting
import TextFormats

/// What a stand-in or a monitor says of itself once it is ready: the contents of `--ready-file`.
package struct ReadyFile: Sendable {
    /// Where it takes pushes, or the requests of apps' servers.
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

    /// A program that has written no other files.
    package init(port: Int, pid: Int32) {
        self.port = port
        self.pid = pid
    }

    /// Reads what ``write(to:)`` has written; nil for anything else.
    package init?(_ bytes: [UInt8]) {
        guard let json = try? JSONMembers(bytes), let port: Int = json["port"]?.integer(),
            let pid: Int32 = json["pid"]?.integer()
        else { return nil }
        self.init(port: port, pid: pid)
        metricsPort = json["metrics_port"]?.integer()
        netmeraPort = json["netmera_port"]?.integer()
        (ca, key) = (json["ca"]?.text, json["key"]?.text)
        (kid, team) = (json["kid"]?.text, json["team"]?.text)
    }

    /// Writes it whole, readable for all.
    package func write(to file: String) throws {
        var json = JSONText()
        json.add("ca", ca)
        json.add("key", key)
        json.add("kid", kid)
        json.add("metrics_port", metricsPort)
        json.add("netmera_port", netmeraPort)
        json.add("pid", pid)
        json.add("port", port)
        json.add("team", team)
        try writeWholeOrExit(json.document + "\n", to: file, mode: 0o644)
    }

    /// Reads what `freshet apns --ready-file` has written, or says what is wrong with it and ends the command.
    package static func reading(_ file: String) throws -> ReadyFile {
        guard let ready = ReadyFile(try bytesOrExit(file)) else {
            printError("\(file): not what `freshet apns --ready-file` writes")
            throw Failure.badData
        }
        return ready
    }
}
