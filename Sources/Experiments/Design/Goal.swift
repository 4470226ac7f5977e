public import Statistics

/// What the best design point is: the largest or smallest response, or the least cost, among those that keep to some limits.
public struct Goal: Hashable, Sendable {
    /// What is to be made as large as can be; nil when something is minimised.
    public var maximise: Objective?
    /// What is to be made as small as can be; nil when something is maximised.
    public var minimise: Objective?
    /// What the chosen point must keep to.
    public var constraints: [Comparison] = []
    /// `true` if objective and limits may be measured by a factor, so that points are not comparable.
    public var acrossRulers = false
    /// The smallest difference of the objective worth telling apart; nil for 0.1 % of shares, and for factors, which are known.
    public var indifference: Amount?
    /// How far from a limit, as a part of it, a point may lie and be judged either way.
    public var tolerance = 0.01
    /// The chance that the choice is right, at the least.
    public var confidence = 0.95
    /// How many replications each point has before anything is decided.
    public var firstReplications = 10
    /// How many replications count at most, over all points; some more may be run ahead in vain.
    public var budget = 100_000

    /// No goal yet.
    public init() {}

    /// What is optimised, and in which direction; nil unless exactly one of the two is given.
    public var objective: (Objective, ResponseDirection)? {
        switch (maximise, minimise) {
        case (let objective?, nil): (objective, .maximise)
        case (nil, let objective?): (objective, .minimise)
        default: nil
        }
    }
}
