import CommandTestSupport
import Foundation
import NIOSSL
import TestSupport
import Testing

@testable import APNsStandIn

/// The throw-away certificate, as another implementation of TLS judges it.
@Suite("The server's certificate", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")))
struct ServerIdentityTests {
    @Test(
        "It is valid for the names of this machine, and only by its authority",
        arguments: [
            (["-verify_hostname", "localhost"], true), (["-verify_ip", "127.0.0.1"], true),
            (["-verify_ip", "::1"], true),
            (["-verify_hostname", "example.com"], false), (["-verify_ip", "127.0.0.2"], false),
            (["-purpose", "sslserver"], true), (["-purpose", "sslclient"], false),
        ]
    )
    func names(options: [String], isValid: Bool) throws {
        let scratch = Scratch()
        let (identity, other) = (try ServerIdentity.throwAway(), try ServerIdentity.throwAway())
        guard case .certificate(let certificate)? = identity.chain.first else {
            Issue.record("the chain is empty")
            return
        }
        try Data(try certificate.toDERBytes()).write(to: scratch.url.appending(path: "server.der"))
        for (authority, isIts) in [(identity, true), (other, false)] {
            let file = try scratch.write(authority.authorityPEM ?? "", to: "ca.pem")
            let outcome = try Command.run(
                "verify -x509_strict -no-CApath -no-CAstore -CAfile \(file) \(options) \(scratch)/server.der",
                program: "/usr/bin/openssl"
            )
            #expect((outcome.status == 0) == (isValid && isIts), "\(outcome)")
        }
    }
}
