import HTTP2
import LoadGenerator
import Wire

/// The id in an answer, from the provider or from the stand-in.
///
/// Providers write ids in lowercase and get them back unchanged; ids that Apple's APNs creates are in uppercase.
struct ResponseID: Hashable, Sendable {
    let id: RequestID
    let letters: RequestID.Letters

    /// Returns the id of a request that has one.
    static func own(_ id: RequestID) -> ResponseID { ResponseID(id: id, letters: .lowercase) }

    /// Returns an id for a request that has none.
    static func made(_ id: RequestID) -> ResponseID { ResponseID(id: id, letters: .uppercase) }

    /// The id as text.
    var text: String { id.text(letters) }
}

extension HTTP2Fields {
    /// Adds a field with the id of an answer.
    mutating func add(_ name: StaticString, _ id: ResponseID) { add(name, id.id, id.letters) }
}
