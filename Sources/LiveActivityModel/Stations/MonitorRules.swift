public import FreshnessCore
import Quantities

/// The rules of a monitor: the same for all its instances, created once from a scenario's monitor.
public struct MonitorRules: Hashable, Sendable {
    /// The thresholds, attempts and ends.
    public let policy: FreshnessPolicy
    /// The scans; nil if it acts at each deadline.
    public let scans: ScanGrid?
    /// `true` if the monitor recovers stale instances; the end of a ride is sent in any case.
    let isEnabled: Bool
    /// `true` if the end is sent again to a token that arrives after an accepted end.
    let endsAgain: Bool
    /// `true` if the decision to give up must be durable before an end is sent.
    let recordsDecisions: Bool
    /// `true` if a new token is sent content whose acceptance is unknown; otherwise only content that was never sent.
    ///
    /// A server that sends its own content knows what it has sent. A monitor that may be killed while a push is in
    /// flight does not. Showing the same content twice does no harm.
    let sendsUnconfirmed: Bool
    /// `true` if the next pause needs a draw.
    public let needsDraws: Bool

    /// Creates the rules of a scenario's monitor.
    ///
    /// - Parameters:
    ///   - monitor: The monitor section of the scenario.
    ///   - survivesRestarts: `true` if the host resumes after a crash: an end is sent once the decision is durable, and
    ///     a new token is sent content whose acceptance is unknown.
    /// - Throws: `PolicyError` for the first number out of range.
    public init(_ monitor: Scenario.Monitor, survivesRestarts: Bool = false) throws(PolicyError) {
        try self.init(
            policy: monitor.policy(),
            scans: monitor.scans(),
            isEnabled: monitor.enabled,
            endsAgain: monitor.endsAgainOnNewToken,
            survivesRestarts: survivesRestarts
        )
    }

    /// Creates rules for a host that has a policy and scans, but no scenario.
    public init(policy: FreshnessPolicy, scans: ScanGrid?) {
        self.init(policy: policy, scans: scans, isEnabled: true, endsAgain: true, survivesRestarts: false)
    }

    private init(
        policy: FreshnessPolicy,
        scans: ScanGrid?,
        isEnabled: Bool,
        endsAgain: Bool,
        survivesRestarts: Bool
    ) {
        self.policy = policy
        self.scans = scans
        self.isEnabled = isEnabled
        self.endsAgain = endsAgain
        recordsDecisions = survivesRestarts
        sendsUnconfirmed = survivesRestarts
        needsDraws = policy.retry.jitter != .none
    }
}
