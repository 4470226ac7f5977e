/// What a page asks of a change of settings.
struct Question: Sendable {
    /// The page's number of it, which answers carry.
    let number: Int
    /// Settings of the base.
    let base: [String]
    /// Settings of the changed world, those of the base among them.
    let changed: [String]
    /// Up to which half-width of freshness' 95 % interval to go on, a share.
    let halfWidth: Double
    /// How many times the usual size a town has.
    let town: Double

    /// No answer takes more replications than this.
    static let mostReplications = 256
    /// Nor does one go on for longer.
    static let longest = Duration.seconds(20)

    /// Reads a question.
    init(_ message: Message) throws(MessageError) {
        number = try message.integer("ask", in: 0...1_000_000_000)
        base = try message.settings("base")
        changed = try message.settings("changed")
        halfWidth = try message.number("half_width", in: 0.0001...0.5, default: 0.005)
        town = try message.number("town", in: 0.1...1000, default: 1)
    }
}
