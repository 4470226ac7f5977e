import FreshnessCore
import LifecycleTraces
import Quantities
import Testing
import Wire

@testable import MonitorServer

/// The golden lifecycle traces through the monitor's state machine, with a manual clock and scripted answers.
///
/// The state machine's output shows less than the core's: content that came too late, or after newer content, leaves no
/// trace. Those lines of the logs are skipped; all others are compared, including the order of ties.
@Suite("The state machine reproduces the golden traces")
struct MonitorGoldenTraceTests {
    private static let start = Instant(microseconds: 1_700_000_000_000_000)

    /// An event at an instant: answers come before regular updates, and these before the monitor.
    private struct Event {
        let at: Int64
        let rank: Int
        let happening: Happening

        enum Happening {
            case answer(OutgoingPush, PushOutcome)
            case update
        }
    }

    /// One instance's life, line by line.
    private struct Life {
        let script: LifecycleScript
        let id: InstanceID
        var machine: MonitorStateMachine
        var events: [Event]
        var pushCount = 0
        var log = ["0 start"]

        init(_ script: LifecycleScript) throws {
            self.script = script
            id = try Fixture.id("r")
            events = script.updates.map { Event(at: $0, rank: 1, happening: .update) }
            machine = try Fixture.machine(script.monitor, at: MonitorGoldenTraceTests.start)
            // The same content is on the screen and announced, so a retry has content to send and nothing is sent now.
            let content = content(at: 0)
            let token = DeviceToken(ride: 1, number: 1)
            machine.contentAnnounced(content, for: id, at: MonitorGoldenTraceTests.start)
            machine.tokenPublished(
                PublishedToken(address: .token(token), revision: 1, publishedAt: MonitorGoldenTraceTests.start),
                for: id,
                shown: content.stamp,
                at: MonitorGoldenTraceTests.start
            )
        }

        private func instant(_ microseconds: Int64) -> Instant {
            MonitorGoldenTraceTests.start + TimeSpan(microseconds: microseconds)
        }

        private func content(at now: Int64) -> AnnouncedContent {
            AnnouncedContent(
                stamp: ContentStamp(generatedAt: instant(now), staleDate: instant(now + script.timeToLive)),
                state: Array("{}".utf8),
                priority: .immediate,
                renewal: TimeSpan(microseconds: script.timeToLive)
            )
        }

        /// Runs until the script ends.
        mutating func run() {
            while let now = nextInstant, now <= script.until {
                while let index = nextEvent(at: now) {
                    let event = events.remove(at: index)
                    switch event.happening {
                    case .update:
                        machine.contentAnnounced(content(at: now), for: id, at: instant(now))
                        perform(at: now)
                    case .answer(let push, let outcome):
                        answered(push, outcome, at: now)
                    }
                }
                advance(to: now)
            }
        }

        private var nextInstant: Int64? {
            let wake =
                machine.nextWake == .never ? nil : (machine.nextWake - MonitorGoldenTraceTests.start).microseconds
            return ([wake] + events.map(\.at)).compactMap { $0 }.min()
        }

        /// Returns the first event at an instant; ties in the order of creation.
        private func nextEvent(at now: Int64) -> Int? {
            let due = events.indices.filter { events[$0].at <= now }
            return due.min { (events[$0].rank, $0) < (events[$1].rank, $1) }
        }

        private mutating func answered(_ push: OutgoingPush, _ outcome: PushOutcome, at now: Int64) {
            let recovered = machine.counts.recovered
            machine.answered(PushAnswer(number: push.number, outcome: outcome), at: instant(now))
            for change in machine.takeActions().changes {
                switch change {
                case .confirm: note("shown \(push.kind)", at: now)
                case .retire(_, _, .invalidated, _): note("token-invalidated", at: now)
                case .retire(_, _, .discarded, _): note("token-dead", at: now)
                default: note("unexpected \(change)", at: now)
                }
            }
            if machine.counts.recovered > recovered { note("class fresh", at: now) }
        }

        private mutating func advance(to now: Int64) {
            let (episodes, severe) = (machine.counts.episodes, machine.counts.endedSevere)
            machine.advance(to: instant(now))
            if machine.counts.episodes > episodes { note("class stale", at: now) }
            if machine.counts.endedSevere > severe { note("class severe", at: now) }
            perform(at: now)
        }

        private mutating func perform(at now: Int64) {
            var actions = machine.takeActions()
            while !actions.changes.isEmpty || !actions.pushes.isEmpty {
                for change in actions.changes {
                    if case .end = change { machine.endRecorded(id, at: instant(now)) }
                }
                for push in actions.pushes {
                    sent(push, at: now)
                }
                actions = machine.takeActions()
            }
        }

        private mutating func sent(_ push: OutgoingPush, at now: Int64) {
            note("send \(push.kind)", at: now)
            let fate = pushCount < script.fates.count ? script.fates[pushCount] : .lost
            pushCount += 1
            switch fate {
            case .lost:
                break
            case .shown(let after):
                events.append(Event(at: now + after, rank: 0, happening: .answer(push, .accepted)))
            case .tokenDead(let after):
                let outcome = PushOutcome.refused(.unregistered, deadSince: nil)
                events.append(Event(at: now + after, rank: 0, happening: .answer(push, outcome)))
            case .refused(let reason, let after):
                let outcome = PushOutcome.refused(reason, deadSince: nil)
                events.append(Event(at: now + after, rank: 0, happening: .answer(push, outcome)))
            }
        }

        private mutating func note(_ text: String, at now: Int64) {
            log.append("\(Instant(microseconds: now).seconds) \(text)")
        }
    }

    @Test(arguments: History.goldenTraces)
    func theStateMachineReproducesTheTrace(_ history: History) throws {
        var life = try Life(LifecycleScript(history))
        life.run()
        // Without the two lines about the end of the trace.
        let visible = history.log.dropLast(2).filter { !$0.contains(" ignored-older ") && !$0.contains(" late ") }
        #expect(history.difference(from: life.log, expected: visible) == nil)
    }
}
