package import ArgumentParser
import Foundation
import Shell

/// The options of the key that signs provider tokens.
package struct ProviderOptions: ParsableArguments {
    /// The path of the key (`.p8`); nil: pushes carry no token.
    @Option(help: "The provider's key (.p8). Without one, pushes carry no token.", completion: .file())
    package var key: String?

    /// The key's id; given together with the key.
    @Option(help: "The key's id.")
    package var keyId: String?

    /// The id of the key's team; given together with the key.
    @Option(help: "The team's id.")
    package var teamId: String?

    package init() {}

    package func validate() throws {
        guard (key == nil) == (keyId == nil), (key == nil) == (teamId == nil) else {
            throw ValidationError("--key, --key-id and --team-id must be given together")
        }
    }

    /// Replaces the options by a stand-in's own key.
    package mutating func take(from standIn: ReadyFile) {
        (key, keyId, teamId) = (standIn.key, standIn.kid, standIn.team)
    }

    /// Reads the key; reports a wrong key and ends the command; returns nil without a key.
    package func identity() throws -> ProviderIdentity? {
        guard let key, let keyId, let teamId else { return nil }
        let pem = try secretOrExit(key)
        do throws(ProviderIdentityError) {
            return try ProviderIdentity(key: pem, keyID: keyId, teamID: teamId)
        } catch {
            printError("\(key): \(error)")
            throw Failure.badData
        }
    }
}
