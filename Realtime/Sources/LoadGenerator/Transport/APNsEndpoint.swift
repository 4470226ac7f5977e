/// Where APNs, or what stands in for it, is to be found.
package struct APNsEndpoint: Hashable, Sendable, CustomStringConvertible {
    /// Whose word is taken for the server's identity.
    package enum Trust: Hashable, Sendable {
        /// The system's certificate authorities.
        case system
        /// The certificates of a PEM file.
        case file(String)
        /// Any certificate: encrypted, with an unknown server. For trials on one's own machine.
        case unchecked
    }

    /// The name or address.
    package let host: String
    /// The port.
    package let port: Int
    /// How the server is identified; nil: HTTP/2 without TLS, by prior knowledge, which APNs does not speak.
    package let trust: Trust?

    /// An endpoint.
    package init(host: String, port: Int, trust: Trust? = .system) {
        self.host = host
        self.port = port
        self.trust = trust
    }

    /// Reads `https://HOST[:PORT]` or `http://HOST[:PORT]`; nil for anything else.
    ///
    /// Addresses of version 6 stand in brackets. Ports default to 443 and 80.
    package init?(url text: String, trust: Trust = .system) {
        let isSecure: Bool
        var rest: Substring
        if text.hasPrefix("https://") {
            (isSecure, rest) = (true, text.dropFirst(8))
        } else if text.hasPrefix("http://") {
            (isSecure, rest) = (false, text.dropFirst(7))
        } else {
            return nil
        }
        if rest.hasSuffix("/") { rest.removeLast() }
        guard !rest.isEmpty, !rest.contains("/"), !rest.contains("@") else { return nil }
        var port = isSecure ? 443 : 80
        let afterAddress = rest.hasPrefix("[") ? rest.firstIndex(of: "]").map(rest.index(after:)) : rest.startIndex
        guard let afterAddress else { return nil }
        if let colon = rest[afterAddress...].firstIndex(of: ":") {
            guard let number = Int(rest[rest.index(after: colon)...]), (1...65535).contains(number) else { return nil }
            port = number
            rest = rest[..<colon]
        }
        if rest.hasPrefix("["), rest.hasSuffix("]") { rest = rest.dropFirst().dropLast() }
        guard !rest.isEmpty else { return nil }
        self.init(host: String(rest), port: port, trust: isSecure ? trust : nil)
    }

    /// What the header `:authority` says.
    package var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The URL.
    package var description: String {
        "\(trust == nil ? "http" : "https")://\(authority)"
    }
}
