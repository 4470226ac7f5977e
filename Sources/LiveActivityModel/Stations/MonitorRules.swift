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
    /// Whether the next pause needs a draw.
    public let needsDraws: Bool

    /// The rules of a scenario's monitor.
    ///
    /// - Parameters:
    ///   - monitor: The scenario's section.
    ///   - recordsDecisions: Whether the host survives its own death: an end is sent once the decision is durable.
    /// - Throws: `PolicyError` for the first number out of range.
    public init(_ monitor: Scenario.Monitor, recordsDecisions: Bool = false) throws(PolicyError) {
        try self.init(
            policy: monitor.policy(),
            scans: monitor.scans(),
            isEnabled: monitor.enabled,
            endsAgain: monitor.endsAgainOnNewToken,
            recordsDecisions: recordsDecisions
        )
    }

    /// Rules for a host that scans by itself and has nothing but a policy.
    public init(policy: FreshnessPolicy) {
        self.init(policy: policy, scans: nil, isEnabled: true, endsAgain: true, recordsDecisions: false)
    }

    private init(
        policy: FreshnessPolicy,
        scans: ScanGrid?,
        isEnabled: Bool,
        endsAgain: Bool,
        recordsDecisions: Bool
    ) {
        self.policy = policy
        self.scans = scans
        self.isEnabled = isEnabled
        self.endsAgain = endsAgain
        self.recordsDecisions = recordsDecisions
        needsDraws = policy.retry.jitter != .none
    }
}
