public import LiveActivityModel

extension Ruler {
    /// What can be compared between runs whatever their rulers, in words for advice.
    public static let independentResponses =
        "ride_stage_coverage_ratio, stage_lag_us and age_of_information_us{during_ride}"
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
