import Evaluation
import LiveActivityModel
import Reporting
import Results
import TextFormats

/// A page's request for a grid: two keys, several values of each.
struct GridQuestion: Sendable {
    /// The number that the page gave the request.
    let number: Int
    /// The settings that all points share.
    let base: [String]
    /// The values of the columns' key and of the rows' key, in the form `key.path=value`.
    let (columns, rows): ([String], [String])
    /// The two responses.
    let responses: [Response]
    /// The preview factor, as in ``Question``.
    let town: Double

    /// The numbers of replications after which a point has an answer.
    static let replications = [2, 4, 8]

    /// Reads a request.
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

    /// Resolves the responses against a scenario.
    ///
    /// - Throws: `MessageError` for a response that the scenario does not have.
    func resolved(in scenario: Scenario) throws(MessageError) -> [ResolvedResponse] {
        let resolved: [ResolvedResponse]
        do {
            resolved = try responses.map { try $0.resolve(in: scenario) }
        } catch {
            throw MessageError(sentence: "responses: \(error)")
        }
        // A preview is run once for all requests, and no part of it is measured separately.
        if let windowed = resolved.first(where: { $0.stretch != nil }) {
            throw MessageError(
                sentence:
                    "responses: \(windowed.text) needs its own measurement of part of the run, which a page cannot "
                    + "request; a check of the scenario can"
            )
        }
        return resolved
    }

    /// The result of one point, as JSON.
    ///
    /// - Parameters:
    ///   - size: The preview size in which the point was simulated.
    ///   - values: The values of all points, for each response, once all are known. The JSON then also marks points
    ///     that differ and points whose means cover different populations.
    func json(
        point: Int,
        _ responses: [ResolvedResponse],
        _ result: RunResult,
        size: Town.Size,
        values: [[ResponseValues]]?,
        isLast: Bool
    ) -> String {
        var json = JSONText()
        json.add("ask", number)
        json.add("point", point)
        json.add("replications", result.replications)
        json.add("part", size.scale)
        json.add("warning", size.warning)
        json.beginArray("values")
        for row in responses.map({ $0.row(in: result) }) {
            json.begin(nil)
            json.add(row)
            json.add("gap", row?.gap?.reason.words)
            json.end()
        }
        json.end()
        if let values {
            // A line of marks for each point: 1 at the index of each point that differs from it.
            func marks(_ values: [ResponseValues], _ isMarked: (ResponseValues, ResponseValues) -> Bool) -> String {
                let lines = values.map { one in "\"\(values.map { isMarked(one, $0) ? "1" : "0" }.joined())\"" }
                return "[\(lines.joined(separator: ","))]"
            }
            let differences = values.map { marks($0) { $0.differ(from: $1) } }
            json.add("differences", raw: "[\(differences.joined(separator: ","))]")
            json.beginArray("populations")
            for values in values {
                // Two points form one pair, in either order.
                let pairs = max(values.count * (values.count - 1) / 2, 1)
                let count = values.first?.population
                json.begin(nil)
                json.add("count", count)
                json.add("moved", raw: count.map { _ in marks(values) { $0.areOfOthers(than: $1, amongPairs: pairs) } })
                json.end()
            }
            json.end()
        }
        json.add("done", raw: "\(isLast)")
        return json.document
    }
}
