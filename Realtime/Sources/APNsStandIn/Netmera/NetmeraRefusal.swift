import TextFormats

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

extension NetmeraRefusal {
    /// The body of the answer.
    var json: JSONText {
        var json = JSONText()
        json.add("allowed", allowed)
        json.add("error", error)
        json.add("got", got)
        return json
    }
}
