public import LiveActivityModel

extension MetricDirection {
    /// Creates the direction of a response.
    ///
    /// The monitor's beliefs (`fresh_time_ratio` and its like) are neutral: a wider limit raises them and freshens no
    /// screen. Freshness on screens, ages, waits and the price in pushes have directions. Parts of a quotient and the
    /// number of values of a mean have none.
    public init(of response: Response) {
        let isPart = ["count", "numerator", "denominator"].contains(response.statistic)
        self =
            isPart
            ? .neutral : MetricCatalog.declaration(of: response.metric)?.direction(of: response.scope) ?? .neutral
    }

    /// Creates the direction of a metric in a load, where the number of pushes follows from the requested load.
    package init(inLoads metric: String) {
        let isOfPlan = ["pushes_sent_count", "stale_episodes_count"].contains(metric)
        self = isOfPlan ? .neutral : MetricDirection(of: Response(metric: metric))
    }
}
