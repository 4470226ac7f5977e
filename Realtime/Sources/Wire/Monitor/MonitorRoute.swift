/// The requests of the monitor's API: method and path, for the service and its clients.
package enum MonitorRoute: String, CaseIterable, Sendable {
    case publish, withdraw, announce, end, read, list, health, metrics, openAPI

    /// The HTTP method.
    package var method: String {
        switch self {
        case .publish, .announce: "PUT"
        case .withdraw: "DELETE"
        case .end: "POST"
        case .read, .list, .health, .metrics, .openAPI: "GET"
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
        case .openAPI: "/openapi.json"
        }
    }

    /// Returns the methods of a path, in the order of the routes; empty for an unknown path.
    package static func methods(ofPath path: String) -> [String] {
        let parts = path.split(separator: "/")
        return
            allCases.filter { route in
                let template = route.template.split(separator: "/")
                return template.count == parts.count && zip(template, parts).allSatisfy { $0 == ":id" || $0 == $1 }
            }
            .map(\.method)
    }

    /// Returns the path of a request about an instance.
    package func path(of instance: String) -> String {
        var parts = template.split(separator: "/", omittingEmptySubsequences: false)
        for index in parts.indices where parts[index] == ":id" { parts[index] = instance[...] }
        return parts.joined(separator: "/")
    }
}
