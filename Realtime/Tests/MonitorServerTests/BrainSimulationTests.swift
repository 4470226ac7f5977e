import APNsProtocol
import Experiments
import FreshnessCore
import Quantities
import RandomStreams
import Testing

@testable import LiveActivityModel
@testable import MonitorServer

/// The brain against the simulator's monitor, which shares the core with it and nothing else: not the table, not the heap of
/// deadlines, not a rule about tokens, announcements or ends.
///
/// One cell simulates its monitor; its twin has rides and phones alone, and the brain in its place. What phones show must
/// be the same, and so must the pushes that it took.
@Suite("The brain does what the simulation does")
struct BrainSimulationTests {
    /// Rides whose pushes take a second and are answered after 0.2 s, but for three minutes in which APNs is silent.
    private static func scenario(seed: UInt64, scans: Bool) -> Scenario {
        var scenario = Scenario()
        scenario.seed = seed
        scenario.clock.duration = .minutes(10)
        scenario.clock.drain = .minutes(40)
        scenario.rides.arrivals.process = .even
        scenario.rides.arrivals.count = 60
        scenario.rides.arrivals.spread = .minutes(10)
        scenario.rides.stages = [
            Scenario.Stage(name: "a", duration: .exponential(mean: 60e6)),
            Scenario.Stage(name: "b", duration: .exponential(mean: 600e6)),
        ]
        scenario.content.ttl = .minutes(1)
        scenario.content.refresh = .exponential(mean: 40e6)
        scenario.devices.start.time = .exponential(mean: 1e6)
        scenario.devices.token.delay = .exponential(mean: 2e6)
        scenario.devices.token.post = .exponential(mean: 0.5e6)
        scenario.devices.swipe.share = Probability(0.2)
        scenario.devices.swipe.after = .exponential(mean: 300e6)
        scenario.devices.swipe.recreated = Probability(0.5)
        scenario.devices.endReport = .exponential(mean: 1e6)
        scenario.devices.connectivity.online = .exponential(mean: 200e6)
        scenario.devices.connectivity.offline = .exponential(mean: 20e6)
        scenario.apns.latency = .constant(Double(BrainAtWork.transit.microseconds))
        scenario.sender.requestTime = .constant(Double(BrainAtWork.roundTrip.microseconds))
        scenario.monitor.freshLimit = .seconds(20)
        scenario.monitor.recoveryWindow = .minutes(2)
        if scans { scenario.monitor.scanInterval = .seconds(1) }
        var silence = Scenario.Fault(kind: .apnsSilent, at: .minutes(12), duration: .minutes(3))
        silence.share = .always
        scenario.faults = [silence]
        return scenario
    }

    /// What the phones of a cell have shown.
    private struct Shown: Equatable {
        let displayed: [SeriesColumn: Int64]
        let counts: [Counter: Int64]
        let age: RampTally
        let peakAge: Tally

        init(_ measurements: Measurements) {
            let columns: [SeriesColumn] = [.displayedTime, .displayedFreshTime, .displayedStaleTime, .activitiesEnded]
            displayed = Dictionary(uniqueKeysWithValues: columns.map { ($0, measurements.series.total($0)) })
            let counters: [Counter] = [
                .activitiesStarted, .activitiesRecreated, .endedSwiped, .liveAtHorizon, .fateShown, .fateExpired,
                .tokensPosted,
            ]
            counts = Dictionary(uniqueKeysWithValues: counters.map { ($0, measurements[$0]) })
            age = measurements.age
            peakAge = measurements[.peakAge]
        }
    }

    @Test("Screens and the monitor's counts are those of the simulation", arguments: UInt64(1)...6, [false, true])
    func agrees(seed: UInt64, scans: Bool) throws {
        let world = try ScenarioLoader.world(Self.scenario(seed: seed, scans: scans))
        var alone = CellSimulation(world: world, cell: 0, replication: 0)
        _ = alone.run(through: .never)
        alone.finish()
        var cell = CellSimulation(world: world, cell: 0, outside: .withMonitor)
        var monitor = try BrainAtWork(world)
        monitor.drive(&cell, through: world.horizon)
        cell.finish()
        // Not in the expectation itself: that would print some thousand numbers.
        let isSame = Shown(cell.measurements) == Shown(alone.measurements)
        #expect(isSame)
        let counts = monitor.brain.counts
        // An episode that is over before a scan has found it counts in the simulation; the brain counts its recovery alone.
        if !scans { #expect(Int64(counts.episodes) == alone.measurements[.episodesBegun]) }
        #expect(Int64(counts.recovered) == alone.measurements[.episodesRecovered])
        #expect(Int64(counts.endedSevere) == alone.measurements[.episodesEndedSevere])
        #expect(Int64(counts.pushes[Push.Kind.update.rawValue]) == alone.measurements[.updatesSent])
        #expect(Int64(counts.pushes[Push.Kind.retry.rawValue]) == alone.measurements[.retriesSent])
        #expect(Int64(counts.pushes[Push.Kind.end.rawValue]) == alone.measurements[.endsSent])
        #expect(cell.measurements[.updatesSent] == 0, "a cell whose monitor is outside sends nothing")
        // There was something to agree about.
        #expect(cell.measurements[.endedSevere] > 0)
        #expect(counts.pushes[Push.Kind.retry.rawValue] > 20)
        #expect(counts.endedSevere > 0)
    }
}

/// A brain in virtual time, with an APNs behind it whose ways are all of the same length, and which is silent for a while.
private struct BrainAtWork {
    /// From a request to the phone.
    static let transit = TimeSpan.seconds(1)
    /// From a request to its answer.
    static let roundTrip = TimeSpan.milliseconds(200)

    private enum Happening {
        case arrives(PhonePush)
        case answered(PushAnswer)
    }

    private(set) var brain: MonitorBrain
    private let timeToLive: TimeSpan
    private let silence: Range<Instant>
    private var revision: Int64 = 0
    /// Whose each token is.
    private var tokens: [DeviceToken: (ride: UInt64, number: UInt32)] = [:]
    /// Since when tokens are dead.
    private var deaths: [DeviceToken: Instant] = [:]
    /// What is to come, in the order of time; equals in the order in which they were made.
    private var coming: [(at: Instant, happening: Happening)] = []

    /// - Precondition: The scenario has one fault, a silence of APNs.
    init(_ world: World) throws {
        brain = try MonitorBrain(world.scenario.monitor, seed: world.scenario.seed, at: .start)
        timeToLive = world.scenario.content.ttl
        let from = Instant.start + world.scenario.faults[0].at
        silence = from..<from + world.scenario.faults[0].duration
    }

    /// Lets a cell and the brain live on until an instant.
    mutating func drive(_ cell: inout CellSimulation, through horizon: Instant) {
        while true {
            let due = min(coming.first?.at ?? .never, brain.nextWake)
            let border = due == .never ? Instant.never : Instant(microseconds: due.microseconds - 1)
            if cell.step(through: border) {
                for news in cell.takeOutbox() { hear(news) }
            } else if due > horizon {
                return
            } else if let next = coming.first, next.at == due {
                coming.removeFirst()
                switch next.happening {
                case .arrives(let push): cell.hear(.pushed(push), at: due)
                case .answered(let answer): brain.answered(answer, at: due)
                }
                perform(at: due)
            } else {
                brain.advance(to: due)
                perform(at: due)
            }
        }
    }

    private mutating func hear(_ news: OutgoingNews) {
        switch news {
        case .server(let news): hear(news)
        case .tokenDied(let ride, let number, let since): note(death: DeviceToken(ride: ride, number: number), since)
        case .request, .givenUp: preconditionFailure("a cell whose monitor is outside sends nothing")
        }
    }

    /// What is told first of a token holds.
    private mutating func note(death token: DeviceToken, _ since: Instant) {
        if deaths[token] == nil { deaths[token] = since }
    }

    private mutating func hear(_ news: ServerNews) {
        guard let id = InstanceID("ride-\(news.instance.ride).\(news.instance.life)") else { return }
        switch news.message {
        case .token(let number, let shown):
            let token = DeviceToken(ride: news.instance.ride, number: number)
            tokens[token] = (news.instance.ride, number)
            revision += 1
            if let shown { announce(shown, .immediate, to: id, at: news.at) }
            let published = PublishedToken(token: token, revision: revision, publishedAt: news.at)
            brain.tokenPublished(published, for: id, shown: shown, at: news.at)
        case .content(let stamp, let priority, _):
            announce(stamp, priority, to: id, at: news.at)
        case .withdrawal:
            revision += 1
            _ = brain.tokenWithdrawn(from: id, at: news.at)
            _ = brain.tokenWithdrawn(from: id, revision: revision, at: news.at)
        case .rideOver:
            brain.rideOver(id, dismissalDate: nil, at: news.at)
        }
        perform(at: news.at)
    }

    /// Content, that with which an activity began included: a retry has something to carry then, as in the simulation.
    private mutating func announce(_ stamp: ContentStamp, _ priority: PushPriority, to id: InstanceID, at now: Instant)
    {
        let state = Array("{}".utf8)
        let content = AnnouncedContent(stamp: stamp, state: state, priority: priority, renewal: timeToLive)
        brain.contentAnnounced(content, for: id, at: now)
    }

    /// Makes durable what is to be durable at once, and sends.
    private mutating func perform(at now: Instant) {
        var actions = brain.takeActions()
        while !actions.changes.isEmpty || !actions.pushes.isEmpty {
            for case .end(let id, _, _) in actions.changes { brain.endRecorded(id, at: now) }
            for push in actions.pushes { send(push, at: now) }
            actions = brain.takeActions()
        }
    }

    private mutating func send(_ push: MonitorServer.Push, at now: Instant) {
        guard !silence.contains(now), let token = tokens[push.token.token] else { return }
        guard deaths[push.token.token].map({ $0 > now }) ?? true else {
            let refusal = PushOutcome.refused(.unregistered, deadSince: nil)
            expect(.answered(PushAnswer(number: push.number, outcome: refusal)), at: now + Self.roundTrip)
            return
        }
        let arrival = PhonePush(
            ride: token.ride,
            tokenNumber: token.number,
            isEnd: push.kind == .end,
            priority: push.priority,
            content: push.content,
            timestamp: now.microseconds
        )
        expect(.arrives(arrival), at: now + Self.transit)
        expect(.answered(PushAnswer(number: push.number, outcome: .accepted)), at: now + Self.roundTrip)
    }

    private mutating func expect(_ happening: Happening, at due: Instant) {
        let place = coming.firstIndex { $0.at > due } ?? coming.endIndex
        coming.insert((due, happening), at: place)
    }
}
