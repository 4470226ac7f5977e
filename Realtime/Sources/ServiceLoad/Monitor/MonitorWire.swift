import FreshnessCore
package import LiveActivityModel
package import LoadGenerator
package import Quantities
import Synchronization
package import Wire

/// A wire from the rides and phones of a live run to a Freshness Monitor over HTTP, and back from the phones' line of the
/// stand-in that the monitor pushes to.
///
/// ```
///   cells ─► requests ─► monitor ─► APNs stand-in ─┐
///     ▲                                            │
///     └────────────── the phones' line ◄───────────┘
/// ```
///
/// Requests about one instance go one after the other, as the order in which they arrive decides what they mean; those about
/// different instances do not wait for each other. A push finds its phone by its token, and its content by what the payload
/// says of it: nothing but what was on the wire reaches a screen.
package final class MonitorWire: LiveWire, PhoneLinkListener {
    /// What was heard and done, besides what the cells measure.
    package struct Outcome: Sendable {
        /// Requests by kind; latencies from when there was reason for them to their answers [wall-clock µs].
        package var requests = MonitorTally()
        /// What the monitor itself has counted in the measured time; nil where it did not say.
        package var counted: MonitorMetrics?
        /// Pushes that reached phones.
        package var arrived = 0
        /// Pushes that APNs accepted and lost.
        package var lost = 0
        /// Pushes that no phone could read.
        package var unreadable = 0
        /// Whether the phones' line was lost during the run.
        package var hasLostPhones = false

        /// Nothing heard, nothing done.
        package init() {}
    }

    private struct State {
        var clock: LiveClock?
        var inbox: LiveInbox?
        var link: PhoneLink?
        /// The monitor's time at the run's beginning [µs since 1970].
        var epoch: Int64 = 0
        /// For each instance with a request under way those that wait for it.
        var waiting: [ServerNews.Instance: [ServerNews]] = [:]
        var isMeasured = false
        var before: MonitorMetrics?
        var outcome = Outcome()
        var latencies = LatencyCourse()
    }

    /// How long content is good for; a retry's too.
    private let timeToLive: TimeSpan
    /// What came before is not measured.
    private let measuredFrom: Instant
    private let client: MonitorClient
    private let time: MonitorClient.Time
    private let state = Mutex(State())

    /// A wire without phones yet, to a monitor whose clock has shown a time and goes as fast as the run's.
    package init(scenario: Scenario, client: MonitorClient, time: MonitorClient.Time) {
        timeToLive = scenario.content.ttl
        measuredFrom = .start + scenario.clock.warmUp
        self.client = client
        self.time = time
    }

    /// What was heard and done so far, without the monitor's own counts.
    package var heard: Outcome { state.withLock { $0.outcome } }

    /// From when requests were due to their answers.
    package var latencies: LatencyCourse? { state.withLock { $0.latencies } }

    /// Gives the wire its phones, before the run begins.
    package func attach(_ link: PhoneLink) { state.withLock { $0.link = link } }

    // MARK: - From the cells

    /// Begins a run, whose news go to an inbox.
    package func begin(_ clock: LiveClock, _ inbox: LiveInbox) {
        let passed = Double(time.at.duration(to: .now).nanoseconds) / 1000
        let now = time.microseconds + Int64((passed * clock.speed).rounded())
        state.withLock {
            $0.clock = clock
            $0.inbox = inbox
            $0.epoch = now - clock.now.microseconds
        }
    }

    /// Begins requests, or has them wait their turn, and tells deaths of tokens; returns without waiting for any of it.
    package func send(_ news: ContiguousArray<OutgoingNews>, at now: Instant) {
        var deaths: [(token: TokenDigest, since: Instant)] = []
        var first: [ServerNews] = []
        let link = state.withLock { state in
            for news in news {
                switch news {
                case .server(let news):
                    if state.waiting[news.instance]?.append(news) == nil {
                        state.waiting[news.instance] = []
                        first.append(news)
                    }
                case .tokenDied(let ride, let number, let since):
                    deaths.append((TokenDigest(ride: ride, number: number), since))
                case .request, .givenUp, .disconnected:
                    preconditionFailure("a cell whose monitor is remote sends nothing")
                }
            }
            return state.link
        }
        link?.tellDead(deaths)
        for news in first { Task { await work(news) } }
    }

    /// Begins to measure when its time has come.
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

    /// Tells the monitor, and then what has come up meanwhile about the same instance.
    private func work(_ first: ServerNews) async {
        var next: ServerNews? = first
        while let news = next {
            let (epoch, clock) = state.withLock { ($0.epoch, $0.clock) }
            guard let clock else { return }
            let message = MonitorMessage(news, epoch: epoch, timeToLive: timeToLive)
            let result = await client.result(of: message.route, about: message.instance, body: message.body)
            let now = clock.now
            let latency = clock.wall(now - news.at)
            let isMeasured = news.at >= measuredFrom
            next = state.withLock { state in
                if isMeasured {
                    state.outcome.requests.add(message.route, result.outcome, microseconds: latency.microseconds)
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

    // MARK: - From the phones' line

    /// The phones' line tells what reaches them.
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
                case .void:
                    break
                }
            }
            inbox.put(items)
        }
    }

    /// The phones' line has ended.
    package func hungUp(asWished: Bool) { if !asWished { state.withLock { $0.outcome.hasLostPhones = true } } }

    // MARK: - The end

    /// Waits for answers, for a limited time, and says what came of it all.
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
}
