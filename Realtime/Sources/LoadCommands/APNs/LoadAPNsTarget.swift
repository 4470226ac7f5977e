import ArgumentParser
import LoadGenerator
import Shell

/// The options that name the endpoint under load and the provider's key.
struct LoadAPNsTarget: ParsableArguments {
    @Option(help: "https://HOST:PORT, or http://HOST:PORT without TLS.")
    var endpoint: String?

    @Option(help: "apns, or netmera: Netmera's REST calls, over HTTP/1.1.")
    var `protocol` = LoadProtocol.apns

    @Option(help: "The value of X-netmera-api-key.")
    var netmeraKey: String?

    @Option(
        help: "The file that `freshet apns --ready-file` has written, with port, certificate and key.",
        completion: .file()
    )
    var readyFile: String?

    @Option(help: "A file (PEM) of certificate authorities to trust instead of the system's.", completion: .file())
    var ca: String?

    @Flag(help: "Accept any certificate; for tests on your own machine.")
    var insecureSkipVerify = false

    @OptionGroup var provider: ProviderOptions

    func validate() throws {
        try demand((endpoint == nil) != (readyFile == nil), "one of --endpoint and --ready-file says where pushes go")
    }

    /// The target, completed from the ready file if there is one.
    func resolved() throws -> LoadAPNsTarget {
        guard let readyFile else { return self }
        let ready = try ReadyFile.reading(readyFile)
        var target = self
        if self.protocol == .netmera {
            guard let port = ready.netmeraPort else {
                printError("\(readyFile): without a Netmera port; `freshet apns --netmera-port` makes one")
                throw Failure.badData
            }
            target.endpoint = "http://127.0.0.1:\(port)"
            return target
        }
        target.endpoint = "https://localhost:\(ready.port)"
        target.ca = ca ?? ready.ca
        if provider.key == nil { target.provider.take(from: ready) }
        return target
    }

    /// The faults that the stand-in of the ready file plays, in wall-clock time; empty without a ready file.
    func faults() throws -> [ReadyFile.Fault] { try readyFile.map { try ReadyFile.reading($0).faults } ?? [] }

    /// The endpoint.
    ///
    /// - Precondition: The target is ``resolved()``.
    func url() throws -> APNsEndpoint {
        let trust = try APNsEndpoint.Trust.checked(ca: ca, skipsVerification: insecureSkipVerify)
        guard let text = endpoint, let endpoint = APNsEndpoint(url: text, trust: trust) else {
            throw ValidationError("--endpoint must be https://HOST:PORT or http://HOST:PORT, got \(endpoint ?? "")")
        }
        return endpoint
    }
}

/// The protocol of an endpoint.
enum LoadProtocol: String, ExpressibleByArgument, CaseIterable {
    case apns, netmera
}
