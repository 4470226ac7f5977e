import HTTP2
import LoadGenerator
import Wire

/// The id in a response, of the provider's or of the stand-in's making.
///
/// Providers write ids in lowercase, and get them back so; those that Apple's APNs makes are in uppercase.
struct ResponseID: Hashable, Sendable {
    let id: RequestID
    let letters: RequestID.Letters

    /// The id of a request that has one.
    static func own(_ id: RequestID) -> ResponseID { ResponseID(id: id, letters: .lowercase) }

    /// An id for a request that has none.
    static func made(_ id: RequestID) -> ResponseID { ResponseID(id: id, letters: .uppercase) }

    /// Its text.
    var text: String { id.text(letters) }
}

extension HTTP2Fields {
    /// Adds a field with the id of a response.
    mutating func add(_ name: StaticString, _ id: ResponseID) { add(name, id.id, id.letters) }
}
