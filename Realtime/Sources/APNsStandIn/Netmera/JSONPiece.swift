/// A JSON value that is handed on as it came; nothing here reads it.
enum JSONPiece: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case decimal(Double)
    case text(String)
    case list([JSONPiece])
    case object([String: JSONPiece])
}

extension JSONPiece: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .decimal(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONPiece].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONPiece].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
