import Foundation

/// The address of APNs or of a stand-in.
package struct APNsEndpoint: Hashable, Sendable, CustomStringConvertible {
    /// The trust in the server's identity.
    package enum Trust: Hashable, Sendable {
        /// The system's certificate authorities.
        case system
        /// The certificates of a PEM file.
        case file(String)
        /// Any certificate, so that the server is unknown; for tests on your own machine.
        case unchecked
    }

    /// The name or address.
    package let host: String
    package let port: Int
    /// The trust in the server; nil: HTTP/2 without TLS, by prior knowledge, which APNs does not support.
    package let trust: Trust?

    /// An endpoint.
    package init(host: String, port: Int, trust: Trust? = .system) {
        self.host = host
        self.port = port
        self.trust = trust
    }

    /// Reads `https://HOST[:PORT]` or `http://HOST[:PORT]`; nil for anything else.
    ///
    /// IPv6 addresses are in brackets. Ports default to 443 and 80.
    package init?(url text: String, trust: Trust = .system) {
        guard let url = URLComponents(string: text, encodingInvalidCharacters: false), let host = url.host,
            !host.isEmpty,
            ["", "/"].contains(url.path), url.user == nil, url.query == nil, url.fragment == nil,
            let usual = url.scheme.flatMap({ ["https": 443, "http": 80][$0] }), 1...65535 ~= url.port ?? usual
        else { return nil }
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        self.init(host: name, port: url.port ?? usual, trust: url.scheme == "https" ? trust : nil)
    }

    /// The value of the header `:authority`.
    package var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The URL.
    package var description: String {
        "\(trust == nil ? "http" : "https")://\(authority)"
    }
}
