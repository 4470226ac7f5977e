import FreshnessCore
package import TextFormats
import Wire

/// The monitor's API as an OpenAPI 3.1 document, made from the routes, fields and refusals that the service applies.
package enum MonitorOpenAPI {
    /// The document.
    package static var document: JSONValue {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "Freshness Monitor",
                "version": "1",
                "description":
                    "Tokens, content and ends of Live Activities, for freshet monitor. Another method than those of a path gets 405.",
            ],
            "servers": [["url": "http://localhost:8080"]],
            "security": [["secret": []]],
            "paths": paths,
            "components": [
                "securitySchemes": [
                    "secret": [
                        "type": "http", "scheme": "bearer",
                        "description": "The secret in the file of --bearer-token-file.",
                    ]
                ],
                "schemas": schemas,
            ],
        ]
    }

    private static var paths: JSONValue {
        var paths: [String: [String: JSONValue]] = [:]
        for route in MonitorRoute.allCases {
            paths[route.template.replacing(":id", with: "{id}"), default: [:]][route.method.lowercased()] =
                operation(route)
        }
        return .object(paths.mapValues { .object($0) })
    }

    private static func operation(_ route: MonitorRoute) -> JSONValue {
        var operation: [String: JSONValue] = [
            "operationId": .string(route.rawValue),
            "summary": .string(route.summary),
            "responses": .object(responses(route)),
        ]
        if !route.needsSecret { operation["security"] = [] }
        let parameters = (route.hasInstance ? [instance] : []) + route.parameters.map(parameter)
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        if !route.fields.isEmpty {
            operation["requestBody"] = [
                "required": .bool(route.fields.contains(where: \.isRequired)),
                "content": ["application/json": ["schema": body(route.fields)]],
            ]
        }
        return .object(operation)
    }

    // MARK: - Requests

    private static let instance: JSONValue = [
        "name": "id", "in": "path", "required": true,
        "description": "The name that the app's server gave the instance.",
        "schema": [
            "type": "string", "pattern": "^[A-Za-z0-9._~-]+$", "minLength": 1,
            "maxLength": .integer(Int64(InstanceID.longest)),
        ],
    ]

    private static func parameter(_ parameter: MonitorParameter) -> JSONValue {
        var schema: [String: JSONValue] = [:]
        if let range = parameter.range {
            schema = [
                "type": "integer", "minimum": .integer(Int64(range.lowerBound)),
                "maximum": .integer(Int64(range.upperBound)),
            ]
        } else {
            schema = ["type": "string", "enum": .array(MonitorParameter.classes.map { .string($0) })]
        }
        if let absent = parameter.absent { schema["default"] = .integer(Int64(absent)) }
        return [
            "name": .string(parameter.rawValue), "in": "query", "description": .string(parameter.meaning),
            "schema": .object(schema),
        ]
    }

    private static func body(_ fields: [MonitorField]) -> JSONValue {
        let replaced = fields.compactMap(\.replaced)
        return object(
            fields.map { ($0.name, schema($0)) },
            required: fields.filter { $0.isRequired && !replaced.contains($0) }.map(\.name),
            oneOf: fields.filter { replaced.contains($0) || $0.replaced != nil }.map(\.name)
        )
    }

    /// Returns the schema of a field; an optional one may also be `null`.
    private static func schema(_ field: MonitorField) -> JSONValue {
        var schema: [String: JSONValue]
        var type: JSONValue
        switch field.values {
        case .hexadecimal(let pairs):
            type = "string"
            schema = [
                "pattern": "^([0-9A-Fa-f]{2})+$", "minLength": .integer(Int64(2 * pairs.lowerBound)),
                "maxLength": .integer(Int64(2 * pairs.upperBound)),
            ]
        case .base64(let bytes):
            type = "string"
            schema = [
                "pattern": "^[A-Za-z0-9+/]+={0,2}$", "minLength": .integer(Int64((bytes.lowerBound + 2) / 3 * 4)),
                "maxLength": .integer(Int64((bytes.upperBound + 2) / 3 * 4)),
            ]
        case .object:
            type = "object"
            schema = [:]
        case .microseconds(let range):
            type = "integer"
            schema = ["minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound), "format": "int64"]
        case .seconds(let range):
            type = "number"
            schema = ["minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
        case .span(let longest):
            type = "number"
            schema = ["exclusiveMinimum": 0, "maximum": .integer(longest)]
        case .alert:
            let text: JSONValue = ["type": "string", "minLength": 1]
            type = "object"
            schema = [
                "properties": ["title": text, "body": text, "sound": ["type": ["string", "null"], "minLength": 1]],
                "required": ["title", "body"], "additionalProperties": false,
            ]
        case .number:
            type = "number"
            schema = [:]
        case .choice(let numbers):
            type = "integer"
            schema = ["enum": .array(numbers.map { .integer(Int64($0)) } + (field.isRequired ? [] : [.null]))]
        }
        if !field.isRequired, field.replaced == nil { type = [type, "null"] }
        schema["type"] = type
        schema["description"] = .string("\(field.meaning) Allowed: \(field.allowed).")
        return .object(schema)
    }

    // MARK: - Responses

    private static func responses(_ route: MonitorRoute) -> [String: JSONValue] {
        var responses: [String: JSONValue] = [:]
        for answer in route.answers {
            var response: [String: JSONValue] = ["description": .string(answer.meaning)]
            response["content"] = content(answer.content)
            responses["\(answer.status)"] = .object(response)
        }
        for refusal in route.refusals {
            responses["\(refusal.rawValue)"] = [
                "description": .string(refusal.meaning),
                "content": ["application/json": ["schema": reference("Error")]],
            ]
        }
        return responses
    }

    private static func content(_ content: MonitorAnswer.Content) -> JSONValue? {
        switch content {
        case .none: nil
        case .acknowledgement: ["application/json": ["schema": reference("Acknowledgement")]]
        case .instance: ["application/json": ["schema": reference("Instance")]]
        case .page: ["application/json": ["schema": reference("Page")]]
        case .health: ["application/json": ["schema": reference("Health")]]
        case .openMetrics: ["application/openmetrics-text": ["schema": ["type": "string"]]]
        case .openAPI: ["application/json": ["schema": ["type": "object"]]]
        }
    }

    /// The schemas of responses; a test compares them with the responses that the service writes.
    private static var schemas: JSONValue {
        .object([
            "Acknowledgement": object([("instance", text("The instance's name."))], required: ["instance"]),
            "Instance": instanceSchema, "Page": pageSchema, "Health": healthSchema, "Error": errorSchema,
        ])
    }

    private static var instanceSchema: JSONValue {
        let classes = MonitorParameter.classes.map { JSONValue.string($0) } + [.null]
        let freshness: JSONValue = [
            "type": ["string", "null"], "enum": .array(classes),
            "description":
                "The freshness class; null before the first token, while an instance ends because its ride is over, and when it is closed.",
        ]
        let members: [(String, JSONValue)] = [
            ("instance", text("The name that the app's server gave the instance.")), ("class", freshness),
            ("phase", word(InstanceView.Phase.allCases.map { "\($0)" }, "The stage in the instance's life.")),
            ("token", word(TokenState.allCases.map { "\($0)" }, "The state of the token; never the token.")),
            (
                "generated_at_us",
                time("The generation time of the content that the monitor believes to be on the screen.")
            ),
            ("stale_date_us", time("The stale date of that content; missing for none.")),
            ("announced_generated_at_us", time("The generation time of the announced content.")),
        ]
        return object(members, required: ["instance", "class", "phase", "token"])
    }

    private static var pageSchema: JSONValue {
        let instances: JSONValue = ["type": "array", "items": reference("Instance")]
        let next = count("The value of after for the next page; missing after the last one.")
        return object([("instances", instances), ("next", next)], required: ["instances"])
    }

    private static var healthSchema: JSONValue {
        let speed: JSONValue = ["type": "number", "description": "The speed of that time, relative to the wall clock."]
        let members: [(String, JSONValue)] = [
            ("status", word(["ok"], "Always ok.")), ("instances", count("The number of known instances.")),
            ("now_us", time("The monitor's time.")), ("speed", speed),
        ]
        return object(members, required: ["status", "instances", "now_us", "speed"])
    }

    private static var errorSchema: JSONValue {
        let members: [(String, JSONValue)] = [
            ("status", count("The HTTP status.")), ("what", text("The invalid part of the request.")),
            ("got", text("The value received; never a token or content.")), ("allowed", text("The allowed values.")),
        ]
        return object([("error", object(members, required: ["status", "what"]))], required: ["error"])
    }

    // MARK: - Pieces

    /// - Parameter oneOf: Properties that exclude each other; an object has exactly one.
    private static func object(
        _ properties: [(String, JSONValue)],
        required: [String],
        oneOf: [String] = []
    ) -> JSONValue {
        var schema: [String: JSONValue] = [
            "type": "object",
            "properties": .object(Dictionary(uniqueKeysWithValues: properties)),
            "additionalProperties": false,
        ]
        if !oneOf.isEmpty { schema["oneOf"] = .array(oneOf.map { ["required": [.string($0)]] }) }
        if !required.isEmpty { schema["required"] = .array(required.map { .string($0) }) }
        return .object(schema)
    }

    private static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

    private static func count(_ meaning: String) -> JSONValue {
        ["type": "integer", "minimum": 0, "description": .string(meaning)]
    }

    private static func text(_ meaning: String) -> JSONValue { ["type": "string", "description": .string(meaning)] }

    private static func word(_ words: [String], _ meaning: String) -> JSONValue {
        ["type": "string", "enum": .array(words.map { .string($0) }), "description": .string(meaning)]
    }

    private static func time(_ meaning: String) -> JSONValue {
        ["type": "integer", "format": "int64", "description": .string("\(meaning) In microseconds of UNIX time.")]
    }
}
