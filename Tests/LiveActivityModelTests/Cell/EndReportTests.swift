import LifecycleTraces
import Testing

@testable import LiveActivityModel

@Suite("Reports of ends that fail")
struct EndReportTests {
    @Test("A cell produces the log of each history", arguments: histories)
    func history(_ history: History) throws { try history.expectInCell() }

    private static let histories = History.read(
        """
        A report that fails is sent again, up to a number of attempts
            devices.local_updates.alive_for=1000s
            devices.end_report_failure={share: 1, attempts: 3, retry_after: 10s}
            activity: 0 started; 100 ended: rideOver, end report failed; 110 end report failed; 120 end not reported
            values: endReportsFailed 3; endsUnreported 1; leftOver 0

        Each attempt takes the time of a report
            devices.local_updates.alive_for=1000s; devices.end_report=5s
            devices.end_report_failure={share: 1, attempts: 2, retry_after: 10s}
            activity: 0 started; 100 ended: rideOver; 105 end report failed; 120 end not reported

        A phone that is offline sends the next attempt once it is online
            devices.local_updates={alive_for: 1000s, needs_connection: false}
            devices.end_report_failure={share: 1, attempts: 2, retry_after: 10s}
            faults.0={kind: devices_offline, at: 105s, duration: 45s}
            activity: 0 started; 100 ended: rideOver, end report failed; 150 end not reported

        Reports fail while the server accepts no posts
            devices.local_updates.alive_for=1000s; faults.0={kind: token_post_down, at: 95s, duration: 20s}
            devices.end_report_failure={share: 0, attempts: 5, retry_after: 10s}
            activity: 0 started; 100 ended: rideOver, end report failed; 110 end report failed; 120 end reported
            values: endReportsFailed 2; endsUnreported 0; leftOver 0

        Without failures, a report arrives although the server accepts no posts
            devices.local_updates.alive_for=1000s; faults.0={kind: token_post_down, at: 95s, duration: 20s}
            activity: 0 started; 100 ended: rideOver, end reported

        The server goes on sending to a phone whose end it has not learned of
            devices.swipe={share: 1, after: 20s}; devices.end_report_failure={share: 1}; content.updates_at=[50s]
            apns.expired_token_lag=1h
            push: 50 update deadToken; 100 end deadToken
            values: endsUnreported 1; updatesSent 1; endsSent 1; leftOver 0

        Once a report has arrived, the server sends no more
            devices.swipe={share: 1, after: 20s}; content.updates_at=[50s]
            push: none
            values: updatesSent 0; endsSent 0
        """
    )
}
