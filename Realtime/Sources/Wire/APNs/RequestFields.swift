/// The header fields of one request that APNs reads, each under its name without `apns-`.
///
/// Fields are passed one by one in the order of the wire. Others are ignored, as real clients send `user-agent`,
/// `accept` and more. Both `:authority` and `host` are accepted: Apple's own sample has only `host`.
///
/// One value reads a connection's heads one after the other. Most fields repeat those of the previous head, whose text
/// is kept, so a head allocates only for new text.
package struct RequestFields: Sendable {
    fileprivate enum Field: Int, CaseIterable {
        case method, path, authorization, pushType, topic, priority, expiration, id, requestID, collapseID, channelID
        case contentEncoding
    }

    private struct FieldSet: OptionSet {
        let rawValue: UInt16

        init(rawValue: UInt16) { self.rawValue = rawValue }

        init(_ field: Field) { rawValue = 1 << UInt16(field.rawValue) }

        /// The fields that differ from push to push.
        static let ofOnePush: FieldSet = [FieldSet(.path), FieldSet(.id)]
    }

    /// The text of the last head that had the field, by index in `Field.allCases`.
    private var values = [String](repeating: "", count: Field.allCases.count)
    /// The fields of this head.
    private var present: FieldSet = []
    /// The fields of the previous head.
    private var earlier: FieldSet = []
    /// The fields of this head whose text differs from the previous one.
    private var changed: FieldSet = []
    private var lastVariant = 0
    /// `true` if an APNs field occurs twice.
    package private(set) var hasDuplicates = false

    /// Creates a value without fields.
    package init() {}

    /// The HTTP method; empty if missing, the last one if there are several.
    package var method: String { self[.method] ?? "" }
    /// The request's path; empty if missing, the last one if there are several.
    package var path: String { self[.path] ?? "" }
    /// The provider token with its scheme, as received; `nil` without the field.
    package var authorization: String? { self[.authorization] }
    /// The push type; `nil` without the field.
    package var pushType: String? { self[.pushType] }
    /// The topic; `nil` without the field.
    package var topic: String? { self[.topic] }
    /// The priority, as text; `nil` without the field.
    package var priority: String? { self[.priority] }
    /// The expiration as text, in seconds of UNIX time; `nil` without the field.
    package var expiration: String? { self[.expiration] }
    /// The push's id; `nil` without the field.
    package var id: String? { self[.id] }
    /// The request's id; `nil` without the field.
    package var requestID: String? { self[.requestID] }
    /// The id under which pushes replace each other; `nil` without the field.
    package var collapseID: String? { self[.collapseID] }
    /// The id of the broadcast channel; `nil` without the field.
    package var channelID: String? { self[.channelID] }
    /// The encoding of the body (`content-encoding`); `nil` without the field.
    package var contentEncoding: String? { self[.contentEncoding] }

    /// A number shared only by consecutive heads that are equal apart from their paths and ids.
    package var variant: Int { isRepeated ? lastVariant : lastVariant + 1 }

    private var isRepeated: Bool {
        !hasDuplicates && changed.subtracting(.ofOnePush).isEmpty
            && present.symmetricDifference(earlier).subtracting(.ofOnePush).isEmpty
    }

    /// Starts the next head.
    package mutating func begin() {
        lastVariant = variant
        earlier = present
        present = []
        changed = []
        hasDuplicates = false
    }

    /// Reads one field as received; its name must be lowercase, as in HTTP/2.
    package mutating func take(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        guard let field = Field(name: UnsafeRawBufferPointer(name)) else { return }
        // Of several methods or paths the last one counts.
        if field != .method, field != .path, present.contains(FieldSet(field)) { hasDuplicates = true }
        present.insert(FieldSet(field))
        let isSame = values[field.rawValue].utf8
            .withContiguousStorageIfAvailable { UnsafeRawBufferPointer($0).isSame(as: UnsafeRawBufferPointer(value)) }
        guard isSame != true else { return }
        changed.insert(FieldSet(field))
        values[field.rawValue] = String(decoding: value, as: UTF8.self)
    }

    /// Reads one field; its name must be lowercase, as in HTTP/2.
    package mutating func take(name: String, value: String) {
        var (name, value) = (name, value)
        name.withUTF8 { name in value.withUTF8 { value in take(name: name, value: value) } }
    }

    private subscript(_ field: Field) -> String? { present.contains(FieldSet(field)) ? values[field.rawValue] : nil }
}

extension RequestFields.Field {
    /// Returns the field of a name; `nil` for an unknown name.
    fileprivate init?(name: UnsafeRawBufferPointer) {
        // The length distinguishes most names and costs less than a comparison.
        switch name.count {
        case 5 where name.isSame(as: ":path"): self = .path
        case 7 where name.isSame(as: ":method"): self = .method
        case 7 where name.isSame(as: "apns-id"): self = .id
        case 10 where name.isSame(as: "apns-topic"): self = .topic
        case 13 where name.isSame(as: "authorization"): self = .authorization
        case 13 where name.isSame(as: "apns-priority"): self = .priority
        case 14 where name.isSame(as: "apns-push-type"): self = .pushType
        case 15 where name.isSame(as: "apns-expiration"): self = .expiration
        case 15 where name.isSame(as: "apns-request-id"): self = .requestID
        case 15 where name.isSame(as: "apns-channel-id"): self = .channelID
        case 16 where name.isSame(as: "apns-collapse-id"): self = .collapseID
        case 16 where name.isSame(as: "content-encoding"): self = .contentEncoding
        default: return nil
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func isSame(as text: StaticString) -> Bool {
        isSame(as: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Returns `true` if the bytes are equal.
    ///
    /// It compares 8 at a time: a provider token has 200 of them and comes with each push.
    fileprivate func isSame(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard count >= 8 else { return indices.allSatisfy { self[$0] == other[$0] } }
        for position in stride(from: 0, to: count - 8, by: 8) where word(at: position) != other.word(at: position) {
            return false
        }
        return word(at: count - 8) == other.word(at: count - 8)
    }

    private func word(at position: Int) -> UInt64 { loadUnaligned(fromByteOffset: position, as: UInt64.self) }
}
