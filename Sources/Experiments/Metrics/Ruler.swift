/// A setting that says what counts as fresh: two runs that differ in it measure by two rulers.
public enum Ruler: String, CaseIterable, Hashable, Sendable {
    /// How long content is fresh.
    case ttl = "content.ttl"
    /// How long after its stale date an instance still counts as fresh.
    case freshLimit = "monitor.fresh_limit"
}

extension Response {
    /// The settings by which the response is measured.
    public var rulers: [Ruler] { MetricCatalog.declaration(of: metric)?.rulers ?? [] }
}

extension Factors {
    /// The rulers that differ between the points of the design.
    public var variedRulers: [Ruler] {
        Ruler.allCases.filter { ruler in
            vary.contains { ruler.rawValue == $0.path || ruler.rawValue.hasPrefix($0.path + ".") }
        }
    }

    /// Whether the points of the design measure a response by one ruler, so that it can be compared between them.
    public func measuresAlike(_ response: Response) -> Bool {
        !variedRulers.contains(where: response.rulers.contains)
    }
}
