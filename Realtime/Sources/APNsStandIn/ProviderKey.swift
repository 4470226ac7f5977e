import Foundation
import InputFiles
package import Signatures

/// A key with which a team signs its provider tokens, as issued on Apple's developer site.
package struct ProviderKey: Sendable {
    /// `kid`: ten characters at Apple.
    package let id: String
    /// The team's id: ten characters at Apple.
    package let team: String
    let publicKey: P256PublicKey
    /// The environment in which it is valid; `nil` for all.
    package var environment: Environment?
    /// The bundle ids that it is valid for; if empty, all of the team's.
    package var topics: [String] = []

    /// Apple's two APNs environments.
    package enum Environment: String, CaseIterable, Sendable {
        case development
        case production
    }

    /// Creates a key of a team.
    package init(id: String, team: String, publicKey: P256PublicKey) {
        self.id = id
        self.team = team
        self.publicKey = publicKey
    }

    /// Reads a key from a description `kid=…,team=…,file=…`; the file holds the public key or the private one, as PEM.
    ///
    /// `environment=development` or `production` and any number of `topic=<bundle id>` restrict its validity.
    package init(description: String) throws(StandInError) {
        var values: [Substring: Substring] = [:]
        var topics: [String] = []
        for part in description.split(separator: ",") {
            let sides = part.split(separator: "=", maxSplits: 1)
            if sides.count == 2, sides[0] == "topic" {
                topics.append(String(sides[1]))
                continue
            }
            guard sides.count == 2, ["kid", "team", "file", "environment"].contains(sides[0]), values[sides[0]] == nil
            else {
                throw .option(
                    "--provider-key must be kid=…,team=…,file=… and, for a restricted key, environment=… and topic=…; "
                        + "got the part \"\(part)\""
                )
            }
            values[sides[0]] = sides[1]
        }
        var environment: Environment?
        if let text = values["environment"] {
            environment = Environment(rawValue: String(text))
            guard environment != nil else {
                throw .option("--provider-key: environment must be development or production, got \"\(text)\"")
            }
        }
        guard let id = values["kid"], let team = values["team"], let file = values["file"] else {
            throw .option("--provider-key must have all of kid=…,team=…,file=…, got \"\(description)\"")
        }
        guard let bytes = try? InputFile.bytes(of: String(file), limit: 1 << 20) else {
            throw .unreadable("provider key \(file)")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let key = (try? P256PublicKey(pem: text)) ?? (try? P256PrivateKey(pem: text).publicKey) else {
            throw .malformed("provider key \(file): must hold a public or a private P-256 key in PEM")
        }
        self.init(id: String(id), team: String(team), publicKey: key)
        self.environment = environment
        self.topics = topics
    }

    /// Creates a new key, with the file (`.p8`) that a provider signs with.
    package static func throwAway() throws -> (key: ProviderKey, pem: String) {
        let key = try P256PrivateKey()
        return (ProviderKey(id: "FRESHETKEY", team: "FRESHETTEA", publicKey: key.publicKey), try key.pem)
    }
}

/// The reason why the stand-in cannot start.
package enum StandInError: Error, Hashable, CustomStringConvertible {
    /// An invalid option.
    case option(String)
    /// A file that cannot be read.
    case unreadable(String)
    /// A file with invalid content.
    case malformed(String)
    /// A scenario with a feature that only the simulator has.
    case scenario(String)
    /// A file that cannot be written.
    case unwritable(String)
    /// A port that is not available.
    case port(String)

    /// The error in words.
    package var description: String {
        switch self {
        case .option(let text), .scenario(let text), .malformed(let text), .port(let text): text
        case .unreadable(let text): "cannot read \(text)"
        case .unwritable(let text): "cannot write \(text)"
        }
    }
}
