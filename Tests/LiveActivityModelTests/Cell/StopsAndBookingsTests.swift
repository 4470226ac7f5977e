import LifecycleTraces
import Testing

@testable import LiveActivityModel

@Suite("Rides with several stops, and rides that are booked ahead")
struct StopsAndBookingsTests {
    @Test("A cell produces the log of each history", arguments: histories)
    func history(_ history: History) throws { try history.expectInCell() }

    private static let histories = History.read(
        """
        A ride repeats its last stage for each additional stop
            rides.stops={share: 1, most: 2}
            ride: 0 requested, stage 0; 100 stage 0; 200 stage 0; 300 completed
            push: 100 update shown; 200 update shown; 300 end ended
            values: stopsMade 2; ridesCompleted 1

        A ride goes back to an earlier stage, and passes through those that follow again
            rides.stages=[{name: a, duration: 100s}, {name: b, duration: 50s}, {name: c, duration: 10s}]
            rides.stops={share: 1, most: 1, from_stage: b, to_stage: a}
            ride: 0 requested, stage 0; 100 stage 1; 150 stage 0; 250 stage 1; 300 stage 2; 310 completed
            values: stopsMade 1

        No ride makes a stop that is not drawn
            rides.stops={share: 0}
            ride: 0 requested, stage 0; 100 completed

        A cancellation at a time after the stop takes effect
            rides.stops={share: 1}; rides.cancellation={share: 1, after: 150s}
            ride: 0 requested, stage 0; 100 stage 0; 150 cancelled

        A driver who drops the ride after a stop does not undo the stop
            rides.stages=[{name: a, duration: 100s}, {name: b, duration: 50s}]; rides.stops={share: 1, to_stage: b}
            rides.rematching={share: 99.999999%, after: 70s}; clock.drain=1h
            ride: 0 requested, stage 0; 100 stage 1; 150 stage 1; 200 completed

        # The content is as old as the booking: generated at 70, it shows no stage of the ride.
        A scheduled card appears when the ride begins, with content as old as the booking
            clock.duration=200s; rides.arrivals.at=100s; rides.booked={share: 1, ahead: 30s}; devices.start.schedules=true
            devices.token.delay=20s
            activity+token+push: 100 started; 120 token yielded, token posted, update shown
            200 token invalidated, end ended, ended: rideOver, end reported
            values: activitiesScheduled 1; startsSent 0; ridesBookedAhead 1; wrongStageTime 20s; displayedTime 100s

        A scheduled card whose token never comes keeps the content of the booking
            clock.duration=200s; rides.arrivals.at=100s; rides.booked={share: 1, ahead: 30s}; devices.start.schedules=true
            devices.token.never=1; devices.system_limit=200s
            activity: 100 started; 300 ended: systemLimit, end reported
            values: displayedFreshTime 30s; displayedTime 200s; wrongStageTime 100s

        The app does not run, so it does not end a scheduled card whose content expired before it appeared
            clock.duration=200s; rides.arrivals.at=100s; rides.booked={share: 1, ahead: 90s}; devices.start.schedules=true
            devices.stale_content_limit=10s; devices.token.never=1; devices.system_limit=200s
            devices.local_updates={enabled: true, alive_for: 1h}
            activity: 100 started; 300 ended: systemLimit, end reported

        Without scheduling, the app is not in use when the ride begins
            rides.booked={share: 1, ahead: 30s}
            activity: 0 start failed: inBackground, start failed: givenUp

        The rider of a ride that was booked ahead may open the app later
            rides.booked={share: 1}; devices.start={attempts: 2, foreground: {stays: 10s, away: 20s}}
            activity: 0 start failed: inBackground; 20 started …

        The server starts the card of a ride that was booked ahead by push
            rides.booked={share: 1}; devices.start.by=push
            activity+push: 0 started, start started …
            values: activitiesScheduled 0; startsSent 1

        A scheduled card that the system refused at the booking is started otherwise
            rides.booked={share: 1}; devices.start={by: push, schedules: true, at_system_limit: 1}
            activity+push: 0 started, start started …
            values: activitiesScheduled 0; startsSent 1

        A ride that was not booked ahead is started by the app
            rides.booked={share: 0}; devices.start.schedules=true
            activity: 0 started …
            values: activitiesScheduled 0; ridesBookedAhead 0
        """
    )
}
