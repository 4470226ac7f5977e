import Experiments
import TextFormats

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

/// What a page asks of a grid: two keys, each at some values.
struct GridQuestion: Sendable {
    /// The page's number of it.
    let number: Int
    /// Settings of every point.
    let base: [String]
    /// The values of the keys that the columns and the rows are for, as `key.path=value`.
    let (columns, rows): ([String], [String])
    /// The two responses.
    let responses: [Response]
    /// As in ``Question``.
    let town: Double

    /// Reads a question.
    init(_ message: Message) throws(MessageError) {
        number = try message.integer("ask", in: 0...1_000_000_000)
        base = try message.settings("base")
        columns = try message.texts("columns", count: 1...15)
        rows = try message.texts("rows", count: 1...15)
        town = try message.number("town", in: 0.1...1000, default: 1)
        responses = try message.texts("responses", count: 2...2)
            .map { (text) throws(MessageError) in
                do {
                    return try Response(parsing: text)
                } catch {
                    throw MessageError(sentence: "responses: \(error)")
                }
            }
    }

    /// The settings of each point, row by row.
    var points: [[String]] { rows.flatMap { row in columns.map { [$0, row] } } }

    /// One point's answer.
    func json(point: Int, _ result: RunResult, isLast: Bool) -> String {
        var json = JSONText()
        json.add("ask", number)
        json.add("point", point)
        json.add("replications", result.replications)
        json.beginArray("values")
        let summary = Summary(result)
        for response in responses {
            let row = summary.rows.first {
                $0.metric == response.metric && $0.scope == response.scope
                    && (response.statistic == nil || $0.stat == response.statistic)
            }
            json.begin(nil)
            json.add("value", raw: row?.value.map { "\($0.double)" })
            json.add("low", raw: row?.interval.map { "\($0.lowerBound)" })
            json.add("high", raw: row?.interval.map { "\($0.upperBound)" })
            json.end()
        }
        json.end()
        json.add("done", raw: "\(isLast)")
        return json.document
    }
}
