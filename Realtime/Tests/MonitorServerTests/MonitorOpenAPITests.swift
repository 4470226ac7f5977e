import CommandTestSupport
import Foundation
import FreshnessCore
import HTTPTypes
import LiveActivityModel
import LoadGenerator
import Quantities
import Synchronization
import TestSupport
import Testing
import TextFormats
import Wire

@testable import MonitorServer

@Suite("The description of the monitor's API")
struct MonitorOpenAPITests {
    private static let token = DeviceToken(ride: 3, number: 1).hexadecimal
    private static let isWriting = ProcessInfo.processInfo.environment["FRESHET_WRITE_OPENAPI"] != nil

    /// A valid value of a field.
    private static func value(_ field: MonitorField) -> String {
        switch field {
        case .token: "\"\(token)\""
        case .channel: #""AbC+/w==""#
        case .contentState: "{}"
        case .generatedAt, .staleDate, .dismissalDate: "7"
        case .priority: "5"
        case .renewal, .relevanceScore: "1.5"
        case .alert: #"{"title":"T","body":"B"}"#
        }
    }

    @Test("docs/monitor-openapi.json is up to date; FRESHET_WRITE_OPENAPI=1 updates it")
    func document() async throws {
        let file = Command.root.appending(path: "docs/monitor-openapi.json")
        let text = MonitorOpenAPI.document.text
        if Self.isWriting { try text.write(to: file, atomically: true, encoding: .utf8) }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
        let fixture = try MonitorFixture()
        try await fixture.whileServing { client in
            let answer = try await client.send(.get, "/openapi.json")
            #expect(answer.status == 200 && answer.text == text && answer.headers[.contentType] == "application/json")
        }
    }

    @Test("docs/monitor.md has the routes; FRESHET_WRITE_OPENAPI=1 updates them")
    func page() throws {
        let file = Command.root.appending(path: "docs/monitor.md")
        var page = try String(contentsOf: file, encoding: .utf8)
        let (begin, end) = ("<!-- routes -->\n\n", "<!-- end -->")
        let start = try #require(page.firstRange(of: begin)?.upperBound)
        let stop = try #require(page[start...].firstRange(of: end)?.lowerBound)
        if Self.isWriting {
            page.replaceSubrange(start..<stop, with: Self.tables)
            try page.write(to: file, atomically: true, encoding: .utf8)
        } else {
            #expect(page[start..<stop] == Self.tables)
        }
    }

    /// The tables of requests, fields, parameters and errors.
    private static var tables: String {
        func table(_ head: [String], _ rows: [[String]]) -> String {
            ([head, head.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |\n" }.joined() + "\n"
        }
        func listed(_ field: MonitorField) -> String {
            let mark = field.isRequired ? "" : field.replaced.map { " instead of `\($0.name)`" } ?? "?"
            return "`\(field.name)`\(mark)"
        }
        let routes = MonitorRoute.allCases.map { route in
            [
                "`\(route.method) \(route.template.replacing(":id", with: "{id}"))`", route.summary,
                (route.fields.map(listed) + route.parameters.map { "`\($0.rawValue)`?" }).joined(separator: ", "),
                route.answers.map { "\($0.status)" }.joined(separator: ", "),
                route.refusals.map { "\($0.rawValue)" }.joined(separator: ", "),
            ]
        }
        let fields =
            MonitorField.allCases.map { ["`\($0.name)`", $0.meaning, $0.allowed] }
            + MonitorParameter.allCases.map { ["`\($0.rawValue)`", $0.meaning, $0.allowed] }
        return table(["request", "effect", "fields or parameters", "answers", "errors"], routes)
            + table(["field or parameter", "meaning", "allowed"], fields)
            + table(["error", "reason"], MonitorRefusal.allCases.map { ["\($0.rawValue)", $0.meaning] })
    }

    @Test("Each declared field of a body is read: a good value is accepted, a bad one refused; others are unknown")
    func fields() async throws {
        let fixture = try MonitorFixture()
        try await fixture.whileServing { client in
            _ = try await client.send(.put, "/v1/instances/r/token", #"{"token":"\#(Self.token)"}"#)
            for route in MonitorRoute.allCases where !route.fields.isEmpty {
                let method = try #require(HTTPRequest.Method(rawValue: route.method))
                func status(_ members: [(MonitorField, String)]) async throws -> (status: Int, text: String) {
                    let body = members.map { "\"\($0.0.name)\":\($0.1)" }.joined(separator: ",")
                    let answer = try await client.send(method, route.path(of: "r"), "{\(body)}")
                    return (answer.status, answer.text)
                }
                let good = route.fields.filter { $0.replaced == nil }.map { ($0, Self.value($0)) }
                let accepted = try await status(good)
                #expect(accepted.status < 300, "\(route): \(accepted.text)")
                for field in route.fields {
                    if let replaced = field.replaced {
                        let others = good.filter { $0.0 != replaced && $0.0 != .generatedAt }
                        #expect(try await status(others + [(field, Self.value(field))]).status < 300)
                        let bad = try await status(others + [(field, "[]")])
                        #expect(bad.status == 400 && bad.text.contains("field \(field.name)"), "\(route): \(bad.text)")
                        continue
                    }
                    let bad = try await status(good.map { $0.0 == field ? (field, "[]") : $0 })
                    #expect(bad.status == 400 && bad.text.contains("field \(field.name)"), "\(route): \(bad.text)")
                    let without = try await status(good.filter { $0.0 != field && $0.0 != .generatedAt })
                    #expect((without.status == 400) == field.isRequired, "\(route) without \(field): \(without.text)")
                }
                for field in MonitorField.allCases where !route.fields.contains(field) {
                    let unknown = try await status(good + [(field, Self.value(field))])
                    #expect(
                        unknown.status == 400 && unknown.text.contains("unknown field"),
                        "\(route): \(unknown.text)"
                    )
                }
            }
        }
    }

    @Test("The schemas of responses have the members that responses have")
    func members() throws {
        func check(_ name: String, _ documents: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
            let schema = try #require(Self.schema(name))
            let names = try documents.map { Set(try JSONMembers(Array($0.utf8)).members.map(\.name)) }
            let all = names.reduce(into: Set()) { $0.formUnion($1) }
            let always = names.dropFirst().reduce(names[0]) { $0.intersection($1) }
            #expect(schema.names == all && schema.required == always, sourceLocation: sourceLocation)
        }
        let stamp = ContentStamp(generatedAt: Instant(microseconds: 3), staleDate: Instant(microseconds: 9))
        let views = [nil, stamp]
            .map { stamp in
                InstanceView(
                    instance: "r",
                    freshness: nil,
                    phase: .live,
                    token: .active,
                    shown: stamp,
                    announcedAt: stamp?.generatedAt
                )
            }
        try check(
            "Instance",
            views.map { view in
                var json = JSONText()
                view.write(to: &json)
                return json.document
            }
        )
        try check("Page", [nil, 7].map { InstancePage(instances: views, next: $0).json.document })
        try check("Health", [MonitorHealth(instances: 1, nowMicroseconds: 2, speed: 1).json.document])
    }

    /// The members of a schema, and those that are required.
    private static func schema(_ name: String) -> (names: Set<String>, required: Set<String>)? {
        guard case .object(let document) = MonitorOpenAPI.document,
            case .object(let components) = document["components"], case .object(let schemas) = components["schemas"],
            case .object(let schema) = schemas[name], case .object(let properties) = schema["properties"],
            case .array(let required) = schema["required"]
        else { return nil }
        let names = required.compactMap { if case .string(let name) = $0 { name } else { nil } }
        return (Set(properties.keys), Set(names))
    }

    @Test("Each declared answer and error of a route occurs")
    func statuses() async throws {
        var limits = MonitorLimits()
        limits.instances = 2
        limits.shard = LoadShare(1, of: 2)
        let names = (0..<40).map { "r\($0)" }
        let own = names.filter { InstanceID($0)?.isOf(limits.shard) == true }
        let other = try #require(names.first { InstanceID($0)?.isOf(limits.shard) == false })
        var rules = Scenario.Monitor()
        rules.endsAgainOnNewToken = false
        let fixture = try MonitorFixture(limits: limits, rules: rules)
        try await fixture.whileServing { client in
            var seen: [MonitorRoute: Set<Int>] = [:]
            func send(_ route: MonitorRoute, _ name: String, _ body: String? = nil, secret: String? = Fixture.secret)
                async throws
            {
                let method = try #require(HTTPRequest.Method(rawValue: route.method))
                let answer = try await client.send(method, route.path(of: name), body, secret: secret)
                seen[route, default: []].insert(answer.status)
            }
            let (good, long) = (#"{"token":"\#(Self.token)"}"#, String(repeating: "x", count: 9000))
            for name in [own[0], own[0], own[1], own[2]] { try await send(.publish, name, good) }
            for name in [own[0], own[2]] {
                try await send(.announce, name, #"{"content_state":{},"generated_at_us":7}"#)
            }
            try await send(.announce, own[0], #"{"content_state":{},"generated_at_us":6}"#)
            for route in MonitorRoute.allCases {
                if !route.fields.isEmpty {
                    try await send(route, own[0], long)
                    try await send(route, own[0], "nonsense")
                }
                if !route.fields.contains(where: \.isRequired) { try await send(route, own[0]) }
                for name in [own[3], other, "a%20b"] { try await send(route, name) }
                if route.needsSecret { try await send(route, own[0], secret: nil) }
            }
            // The first instance is over. The end of the second is not answered, so its new token gets an end, too.
            try await send(.publish, own[0], good)
            fixture.transport.outcome.withLock { $0 = nil }
            for (route, body) in [(MonitorRoute.end, "{}"), (.publish, good)] { try await send(route, own[1], body) }
            // Refusals that need a failing disk, a busy client or invalid HTTP have tests of their own.
            let elsewhere: Set = [429, 500, 501, 503]
            for route in MonitorRoute.allCases {
                var declared = Set(route.answers.map(\.status) + route.refusals.map(\.rawValue)).subtracting(elsewhere)
                // The parameters of the list have a test of their own; the other requests without a name have no part that
                // can be invalid but HTTP itself.
                if !route.hasInstance { declared.remove(400) }
                #expect(seen[route] == declared, "\(route)")
            }
        }
    }
}
