import FreshnessCore
import LifecycleTraces
import Quantities
import SimulationKernel
import TestSupport

/// A shell around one ``InstanceFreshness``: performs its actions on a scripted network and logs the events.
///
/// Ties are resolved as in the golden traces: arrivals, then regular updates, then the monitor; equal ones in the order
/// of creation.
struct ScriptedMonitor: ~Copyable {
    /// The mode of the monitor.
    enum Watch {
        /// At each deadline, one action at a time.
        case deadlines
        /// At the first scan at or after each deadline.
        case appointments(ScanGrid)
        /// At every scan, whether or not something is due.
        case everyScan(ScanGrid)
    }

    /// An action and its instant.
    struct Decision: Hashable {
        var instant: Instant
        var action: InstanceFreshness.Action
    }

    private enum Kind: UInt8 {
        case arrival
        case update
        case rideOver
        case tokenPublished
        case monitor
        case stop

        var priority: EventPriority {
            switch self {
            case .arrival: EventPriority(rank: 0)
            case .update, .rideOver, .tokenPublished: EventPriority(rank: 1)
            case .monitor: EventPriority(rank: 2)
            case .stop: EventPriority(rank: 9)
            }
        }
    }

    private struct Push {
        var name: String
        var generatedAt: Instant
        var fate: PushFate
    }

    private let script: LifecycleScript
    private let policy: FreshnessPolicy
    private let watch: Watch
    private var loop = EventLoop()
    private var alarm = Alarm()
    private var instance: InstanceFreshness
    private var budget: RetryBudget?
    private var draws: TestStream
    private var pushes: [Push] = []
    private var trace = LifecycleTrace(log: [], staleMicroseconds: 0, outcome: .fresh)
    private(set) var decisions: [Decision] = []

    init(_ script: LifecycleScript, watch: Watch = .deadlines) throws {
        self.script = script
        self.watch = watch
        policy = try script.policy()
        let content = ContentStamp(generatedAt: .start, staleDate: Instant(microseconds: script.timeToLive))
        instance = InstanceFreshness(content: content, at: .start, policy: policy)
        budget = script.budget
        draws = TestStream(seed: script.drawSeed)
    }

    mutating func run() -> LifecycleTrace {
        log("start")
        schedule(.stop, at: Instant(microseconds: script.until))
        for instant in script.updates { schedule(.update, at: Instant(microseconds: instant)) }
        for instant in script.ridesOver { schedule(.rideOver, at: Instant(microseconds: instant)) }
        for instant in script.tokensPublished { schedule(.tokenPublished, at: Instant(microseconds: instant)) }
        if case .everyScan(let grid) = watch { schedule(.monitor, at: grid.first) }
        setAlarm()
        while let word = loop.next(through: .never), let kind = Kind(rawValue: word.kind), kind != .stop {
            perform(kind, subject: Int(word.subject))
            setAlarm()
        }
        accountForStaleness()
        trace.outcome = outcome
        return trace
    }

    private mutating func perform(_ kind: Kind, subject: Int) {
        switch kind {
        case .arrival:
            arrive(pushes[subject])
        case .update:
            if !instance.isOver { send("update") }
        case .rideOver:
            accountForStaleness()
            if instance.rideOver(at: loop.now) { log("ride over") }
        case .tokenPublished:
            if instance.tokenPublished(at: loop.now) { log("token published") }
        case .monitor:
            lookAfterInstance()
        case .stop:
            break
        }
    }

    // MARK: - The monitor

    private mutating func setAlarm() {
        let due = instance.nextDue(policy: policy)
        switch watch {
        case .everyScan: return
        case .deadlines: setAlarm(for: due)
        case .appointments(let grid): setAlarm(for: grid.firstScan(notBefore: due))
        }
    }

    private mutating func setAlarm(for instant: Instant) {
        if alarm.set(for: instant) { schedule(.monitor, at: instant) }
    }

    private mutating func lookAfterInstance() {
        switch watch {
        case .everyScan(let grid):
            schedule(.monitor, at: loop.now + grid.interval)
            doAllThatIsDue()
        case .appointments:
            if alarmRings() { doAllThatIsDue() }
        case .deadlines:
            // One by one, so that arrivals at the same instant come between.
            if alarmRings() { doOneThing() }
        }
    }

    private mutating func alarmRings() -> Bool {
        switch alarm.ring(at: loop.now) {
        case .rings:
            return true
        case .early(let instant):
            schedule(.monitor, at: instant)
            return false
        case .off:
            return false
        }
    }

    private mutating func doAllThatIsDue() {
        while instance.nextDue(policy: policy) <= loop.now { doOneThing() }
    }

    private mutating func doOneThing() {
        let since = instance.staleSince
        let action = instance.wake(at: loop.now, policy: policy, budget: &budget, draw: draws.next())
        decisions.append(Decision(instant: loop.now, action: action))
        switch action {
        case .nothing:
            log("woken for nothing")
        case .becameRecoverable:
            log("class stale")
        case .retry:
            send("retry")
        case .withholdRetry:
            log("withhold retry")
        case .becameSevere:
            if let since { trace.staleMicroseconds += (loop.now - since).microseconds }
            log("class severe")
        case .sendEnd:
            send("end")
        }
    }

    // MARK: - The network

    private mutating func send(_ name: String) {
        log("send \(name)")
        let fate = pushes.count < script.fates.count ? script.fates[pushes.count] : .lost
        switch fate {
        case .lost: break
        case .shown(let after), .tokenDead(let after), .refused(_, let after):
            schedule(.arrival, subject: pushes.count, at: loop.now + TimeSpan(microseconds: after))
        }
        pushes.append(Push(name: name, generatedAt: loop.now, fate: fate))
    }

    private mutating func arrive(_ push: Push) {
        switch push.fate {
        case .lost:
            break
        case .tokenDead:
            accountForStaleness()
            if instance.tokenDied() { log("token-dead") }
        case .refused(let reason, _):
            if reason.verdict == .tokenIsDead { accountForStaleness() }
            switch instance.pushRefused(reason: reason, at: loop.now, policy: policy) {
            case .discardToken: log("token-dead")
            case .carryOn: log("refused \(push.name)")
            }
        case .shown where push.name == "end":
            if instance.endConfirmed() == .invalidateToken { log("token-invalidated") }
        case .shown:
            show(push)
        }
    }

    private mutating func show(_ push: Push) {
        let wasNoticed = instance.staleSince != nil
        let staleDate = push.generatedAt + TimeSpan(microseconds: script.timeToLive)
        let content = ContentStamp(generatedAt: push.generatedAt, staleDate: staleDate)
        switch instance.contentConfirmed(content, at: loop.now, policy: policy) {
        case .stillFresh, .alreadyStale:
            log("shown \(push.name)")
        case .recovered(let staleSince):
            log("shown \(push.name)")
            trace.staleMicroseconds += (loop.now - staleSince).microseconds
            if wasNoticed { log("class fresh") }
        case .older:
            log("ignored-older \(push.name)")
        case .late:
            log("late \(push.name)")
        case .closed:
            break
        }
    }

    // MARK: - Bookkeeping

    /// Counts an episode that is cut short now.
    private mutating func accountForStaleness() {
        if let since = instance.staleSince { trace.staleMicroseconds += (loop.now - since).microseconds }
    }

    private var outcome: LifecycleTrace.Outcome {
        if instance.isTokenInvalidated { return .tokenInvalidated }
        if instance.isClosed { return .tokenDead }
        switch instance.classification(at: loop.now) {
        case .fresh: return .fresh
        case .recoverable: return .stale
        case .severe: return .severe
        case nil: return .rideOver
        }
    }

    private mutating func log(_ text: String) {
        trace.log.append(LifecycleTrace.Line(microseconds: loop.now.microseconds, text: text))
    }

    private mutating func schedule(_ kind: Kind, subject: Int = 0, at instant: Instant) {
        let word = EventWord(kind: kind.rawValue, subject: UInt32(subject))
        loop.schedule(word, at: instant, priority: kind.priority)
    }
}
