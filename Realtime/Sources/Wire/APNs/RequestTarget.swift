/// The subject of a request, by its method and path.
package enum RequestTarget: Hashable, Sendable {
    /// `POST /3/device/<token>`; the token as written.
    case device(token: Substring)
    /// `POST /4/broadcasts/apps/<bundle id>`.
    case broadcast(bundleID: Substring)
    /// `POST`, `GET` or `DELETE /1/apps/<bundle id>/channels`.
    case channel(ChannelAction, bundleID: Substring)
    /// `GET /1/apps/<bundle id>/all-channels`.
    case allChannels(bundleID: Substring)
    /// Any other request.
    case refused(APNsResponseReason)

    /// An action on one channel.
    package enum ChannelAction: Hashable, Sendable {
        case create, read, delete
    }

    /// The app whose channels are the subject; `nil` for other requests.
    package var bundleID: Substring? {
        switch self {
        case .broadcast(let bundleID), .channel(_, let bundleID), .allChannels(let bundleID): bundleID
        case .device, .refused: nil
        }
    }

    /// Reads method and path.
    ///
    /// The path is checked first: an unknown one is `BadPath` whatever the method. This order is a choice; Apple
    /// documents none.
    package init(method: String, path: String) {
        var text = path
        // Bytes instead of characters, because this runs for every push.
        let (isOfDevice, end) = text.withUTF8 { bytes in
            (bytes.starts(with: "/3/device".utf8), bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count)
        }
        let path = Substring(text.utf8.prefix(end))
        if isOfDevice {
            let rest = path.utf8.dropFirst("/3/device".utf8.count)
            guard rest.isEmpty || rest.first == UInt8(ascii: "/") else {
                self = .refused(.wire(.badPath))
                return
            }
            let token = Substring(rest.dropFirst())
            if method == "POST" {
                self = token.isEmpty ? .refused(.wire(.missingDeviceToken)) : .device(token: token)
            } else {
                self = .refused(.wire(.methodNotAllowed))
            }
        } else if path.hasPrefix("/4/broadcasts/apps/") {
            let bundleID = path.dropFirst("/4/broadcasts/apps/".utf8.count)
            guard !bundleID.isEmpty, !bundleID.contains("/") else {
                self = .refused(.wire(.badPath))
                return
            }
            self = method == "POST" ? .broadcast(bundleID: bundleID) : .refused(.wire(.methodNotAllowed))
        } else if path.hasPrefix("/1/apps/") {
            self = RequestTarget.channels(method: method, rest: path.dropFirst("/1/apps/".utf8.count))
        } else {
            self = .refused(.wire(.badPath))
        }
    }

    private static func channels(method: String, rest: Substring) -> RequestTarget {
        let parts = rest.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return .refused(.wire(.badPath)) }
        switch (parts[1], method) {
        case ("channels", "POST"): return .channel(.create, bundleID: parts[0])
        case ("channels", "GET"): return .channel(.read, bundleID: parts[0])
        case ("channels", "DELETE"): return .channel(.delete, bundleID: parts[0])
        case ("all-channels", "GET"): return .allChannels(bundleID: parts[0])
        case ("channels", _), ("all-channels", _): return .refused(.wire(.methodNotAllowed))
        default: return .refused(.wire(.badPath))
        }
    }
}
