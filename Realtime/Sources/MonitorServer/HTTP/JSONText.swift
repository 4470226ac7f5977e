import HTTPTypes
import Hummingbird
import NIOCore

/// A JSON document under construction: objects, arrays of objects, strings, numbers.
struct JSONText {
    private var text = "{"
    private var needsComma = false
    private var closers: [Character] = ["}"]

    mutating func begin(_ name: String?) {
        open(name, "{", "}")
    }

    mutating func beginArray(_ name: String) {
        open(name, "[", "]")
    }

    private mutating func open(_ name: String?, _ opener: Character, _ closer: Character) {
        key(name)
        text.append(opener)
        closers.append(closer)
        needsComma = false
    }

    mutating func end() {
        text.append(closers.removeLast())
        needsComma = true
    }

    /// A string; nothing for nil.
    mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        key(name)
        text += JSONText.quoted(value)
    }

    /// A number; nothing for nil.
    mutating func add(_ name: String, _ value: (some BinaryInteger)?) {
        guard let value else { return }
        key(name)
        text += "\(value)"
    }

    /// A number that need not be whole.
    mutating func add(_ name: String, _ value: Double) {
        key(name)
        text += "\(value)"
    }

    /// `null`, where something is known not to be there.
    mutating func addNull(_ name: String) {
        key(name)
        text += "null"
    }

    private mutating func key(_ name: String?) {
        if needsComma { text += "," }
        needsComma = true
        if let name { text += JSONText.quoted(name) + ":" }
    }

    /// The whole document as a response; all that is open is closed.
    func response(_ status: HTTPResponse.Status, headers: HTTPFields = [:]) -> Response {
        var headers = headers
        headers[.contentType] = "application/json"
        let document = text + String(closers.reversed()) + "\n"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: document)))
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                quoted += "\\"
                quoted.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default:
                quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
