public import FreshnessCore
import Quantities

/// What a monitor works by: the same for all its instances, made once from a scenario's monitor.
public struct MonitorRules: Hashable, Sendable {
    /// Thresholds, attempts and ends.
    public let policy: FreshnessPolicy
    /// When it scans; nil: it acts at each deadline.
    public let scans: ScanGrid?
    /// Whether stale instances are looked after; the end of a ride is sent in any case.
    let isEnabled: Bool
    /// Whether a token that comes after an accepted end has the end sent again.
    let endsAgain: Bool
    /// Whether the decision to give an instance up must be durable before an end is sent.
    let recordsDecisions: Bool
    /// Whether a new token is sent content of which only the acceptance is unknown; if not, only what was never sent.
    ///
    /// A server that sends what it makes knows what it has sent. A monitor that may be killed while a push is under way
    /// does not; a phone shows the same content twice without harm.
    let sendsUnconfirmed: Bool
    /// Whether the next pause needs a draw.
    public let needsDraws: Bool

    /// The rules of a scenario's monitor.
    ///
    /// - Parameters:
    ///   - monitor: The scenario's section.
    ///   - survivesRestarts: Whether the host goes on after its own death: an end is sent once the decision is durable, and
    ///     a new token is sent content of which only the acceptance is unknown.
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

    /// Rules for a host that has a policy and scans, and no scenario.
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
