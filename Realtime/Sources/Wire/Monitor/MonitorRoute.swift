/// The requests of the monitor's API: method and path, for the service and its clients.
package enum MonitorRoute: String, CaseIterable, Sendable {
    case publish, withdraw, announce, end, read, list, health, metrics

    /// The HTTP method.
    package var method: String {
        switch self {
        case .publish, .announce: "PUT"
        case .withdraw: "DELETE"
        case .end: "POST"
        case .read, .list, .health, .metrics: "GET"
        }
    }

    /// The path; for one instance it has `:id` instead of the instance's name.
    package var template: String {
        switch self {
        case .publish, .withdraw: "/v1/instances/:id/token"
        case .announce: "/v1/instances/:id/content"
        case .end: "/v1/instances/:id/end"
        case .read: "/v1/instances/:id"
        case .list: "/v1/instances"
        case .health: "/health"
        case .metrics: "/metrics"
        }
    }

    /// Returns the path of a request about an instance.
    package func path(of instance: String) -> String {
        var parts = template.split(separator: "/", omittingEmptySubsequences: false)
        for index in parts.indices where parts[index] == ":id" { parts[index] = instance[...] }
        return parts.joined(separator: "/")
    }
}
