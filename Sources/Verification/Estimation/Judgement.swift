/// What became of a case.
public struct Judgement: Sendable {
    /// Whether the product's answer is right.
    public enum Verdict: String, CaseIterable, Sendable {
        case pass
        case fail
        /// The product has no words for the system.
        case notExpressible = "not_expressible"
        /// The product does without what the case is about.
        case notUsed = "not_used"
    }

    /// The case's name.
    public let id: String
    /// Whether the answer is right.
    public let verdict: Verdict
    /// The answer; nil where it is no number.
    public var exact: Double?
    /// What the product says; nil where that is no number.
    public var estimate: Double?
    /// From the estimate to either end of its 95 % interval, by Student's t over seeds; 0 where nothing is left to chance.
    public var halfWidth: Double?
    /// How many standard errors the estimate lies above the answer, as a normal score.
    public var z: Double?
    /// The scores of the seeds, each by its own standard error; nil where a seed has none.
    public var seedScores: [Double]?
    /// Seeds that were run.
    public var seeds = 0
    /// Why not, or what is worth knowing.
    public var remark = ""
}
