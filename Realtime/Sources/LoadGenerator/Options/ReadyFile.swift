package import Evaluation
import Foundation
package import LiveActivityModel
import Quantities
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
    /// The faults that it plays; empty if there are none.
    package var faults: [Fault] = []
    /// Its process id.
    package let pid: Int32

    /// A fault with its wall-clock time.
    package struct Fault: Hashable, Sendable {
        package let kind: Scenario.Fault.Kind
        /// The beginning [µs since 1970].
        package let begins: Int64
        /// The end [µs since 1970]; equal to the beginning for an instantaneous fault.
        package let ends: Int64

        /// Creates a fault of a scenario that began at a wall-clock time [µs since 1970].
        package init(_ fault: Scenario.Fault, since begin: Int64, speed: Double) {
            func wall(_ time: TimeSpan) -> Int64 { begin + Int64(Double(time.microseconds) / speed) }
            kind = fault.kind
            begins = wall(fault.at)
            ends = wall(fault.at + fault.duration)
        }

        /// Returns the fault's times since a wall-clock time [µs since 1970].
        package func span(since begin: Int64) -> FaultSpan {
            FaultSpan(kind: kind, from: begins - begin, until: ends - begin)
        }

        fileprivate init?(_ json: JSONMembers) {
            guard let kind = json["kind"]?.text.flatMap(Scenario.Fault.Kind.init),
                let begins: Int64 = json["begins_us"]?.integer(),
                let ends: Int64 = json["ends_us"]?.integer(), begins <= ends
            else { return nil }
            (self.kind, self.begins, self.ends) = (kind, begins, ends)
        }
    }

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
        faults = (json["faults"]?.elements ?? []).compactMap { $0.members.flatMap(Fault.init) }
    }

    /// Writes the file at once, readable for all users.
    package func write(to file: String) throws {
        var json = JSONText()
        json.add("ca", ca)
        if !faults.isEmpty {
            json.beginArray("faults")
            for fault in faults {
                json.begin(nil)
                json.add("kind", fault.kind.rawValue)
                json.add("begins_us", fault.begins)
                json.add("ends_us", fault.ends)
                json.end()
            }
            json.end()
        }
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
