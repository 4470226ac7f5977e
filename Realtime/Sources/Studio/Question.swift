/// A page's request to compare two sets of settings.
struct Question: Sendable {
    /// The number that the page gave the request; answers carry it.
    let number: Int
    /// The settings of the base.
    let base: [String]
    /// The settings of the changed world, including those of the base.
    let changed: [String]
    /// The half-width at which to stop: that of the 95 % interval of freshness, as a share.
    let halfWidth: Double
    /// The size of the preview, as a multiple of the usual size.
    let town: Double

    /// The goal to draw, a share of the time on screens; `nil` for none.
    let goal: Double?

    /// The maximum number of replications in an answer.
    static let mostReplications = 256
    /// The maximum time to refine an answer.
    static let longest = Duration.seconds(20)

    /// Reads a request.
    init(_ message: Message) throws(MessageError) {
        number = try message.integer("ask", in: 0...1_000_000_000)
        base = try message.settings("base")
        changed = try message.settings("changed")
        halfWidth = try message.number("half_width", in: 0.0001...0.5, default: 0.005)
        town = try message.number("town", in: 0.1...1000, default: 1)
        goal = try message.number("goal", in: 0...1)
    }
}
