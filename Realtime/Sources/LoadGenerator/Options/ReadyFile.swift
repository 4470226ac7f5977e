import Foundation
import Shell
import TextFormats

/// The contents of the `--ready-file` that a stand-in or a monitor writes once it is ready.
package struct ReadyFile: Sendable {
    /// The port for pushes, or for requests of apps' servers.
    package let port: Int
    /// The port of its metrics; nil without.
    package var metricsPort: Int?
    /// The port for Netmera's REST calls; nil without.
    package var netmeraPort: Int?
    /// The file of its certificate authority (PEM); nil if it has written none.
    package var ca: String?
    /// The file of a key (.p8) whose provider tokens it accepts; nil if it has written none.
    package var key: String?
    /// The key's id.
    package var kid: String?
    /// The key's team.
    package var team: String?
    /// Its process id.
    package let pid: Int32

    /// The contents for a program that has written no other files.
    package init(port: Int, pid: Int32) {
        self.port = port
        self.pid = pid
    }

    /// Reads a file by ``write(to:)``; nil for anything else.
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

    /// Writes the file at once, readable for all users.
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

    /// Reads a file by `freshet apns --ready-file`; reports a wrong file and ends the command.
    package static func reading(_ file: String) throws -> ReadyFile {
        guard let ready = ReadyFile(try bytesOrExit(file)) else {
            printError("\(file): must be a file that `freshet apns --ready-file` has written")
            throw Failure.badData
        }
        return ready
    }
}
