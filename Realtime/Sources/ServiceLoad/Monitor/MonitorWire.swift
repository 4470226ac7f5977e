import FreshnessCore
package import LiveActivityModel
package import LoadGenerator
package import Quantities
package import Shell
import Synchronization
package import Wire

/// The wire between the rides and phones of a load and a Freshness Monitor.
///
/// Tokens, content and ends go to the monitor over HTTP. The monitor pushes to a stand-in, whose phone line brings the
/// pushes back.
///
/// ```
///   cells ─► requests ─► monitor ─► APNs stand-in ─┐
///     ▲                                            │
///     └────────────── the phone line ◄─────────────┘
/// ```
///
/// Requests about one instance are sent one after another, because their order of arrival decides what they mean. Requests
/// about different instances do not wait for each other. A push finds its phone by its token and its content by its payload,
/// so nothing reaches a screen that was not on the wire.
package final class MonitorWire: LiveWire, PhoneLinkListener {
    /// The measurements of the wire, besides those of the cells.
    package struct Outcome: Sendable {
        /// Requests by kind, with latencies from the news to the answer [wall-clock µs].
        package var requests = LoadTally.ofMonitor
        /// The monitor's own counters over the measured time; nil if it did not report them.
        package var counted: MonitorMetrics?
        /// The number of pushes that reached phones.
        package var arrived = 0
        /// The number of pushes that APNs accepted and lost.
        package var lost = 0
        /// The number of pushes that no phone could read.
        package var unreadable = 0
        /// `true` if the phone line was lost during the run.
        package var hasLostPhones = false

        /// An outcome before anything has happened.
        package init() {}
    }

    private struct State {
        var clock: LiveClock?
        var inbox: LiveInbox?
        var link: PhoneLink?
        /// The monitor's time at the beginning of the run [µs since 1970].
        var epoch: Int64 = 0
        /// For each instance with a request in flight, the news that wait for its answer.
        var waiting: [ServerNews.Instance: [ServerNews]] = [:]
        /// The instances with a token that is neither withdrawn nor to be ended.
        var published: Set<ServerNews.Instance> = []
        var isMeasured = false
        var before: MonitorMetrics?
        var outcome = Outcome()
        var latencies = LatencyCourse()
    }

    /// The TTL of content, also that of a retry.
    private let timeToLive: TimeSpan
    private let dismissal: Scenario.Dismissal
    /// The beginning of the measured time.
    private let measuredFrom: Instant
    private let client: MonitorClient
    private let prefix: String
    private let time: MonitorClient.Time
    private let state = Mutex(State())

    /// A wire without a phone line, to a monitor whose clock runs at the speed of the run.
    ///
    /// - Parameters:
    ///   - prefix: The beginning of the instances' names; see ``LoadInstances``.
    ///   - time: A reading of the monitor's clock.
    package init(scenario: Scenario, client: MonitorClient, prefix: String, time: MonitorClient.Time) {
        timeToLive = scenario.content.ttl
        dismissal = scenario.devices.dismissal
        measuredFrom = .start + scenario.clock.warmUp
        self.client = client
        self.prefix = prefix
        self.time = time
    }

    /// The measurements so far, without the monitor's own counters.
    package var heard: Outcome { state.withLock { $0.outcome } }

    /// Times from the news to the answer, over the course of the run.
    package var latencies: LatencyCourse? { state.withLock { $0.latencies } }

    /// Sets the phone line, before the run begins.
    package func attach(_ link: PhoneLink) { state.withLock { $0.link = link } }

    // MARK: - From the cells

    /// Begins a run; pushes for its phones go to an inbox.
    package func begin(_ clock: LiveClock, _ inbox: LiveInbox) {
        let passed = time.at.duration(to: .now) / .microseconds(1)
        let now = time.microseconds + Int64((passed * clock.speed).rounded())
        state.withLock {
            $0.clock = clock
            $0.inbox = inbox
            $0.epoch = now - clock.now.microseconds
        }
    }

    /// Starts or queues requests and reports dead tokens, without waiting for answers.
    package func send(_ news: ContiguousArray<OutgoingNews>, at now: Instant) {
        var deaths: [(token: TokenDigest, since: Instant)] = []
        var first: [ServerNews] = []
        let link = state.withLock { state in
            for news in news {
                switch news {
                case .server(let news):
                    switch news.message {
                    case .token: state.published.insert(news.instance)
                    case .withdrawal, .rideOver: state.published.remove(news.instance)
                    case .content: break
                    }
                    if state.waiting[news.instance]?.append(news) == nil {
                        state.waiting[news.instance] = []
                        first.append(news)
                    }
                case .tokenDied(let ride, let number, let since):
                    deaths.append((TokenDigest(ride: ride, number: number), since))
                case .request, .givenUp, .disconnected, .channel:
                    preconditionFailure("a cell whose monitor is remote sends nothing")
                }
            }
            return state.link
        }
        link?.tellDead(deaths)
        for news in first { Task { await work(news) } }
    }

    /// Begins to measure at the end of the warm-up.
    package func proceed(to now: Instant) {
        let begins = state.withLock { state in
            guard !state.isMeasured, now >= measuredFrom else { return false }
            state.isMeasured = true
            return true
        }
        guard begins else { return }
        Task {
            let counted = try? await client.metrics()
            state.withLock { $0.before = counted }
        }
    }

    /// Sends a piece of news to the monitor, and then the news about the same instance that have queued up meanwhile.
    private func work(_ first: ServerNews) async {
        var next: ServerNews? = first
        while let news = next {
            let (epoch, clock) = state.withLock { ($0.epoch, $0.clock) }
            guard let clock else { return }
            let message = MonitorMessage(
                news,
                epoch: epoch,
                timeToLive: timeToLive,
                dismissal: dismissal,
                prefix: prefix
            )
            let result = await client.result(of: message.route, about: message.instance, body: message.body)
            let now = clock.now
            let latency = clock.wall(now - news.at)
            let isMeasured = news.at >= measuredFrom
            next = state.withLock { state in
                if isMeasured {
                    state.outcome.requests.record(message.route, result.outcome, microseconds: latency.microseconds)
                    state.outcome.requests.note(result.cause)
                }
                if case .answered = result.outcome {
                    state.latencies.record(latency, at: clock.wall(now - .start), isMeasured: isMeasured)
                }
                guard state.waiting[news.instance]?.isEmpty == false else {
                    state.waiting[news.instance] = nil
                    return nil
                }
                return state.waiting[news.instance]?.removeFirst()
            }
        }
    }

    // MARK: - From the phone line

    /// Takes what the phone line reports.
    package func heard(_ news: [PhoneNews]) {
        state.withLock { state in
            guard let clock = state.clock, let inbox = state.inbox else { return }
            let now = clock.now
            var items: [LiveInbox.Item] = []
            for news in news {
                switch news {
                case .push(_, let token, _, let priority, let payload):
                    let read = payload.flatMap { ActivityPayload($0) }
                    guard let push = read.flatMap({ PhonePush($0, token, priority: priority, epoch: state.epoch) })
                    else {
                        state.outcome.unreadable += 1
                        continue
                    }
                    state.outcome.arrived += 1
                    items.append(LiveInbox.Item(.pushed(push), at: now))
                case .lost:
                    state.outcome.lost += 1
                case .void, .sentOn, .copy, .missed:
                    break
                }
            }
            inbox.put(items)
        }
    }

    /// Notes that the phone line has ended.
    package func hungUp(asWished: Bool) { if !asWished { state.withLock { $0.outcome.hasLostPhones = true } } }

    // MARK: - The end

    /// Waits for answers for a limited time and returns the measurements.
    package func finish(patience: Duration) async -> Outcome {
        let limit = ContinuousClock.now + patience
        while ContinuousClock.now < limit, state.withLock({ !$0.waiting.isEmpty }) {
            try? await Task.sleep(for: .milliseconds(10))
        }
        let after = try? await client.metrics()
        return state.withLock { state in
            if let after, let before = state.before { state.outcome.counted = after.since(before) }
            return state.outcome
        }
    }

    /// Withdraws the tokens that the run leaves, for a limited time.
    ///
    /// - Returns: The number of instances whose withdrawal was not acknowledged.
    package func withdrawRest(of end: EarlyEnd) async -> Int {
        let names = state.withLock { $0.published }.map { MonitorMessage.name(of: $0, prefix: prefix) }
        return await LoadInstances.withdraw(names.sorted(), from: client, of: end)
    }
}
