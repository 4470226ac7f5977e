package import Statistics

/// The difference between the rides of a cohort and those of another one within a run.
///
/// Both have the same sender, APNs and faults, so only the rides that they happen to have and their own values differ. The
/// independent parts of the run give the interval: its replications, or the cells of a single one.
package struct CohortEffect: Sendable {
    /// The response in the cohort.
    package let response: ResolvedResponse
    /// The value in the cohort; nil if it has no rides.
    package let value: Double?
    /// The value in the other cohort; nil if it has no rides.
    package let reference: Double?
    /// The mean difference over the parts, cohort minus reference, with its uncertainty; nil with fewer than two parts.
    package let difference: MeanDifference?

    /// Compares two cohorts by a metric.
    ///
    /// - Parameters:
    ///   - scopes: The scopes of the cohort and of the reference.
    ///   - catalog: The metrics of the result's scenario.
    package init(
        of metric: String,
        _ scopes: (cohort: String, reference: String),
        in result: RunResult,
        by catalog: MetricCatalog
    ) throws(ResponseError) {
        func resolved(_ scope: String) throws(ResponseError) -> ResolvedResponse {
            try Response(metric: metric, scope: scope).resolve(in: result.scenario, by: catalog)
        }
        func values(_ response: ResolvedResponse) -> RunValues {
            guard result.replications == 1 else { return RunValues(of: response, in: result, by: catalog) }
            return RunValues(ofCellsFor: response, in: result, by: catalog)
        }
        response = try resolved(scopes.cohort)
        let other = try resolved(scopes.reference)
        value = response.value(in: result)
        reference = other.value(in: result)
        difference = values(other).difference(to: values(response), of: response)
    }
}
