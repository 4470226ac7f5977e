public import LiveActivityModel

extension MetricDirection {
    /// The direction of a response.
    ///
    /// What the monitor believes (`fresh_time_ratio` and its like) is neutral: a wider limit raises it and freshens no
    /// screen. What screens show, ages, waits and the price in pushes have directions; the parts of a quotient,
    /// and how many values a mean is of, have none.
    public init(of response: Response) {
        let isPart = ["count", "numerator", "denominator"].contains(response.statistic)
        self =
            isPart
            ? .neutral : MetricCatalog.declaration(of: response.metric)?.direction(of: response.scope) ?? .neutral
    }
}
