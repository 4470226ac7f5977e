/// A JSON object under construction, with its members in the order of adding and without spaces.
///
/// ``JSONValue`` sorts members and breaks lines, for files; this type is for responses that put the important members
/// first.
public struct JSONText {
    private var text = "{"
    private var needsComma = false
    private var closers: [Character] = ["}"]

    /// Creates an empty object.
    public init() {}

    /// Begins an object; without a name, as an element of an array.
    public mutating func begin(_ name: String?) {
        open(name, "{", "}")
    }

    /// Begins an array of objects.
    public mutating func beginArray(_ name: String) {
        open(name, "[", "]")
    }

    private mutating func open(_ name: String?, _ opener: Character, _ closer: Character) {
        key(name)
        text.append(opener)
        closers.append(closer)
        needsComma = false
    }

    /// Ends the innermost open object or array.
    public mutating func end() {
        text.append(closers.removeLast())
        needsComma = true
    }

    /// Adds a string; nothing for nil.
    public mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        key(name)
        text += QuotedText.doubleQuoted(value)
    }

    /// Adds an array of strings.
    public mutating func add(_ name: String, _ values: [String]) {
        key(name)
        text += "[" + values.map { QuotedText.doubleQuoted($0) }.joined(separator: ",") + "]"
    }

    /// Adds an integer; nothing for nil.
    public mutating func add(_ name: String, _ value: (some BinaryInteger)?) {
        guard let value else { return }
        key(name)
        text += "\(value)"
    }

    /// Adds a floating-point number.
    public mutating func add(_ name: String, _ value: Double) {
        key(name)
        text += "\(value)"
    }

    /// Adds a value that is already JSON; nothing for nil.
    public mutating func add(_ name: String, raw value: String?) {
        guard let value else { return }
        key(name)
        text += value
    }

    /// Adds `null`, for a value that is known not to exist.
    public mutating func addNull(_ name: String) {
        key(name)
        text += "null"
    }

    private mutating func key(_ name: String?) {
        if needsComma { text += "," }
        needsComma = true
        if let name { text += QuotedText.doubleQuoted(name) + ":" }
    }

    /// The document, with everything closed.
    public var document: String { text + String(closers.reversed()) }
}
