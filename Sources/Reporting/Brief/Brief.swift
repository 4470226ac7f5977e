import ScenarioLanguage

/// A decision on one page: the question, the answer with its certainty, the cost against today's, one chart, and what
/// it rests on.
public struct Brief: Sendable {
    /// The question, in the reader's words or the scenario's.
    var question: String
    /// The answer; its first sentence begins with ✓, ≈, ✗ or ? and a space.
    var answer: [String]
    /// The numbers of the decision.
    var numbers: [BriefNumber] = []
    /// The heading of the proposed values: `proposed`, or `value` without a comparison.
    var heading = "proposed"
    /// The pushes of a period; nil if the results do not say them.
    var pushes: BriefPushes?
    /// How certain the answer is.
    var certainty: [String] = []
    /// The chart; nil for none.
    var chart: Chart.Recorded?
    /// The basis of the answer.
    var basis: [String] = []
    /// The assumptions, sorted by the size of their effects.
    var assumptions: [String] = []
    /// A sentence on the order of the assumptions.
    var order = ""
    /// The effects of assumptions on other responses than the answer's; empty for none.
    var otherEffects: [String] = []
    /// The responses that the answer is about, the deciding one first.
    var decidingResponses: [String] = []
    /// The directory of the results that have the answer.
    public internal(set) var directory = ""
    /// The command that makes the results again.
    var command = ""

    /// The choices of the reader.
    public struct Options: Sendable {
        /// The question in the reader's words; nil for the scenario's description.
        public var question: String?
        /// The price of pushes; nil to leave out money.
        public var price: PushPrice?
        /// The rides a day to which pushes are scaled; nil for those simulated.
        public var rides: Double?
        /// The scenario file, whose comments mark assumptions; nil for the file with the scenario's name.
        public var scenario: String?

        /// Creates options that leave everything to the results.
        public init() {}
    }

    /// The page as blocks.
    func blocks(_ options: Options) -> [Block] {
        let price = pushes.map { cost($0, options) }
        let table = table(numbers.map(\.row) + (price?.rows ?? []))
        return [Block](
            Block.heading(1, question),
            answer.first.map { Brief.bold($0) },
            answer.count > 1 ? Block.list(Array(answer.dropFirst())) : nil,
            table,
            price?.remark,
            chart.map { Block.chart(title: $0.title, path: $0.path) },
            [Block].section("Certainty", Block.list(certainty)),
            [Block]
                .section(
                    "Basis and assumptions",
                    Block.list(basis),
                    assumptions.isEmpty ? nil : order,
                    assumptions.isEmpty ? nil : Block.list(assumptions),
                    otherEffects.isEmpty ? nil : "Effects on other responses, in the order of the sweeps:",
                    otherEffects.isEmpty ? nil : Block.list(otherEffects)
                ),
            [Block].section("Command to reproduce it", Block.code(command))
        )
    }

    /// Returns the table of the decision, without columns that are empty; nil without rows.
    private func table(_ rows: [[String]]) -> TextTable? {
        guard !rows.isEmpty else { return nil }
        let hasToday = rows.contains { !$0[1].isEmpty }
        let hasLast = rows.contains { !$0[3].isEmpty }
        var columns: [(place: Int, column: TextTable.Column)] = [(0, "per run, on average")]
        if hasToday { columns.append((1, "today:")) }
        columns.append((2, "\(heading):"))
        if hasLast { columns.append((3, hasToday ? "difference:" : "95 % interval:")) }
        return TextTable(columns.map(\.column), rows: rows.map { row in columns.map { row[$0.place] } })
    }

    /// Returns the rows of cost, and a sentence on their basis.
    private func cost(_ pushes: BriefPushes, _ options: Options) -> (rows: [[String]], remark: String) {
        let scaled = options.rides.map { pushes.scaled(toRides: $0) } ?? pushes
        let change = scaled.today.map { scaled.proposed.rounded() - $0.rounded() }
        func count(_ number: Double?) -> String { number.map { Format.count(mean: $0.rounded()) } ?? "" }
        let increase = change.map { Format.difference($0, unit: "count", isShare: false) } ?? ""
        let relative = Format.relative(scaled.today.flatMap { $0 > 0 ? (scaled.proposed - $0) / $0 : nil })
        let rides = Format.count(mean: scaled.rides.rounded())
        let period = "\(scaled.period) (\(rides) rides)"
        var rows = [
            [
                "pushes \(period)", count(scaled.today), count(scaled.proposed),
                increase + (relative.isEmpty ? "" : " (\(relative))"),
            ]
        ]
        if let price = options.price {
            rows.append([
                "cost \(period)", scaled.today.map(price.text) ?? "", price.text(scaled.proposed),
                change.map { ($0 < 0 ? "−" : "+") + price.text($0.magnitude) } ?? "",
            ])
        }
        let basis =
            options.rides == nil
            ? "Pushes are for the simulated rides: \(rides) \(scaled.period). `--rides` scales them to yours."
            : "Pushes are scaled in proportion from the \(Format.count(mean: pushes.rides.rounded())) rides simulated to \(rides) rides \(scaled.period)."
        let price = options.price.map { "\(Format.number($0.perMillion)) \($0.currency) per million pushes" }
        let money = price.map { " The price is yours: \($0)." } ?? ""
        return (rows, basis + money)
    }

    /// Returns a sentence in bold, with its mark before it.
    private static func bold(_ sentence: String) -> String {
        guard let mark = sentence.first, "✓≈✗?".contains(mark), sentence.dropFirst().first == " " else {
            return "**\(sentence)**"
        }
        return "\(mark) **\(sentence.dropFirst(2))**"
    }

    /// Returns the page as Markdown; ends with a newline.
    public func text(_ options: Options) -> String { blocks(options).markdown }
}
