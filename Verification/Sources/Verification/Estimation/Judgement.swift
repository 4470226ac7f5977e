/// The verification result of a case.
public struct Judgement: Sendable {
    /// The verdict on the product's answer.
    public enum Verdict: String, CaseIterable, Sendable {
        case pass
        case fail
        /// The product cannot express the system.
        case notExpressible = "not_expressible"
        /// The product does not use the feature that the case concerns.
        case notUsed = "not_used"
    }

    /// The ID of the case.
    public let id: String
    public let verdict: Verdict
    /// The exact answer; nil if it is not a number.
    public var exact: Double?
    /// The product's estimate; nil if it is not a number.
    public var estimate: Double?
    /// The half-width of its 95% confidence interval, by Student's t over seeds; 0 if the scenario is deterministic.
    public var halfWidth: Double?
    /// The deviation of the estimate from the answer in standard errors, as a normal score.
    public var z: Double?
    /// The scores of the seeds, each by its own standard error; nil if a seed has none.
    public var seedScores: [Double]?
    /// The number of seeds that were run.
    public var seeds = 0
    /// The reason for the verdict, or other remarks.
    public var remark = ""
}
