import FreshnessCore
import Quantities
import Studies
import Testing

@testable import LiveActivityModel
@testable import Reporting

struct StoryTests {
    @Test("The verdict on a ride that ended before measuring started states it")
    func beforeMeasuring() {
        var scenario = Scenario()
        scenario.clock.warmUp = .hours(2)
        func verdict(at hours: Int64) -> String? {
            let line = StoryLine(
                ride: 1,
                at: .start + .hours(hours),
                happening: .rideEnded(isCancelled: false),
                belief: nil,
                screen: .nothing
            )
            return Story([line], of: scenario).verdict
        }
        #expect(verdict(at: 1)?.hasPrefix("It was over before measurement began at ") == true)
        #expect(verdict(at: 3) == nil)
    }

    /// Every case of every event, with its words.
    private static let happenings: [(StoryLine.Happening, String)] =
        [
            (.requested, "ride requested"),
            (.stageBegan(0), "stage began: matching"),
            (.stageBegan(1), "stage began: on trip"),
            (.stageBegan(9), "stage began: 9"),
            (.rideEnded(isCancelled: false), "ride over"),
            (.rideEnded(isCancelled: true), "ride cancelled"),
            (.startFailed(reason: .notAllowed), "start failed: Live Activities are off on this phone"),
            (.startFailed(reason: .inBackground), "start failed: the app was in the background"),
            (.startFailed(reason: .atSystemLimit), "start failed: too many activities on the phone"),
            (.startFailed(reason: .tooLarge), "start failed: attributes and content over 4 KB"),
            (.startFailed(reason: .noContent), "start failed: the server had no content"),
            (.startFailed(reason: .givenUp), "start failed: no way left to start the activity"),
            (.started, "activity started on the phone"),
            (.tokenYielded, "iOS yielded a token"),
            (.tokenPostFailed, "posting the token failed"),
            (.tokenPosted, "server received the token"),
            (.tokenRotated, "token changed, the old one no longer works"),
            (.updatedLocally, "app updated the screen itself"),
            (.etaCorrected(by: .seconds(-70)), "ETA on the screen corrected by −70 s"),
            (.photoShown(.full), "card shows the driver's photo"),
            (.photoShown(.small), "card shows the driver's photo, shrunk"),
            (.photoLost(isOutdated: false), "driver's photo lost with its push"),
            (.photoLost(isOutdated: true), "driver's photo not kept: its push was no newer than the card"),
            (.wasStale(since: .start, isMarked: true), "content was stale from 12:00 on, and the card marked it"),
            (
                .wasStale(since: .start, isMarked: false),
                "content was stale from 12:00 on, and the card did not mark it"
            ),
            (
                .photoPacked(.driver, original: 2000, packed: 2000, payload: 3500),
                "payload of 3500 bytes with the driver's photo of 2000 bytes"
            ),
            (
                .photoPacked(.driver, original: 2800, packed: 960, payload: 3960),
                "payload of 3960 bytes with the driver's photo, shrunk from 2800 bytes to 960 bytes"
            ),
            (
                .photoPacked(.car, original: 2800, packed: 0, payload: 3000),
                "payload of 3000 bytes without the car's photo: its 2800 bytes did not fit"
            ),
            (.payloadTooLarge(5000, limit: 4096), "payload of 5000 bytes is above APNs' limit of 4096 bytes"),
            (.alertCreated(stage: 1), "push with an alert: on trip"),
            (.alerted(isLate: false), "alert lit up the screen"),
            (.alerted(isLate: true), "alert lit up the screen about a stage that was over"),
            (.queued(.update), "push (update) queued"),
            (.queued(.start), "push (push-to-start) queued"),
            (.notSent(.update, reason: .coalesced), "push (update) not sent: replaced by a newer update"),
            (.notSent(.update, reason: .queueFull), "push (update) not sent: the queue was full"),
            (
                .notSent(.update, reason: .withinMinimumInterval),
                "push (update) not sent: too soon after the previous update"
            ),
            (.notSent(.retry, reason: .noContent), "push (retry) not sent: the server had no content"),
            (.notSent(.end, reason: .tokenGone), "push (end) not sent: the token was gone"),
            (.sent(.update, priority: .immediate, attempt: 0), "push (update, priority 10) sent to APNs"),
            (.sent(.retry, priority: .considerate, attempt: 1), "push (retry, priority 5) sent to APNs"),
            (.answered(.update, refusal: nil), "APNs accepted the push (update)"),
            (.answered(.end, refusal: .expiredToken), "APNs rejected the push (end): 410 ExpiredToken"),
            (.unanswered(.update), "no answer to the push (update)"),
            (.fate(.update, .shown), "push (update) shown"),
            (.fate(.end, .ended), "push (end) ended the activity"),
            (.fate(.start, .started), "push (push-to-start) started the activity"),
            (.fate(.update, .older), "push (update) not shown: newer content was there"),
            (.fate(.update, .throttled), "push (update) not shown: update budget spent"),
            (.fate(.update, .undecodable), "push (update) not shown: the app cannot decode it"),
            (.fate(.update, .lost), "push (update) lost after APNs accepted it"),
            (.fate(.update, .deadToken), "push (update) dropped: its token no longer worked"),
            (.fate(.update, .afterEnd), "push (update) came after the end"),
            (.fate(.update, .replacedInStore), "push (update) replaced by a newer one while the phone was offline"),
            (.fate(.update, .expired), "push (update) expired while the phone was offline"),
            (.fate(.update, .notStored), "push (update) dropped: the phone was offline"),
            (.fate(.start, .startIgnored), "push (push-to-start) ignored by the phone"),
            (.fate(.update, .wokeApp), "push (update) woke the app"),
            (.startDropped(.overBudget), "phone dropped the start: its budget for starts was spent"),
            (.startDropped(.stale), "phone did not present the start: its content was stale on arrival"),
            (.joinedGroup(ride: 5, isByChannel: true), "ride follows the content of group 5, by the group's channel"),
            (.joinedGroup(ride: 5, isByChannel: false), "ride follows the content of group 5, by its own token"),
            (.channelCreated, "server created a channel"),
            (.sentOn(.end), "APNs sent the push (end) on from the channel to this phone"),
            (.startTokenPosted, "server received the phone's new push-to-start token"),
            (.ended(.renewed), "activity ended: a new one replaces it before Apple's limit"),
            (.stored(.update, until: .start + .minutes(3)), "push (update) kept by APNs until 12:03"),
            (.classified(.fresh), "monitor: now fresh"),
            (.classified(.recoverable), "monitor: now recoverable"),
            (.classified(.severe), "monitor: now severe"),
            (.retryWithheld, "monitor: retry withheld, retry budget spent"),
            (.confirmed(.stillFresh), "server: content confirmed, still fresh"),
            (.confirmed(.recovered(staleSince: .start)), "server: content confirmed, fresh again"),
            (.confirmed(.alreadyStale), "server: content confirmed, but already stale"),
            (.confirmed(.older), "server: confirmation of older content"),
            (.confirmed(.late), "server: confirmation too late, the end was already decided"),
            (.confirmed(.closed), "server: confirmation for a closed instance"),
            (.tokenInvalidated, "server invalidated the token"),
            (.tokenDiscarded, "server discarded the token after APNs' answer"),
            (.endReportFailed(isLast: false), "device's report of the end failed; it tries again"),
            (
                .endReportFailed(isLast: true),
                "device's report of the end failed; the server does not learn of the end"
            ),
            (.ended(.leftOver), "activity ended: the app started the card of a later ride"),
            (.startFailed(reason: .oldCard), "start failed: the app took the card of an earlier ride for this one's"),
            (.endReported, "device's report of the end reached the server"),
        ]
        + [
            (.ended(.rideOver), "activity ended: ride over"),
            (.ended(.cancelled), "activity ended: ride cancelled"),
            (.ended(.severe), "activity ended: severely stale"),
            (.ended(.noToken), "activity ended: no token in time"),
            (.ended(.tokenNotPosted), "activity ended: token did not reach the server in time"),
            (.ended(.noUpdate), "activity ended: no update in time"),
            (.ended(.swiped), "activity ended: swiped away"),
            (.ended(.contentExpired), "activity ended: content stale for too long"),
            (.ended(.systemLimit), "activity ended: Apple's limit"),
        ]

    @Test(arguments: happenings)
    func words(happening: StoryLine.Happening, words: String) {
        #expect(Story([], of: .oneRide).what(happening) == words)
    }

    @Test
    func noTwoHappeningsHaveTheSameWords() {
        #expect(Set(StoryTests.happenings.map(\.1)).count == StoryTests.happenings.count)
    }

    @Test
    func screensAndOffsets() {
        let content = ContentStamp(generatedAt: .start + .seconds(10), staleDate: .start + .seconds(100))
        func line(_ at: TimeSpan, _ happening: StoryLine.Happening, _ screen: StoryLine.Screen) -> StoryLine {
            StoryLine(ride: 0, at: .start + at, happening: happening, belief: .recoverable, screen: screen)
        }
        let story = Story(
            [
                line(.seconds(9), .updatedLocally, .content(content)),
                line(.milliseconds(9_500), .requested, .nothing),
                line(.milliseconds(99_999), .started, .content(content)),
                line(.seconds(100), .tokenYielded, .content(content)),
            ],
            of: .oneRide
        )
        #expect(
            story.text == """
                time of day      offset  what happened                  server believes  phone shows
                12:00:09.000   -0.500 s  app updated the screen itself  recoverable      content stamped in the future
                12:00:09.500   +0.000 s  ride requested                 recoverable      –
                12:01:39.999  +90.499 s  activity started on the phone  recoverable      content 90.0 s old, fresh
                12:01:40.000  +90.500 s  stale date passed              recoverable      content 90 s old, stale
                12:01:40.000  +90.500 s  iOS yielded a token            recoverable      content 90 s old, stale

                """
        )
    }

    @Test
    func aStoryThatWasReallyTold() throws {
        let world = try ScenarioLoader.world(.oneRide)
        var cell = CellSimulation(world: world, cell: 0, replication: 0, watch: .ride(0))
        _ = cell.run(through: world.horizon)
        cell.finish()
        #expect(try Story(cell.story, of: world.scenario).text == Fixture.text("one-ride.story.txt"))
    }
}
