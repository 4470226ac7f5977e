public import Evaluation
public import Statistics

/// The definition of the best design point: the largest or smallest response, or the least cost, within some limits.
public struct Goal: Hashable, Sendable {
    /// The objective to maximise; nil if one is minimised.
    public var maximise: Objective?
    /// The objective to minimise; nil if one is maximised.
    public var minimise: Objective?
    /// The limits that the selected point must meet.
    public var constraints: [Comparison] = []
    /// `true` if objective and limits may be defined by a setting that is itself a factor.
    ///
    /// Each point then measures something different.
    public var acrossRulers = false
    /// The indifference zone of the objective; nil for 0.1 % of a share, and for factors, whose values are known.
    public var indifference: Amount?
    /// The relative distance from a limit within which a point may be judged either way; nil for 1 %, and for a share
    /// at most a twentieth of what is left to 100 %.
    public var tolerance: Double?
    /// The minimum probability of a correct selection.
    public var confidence = 0.95
    /// The number of replications of each point before the first decision.
    public var firstReplications = 10
    /// The maximum number of replications that count, over all points; a few more may be run speculatively.
    public var budget = 100_000

    /// Creates an empty goal.
    public init() {}

    /// The objective and its direction; nil unless exactly one of the two is given.
    public var objective: (Objective, ResponseDirection)? {
        switch (maximise, minimise) {
        case (let objective?, nil): (objective, .maximise)
        case (nil, let objective?): (objective, .minimise)
        default: nil
        }
    }
}
