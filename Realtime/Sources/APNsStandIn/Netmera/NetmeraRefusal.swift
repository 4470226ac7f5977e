/// Why the gateway does not do what it is asked: the body of the answer, and its status.
///
/// Never with a token, a key or content in it.
struct NetmeraRefusal: Error, Hashable, Sendable {
    /// The HTTP status.
    let status: Int
    /// What is wrong.
    let error: String
    /// What came.
    let got: String
    /// What would do.
    let allowed: String

    init(_ status: Int, _ error: String, got: String, allowed: String) {
        self.status = status
        self.error = error
        self.got = got
        self.allowed = allowed
    }
}

extension NetmeraRefusal: Encodable {
    enum CodingKeys: String, CodingKey {
        case error, got, allowed
    }
}

extension NetmeraRefusal {
    /// Says what a decoder did not like, and where.
    init(_ error: DecodingError) {
        func place(_ path: [any CodingKey]) -> String {
            path.isEmpty ? "the body" : path.map(\.stringValue).joined(separator: ".")
        }
        switch error {
        case .keyNotFound(let key, let context):
            self.init(400, "\(place(context.codingPath + [key])) is missing", got: "nothing", allowed: "a value")
        case .valueNotFound(let type, let context):
            self.init(400, "\(place(context.codingPath)) is missing", got: "null", allowed: "\(type)")
        case .typeMismatch(let type, let context):
            self.init(400, "\(place(context.codingPath)) has the wrong type", got: "another", allowed: "\(type)")
        default:
            self.init(400, "the body cannot be read", got: "something else", allowed: "a JSON object")
        }
    }
}
