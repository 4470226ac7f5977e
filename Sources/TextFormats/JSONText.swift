/// A JSON object under construction, its members in the order of adding and without spaces.
///
/// ``JSONValue`` sorts members and breaks lines, for files; this is for answers that name what matters first.
public struct JSONText {
    private var text = "{"
    private var needsComma = false
    private var closers: [Character] = ["}"]

    /// An empty object.
    public init() {}

    /// Opens an object; without a name, as an element of an array.
    public mutating func begin(_ name: String?) {
        open(name, "{", "}")
    }

    /// Opens an array of objects.
    public mutating func beginArray(_ name: String) {
        open(name, "[", "]")
    }

    private mutating func open(_ name: String?, _ opener: Character, _ closer: Character) {
        key(name)
        text.append(opener)
        closers.append(closer)
        needsComma = false
    }

    /// Closes what was opened last.
    public mutating func end() {
        text.append(closers.removeLast())
        needsComma = true
    }

    /// A string; nothing for nil.
    public mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        key(name)
        text += QuotedText.doubleQuoted(value)
    }

    /// An array of strings.
    public mutating func add(_ name: String, _ values: [String]) {
        key(name)
        text += "[" + values.map { QuotedText.doubleQuoted($0) }.joined(separator: ",") + "]"
    }

    /// A number; nothing for nil.
    public mutating func add(_ name: String, _ value: (some BinaryInteger)?) {
        guard let value else { return }
        key(name)
        text += "\(value)"
    }

    /// A number that need not be whole.
    public mutating func add(_ name: String, _ value: Double) {
        key(name)
        text += "\(value)"
    }

    /// A value as it stands, which has to be JSON; nothing for nil.
    public mutating func add(_ name: String, raw value: String?) {
        guard let value else { return }
        key(name)
        text += value
    }

    /// `null`, where something is known not to be there.
    public mutating func addNull(_ name: String) {
        key(name)
        text += "null"
    }

    private mutating func key(_ name: String?) {
        if needsComma { text += "," }
        needsComma = true
        if let name { text += QuotedText.doubleQuoted(name) + ":" }
    }

    /// The whole document; all that is open is closed.
    public var document: String { text + String(closers.reversed()) }
}
