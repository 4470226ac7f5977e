import APNsStandIn
import Foundation
import LoadGenerator
import Signatures
import TestSupport
import Testing

/// The permissions of providers: restricted keys, invalid certificates.
@Suite("Permissions of providers", .serialized)
struct ProviderIdentityTests {
    private static let path = TestServer.path

    /// Keys by their ids, all with the same signature.
    private func keys(_ signer: P256PrivateKey) -> [ProviderKey] {
        ["DEVELOPKEY", "PRODUCTKEY", "TOPICALKEY", "GENERALKEY"]
            .map { id in
                var key = ProviderKey(id: id, team: "TEAMTEAMTE", publicKey: signer.publicKey)
                switch id {
                case "DEVELOPKEY": key.environment = .development
                case "PRODUCTKEY": key.environment = .production
                case "TOPICALKEY": key.topics = ["a.b"]
                default: break
                }
                return key
            }
    }

    @Test("A provider signs its tokens with the key in its file, whatever the ids")
    func signs() async throws {
        let signer = try P256PrivateKey()
        let (keyID, team) = ("a \"key\" for €", "\\team\n")
        let identity = try ProviderIdentity(key: signer.pem, keyID: keyID, teamID: team)
        let key = ProviderKey(id: keyID, team: team, publicKey: signer.publicKey)
        try await TestServer.running(with: Change(\.providerKeys, [key])) { server in
            let fields = TestServer.fields(token: try identity.authorization())
            #expect(try await server.connect().request(1, path: Self.path, fields).status == "200")
        }
    }

    @Test("An unusable key is refused, and the error reveals nothing of it")
    func unusable() {
        for pem in ["", "secret", "-----BEGIN PRIVATE KEY-----\nsecret\n-----END PRIVATE KEY-----"] {
            let error = #expect(throws: ProviderIdentityError.self) {
                try ProviderIdentity(key: pem, keyID: "K", teamID: "T")
            }
            #expect(error.map { !"\($0)".contains("secret") } ?? false)
        }
    }

    @Test("A key is valid only in its environment", arguments: [true, false])
    func environments(isDevelopment: Bool) async throws {
        let signer = try P256PrivateKey()
        let change = Change {
            $0.providerKeys = keys(signer)
            $0.isDevelopment = isDevelopment
        }
        try await TestServer.running(with: change) { server in
            for (key, isGood) in [
                ("DEVELOPKEY", isDevelopment), ("PRODUCTKEY", !isDevelopment), ("GENERALKEY", true),
            ] {
                let provider = try await server.connect()
                let token = try server.token(header: #"{"alg":"ES256","kid":"\#(key)"}"#, signer: signer)
                let response = try await provider.request(1, path: Self.path, try server.fields(token))
                #expect(response.status == (isGood ? "200" : "403"), "\(key)")
                #expect(response.body == (isGood ? "" : #"{"reason":"BadEnvironmentKeyIdInToken"}"#))
                await provider.close()
            }
        }
    }

    @Test("A key for topics pushes only to them, and its connection accepts only keys for the same topics")
    func topics() async throws {
        let signer = try P256PrivateKey()
        try await TestServer.running(with: Change(\.providerKeys, keys(signer))) { server in
            func fields(_ key: String, _ app: String) throws -> [(String, String)] {
                let token = try server.token(header: #"{"alg":"ES256","kid":"\#(key)"}"#, signer: signer)
                return [
                    ("authorization", token), ("apns-topic", "\(app).push-type.liveactivity"),
                    ("apns-push-type", "liveactivity"),
                ]
            }
            let provider = try await server.connect()
            let rows = [
                ("TOPICALKEY", "a.b", "200", ""), ("TOPICALKEY", "a.c", "400", "TopicDisallowed"),
                ("GENERALKEY", "a.b", "403", "UnrelatedKeyIdInToken"), ("TOPICALKEY", "a.b", "200", ""),
            ]
            for (place, row) in rows.enumerated() {
                let response = try await provider.request(
                    1 + 2 * place,
                    path: Self.path,
                    try fields(row.0, row.1)
                )
                #expect(response.status == row.2, "\(row)")
                #expect(response.body == (row.3.isEmpty ? "" : "{\"reason\":\"\(row.3)\"}"))
            }
        }
    }

    @Test("A key for topics manages the channels of no other app")
    func channels() async throws {
        let signer = try P256PrivateKey()
        try await TestServer.running(with: Change(\.providerKeys, keys(signer))) { server in
            let token = try server.token(header: #"{"alg":"ES256","kid":"TOPICALKEY"}"#, signer: signer)
            let provider = try await server.connect()
            for (stream, app, status) in [(1, "a.c", "400"), (3, "a.b", "201")] {
                let response = try await provider.request(
                    stream,
                    path: "/1/apps/\(app)/channels",
                    [("authorization", token)],
                    body: #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#
                )
                #expect(response.status == status)
                if status == "400" { #expect(response.body == #"{"reason":"TopicDisallowed"}"#) }
            }
        }
    }

    @Test("Without a check of signatures the restrictions of keys still apply")
    func withoutSignatures() async throws {
        let signer = try P256PrivateKey()
        let change = Change {
            $0.providerKeys = keys(signer)
            $0.checksSignatures = false
        }
        try await TestServer.running(with: change) { server in
            for (key, reason) in [("DEVELOPKEY", "BadEnvironmentKeyIdInToken"), ("ANYBODYKEY", "")] {
                let provider = try await server.connect()
                let token = try server.token(header: #"{"alg":"ES256","kid":"\#(key)"}"#)
                let response = try await provider.request(1, path: Self.path, try server.fields(token))
                #expect(response.body == (reason.isEmpty ? "" : "{\"reason\":\"\(reason)\"}"))
                await provider.close()
            }
        }
    }

    @Test("Two keys with one id keep the stand-in from starting")
    func doubledKeys() async throws {
        let key = ProviderKey(id: "K", team: "T", publicKey: try P256PrivateKey().publicKey)
        await #expect(throws: StandInError.option("two provider keys have the id K; each key must have its own id")) {
            try await TestServer.running(with: Change(\.providerKeys, [key, key])) { _ in }
        }
    }

    @Test("A key for an unknown app keeps the stand-in from starting")
    func unknownTopics() async throws {
        let signer = try P256PrivateKey()
        let change = Change {
            $0.providerKeys = keys(signer)
            $0.bundleIDs = ["a.c"]
        }
        await #expect(throws: StandInError.option("the provider key TOPICALKEY is for a.b; allowed: a.c")) {
            try await TestServer.running(with: change) { _ in }
        }
    }

    @Test(
        "A provider's certificate",
        arguments: [
            (7200, [], true, "TopicDisallowed"), (7200, [], false, ""), (-60, [], false, "BadCertificate"),
            (7200, [1], false, "BadCertificateEnvironment"), (7200, [2], false, ""), (7200, [1, 2], false, ""),
        ] as [(TimeInterval, [UInt], Bool, String)]
    )
    func certificates(validFor seconds: TimeInterval, environments: [UInt], isActivity: Bool, reason: String)
        async throws
    {
        try await TestServer.running { server in
            let certificate = try TestCertificate(validUntil: .now + seconds, environments: environments)
            let provider = try await server.connect(certificate: certificate)
            let kind = isActivity ? ("a.b.push-type.liveactivity", "liveactivity") : ("a.b", "alert")
            let response = try await provider.request(
                1,
                path: Self.path,
                [("apns-topic", kind.0), ("apns-push-type", kind.1)]
            )
            #expect(response.body == (reason.isEmpty ? "" : "{\"reason\":\"\(reason)\"}"))
            let status = reason.isEmpty ? "200" : reason.hasPrefix("Bad") ? "403" : "400"
            #expect(response.status == status)
        }
    }

    @Test(
        "Descriptions of keys",
        arguments: [
            ("kid=K,team=T", "--provider-key must have all of kid=…,team=…,file=…, got \"kid=K,team=T\""),
            (
                "kid=K,team=T,environment=test,file=/none",
                "--provider-key: environment must be development or production, got \"test\""
            ),
            (
                "kid=K,kid=L",
                "--provider-key must be kid=…,team=…,file=… and, for a restricted key, environment=… and topic=…; "
                    + "got the part \"kid=L\""
            ),
        ]
    )
    func descriptions(text: String, message: String) {
        #expect(throws: StandInError.option(message)) { try ProviderKey(description: text) }
    }

    @Test("A key from a description has its restrictions")
    func described() throws {
        let scratch = Scratch()
        let file = try scratch.write(P256PrivateKey().pem, to: "key.p8")
        let key = try ProviderKey(
            description: "kid=K,team=T,environment=production,topic=a.b,topic=a.c,file=\(file)"
        )
        #expect(key.environment == .production)
        #expect(key.topics == ["a.b", "a.c"])
    }
}
