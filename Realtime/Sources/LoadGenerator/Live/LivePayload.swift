import FreshnessCore
package import LiveActivityModel
import Quantities
package import Wire

/// A writer of payloads with the model's length, or longer if their contents need it.
package enum LivePayload {
    /// The payload of a request, in the time of the clock's run.
    ///
    /// - Parameters:
    ///   - dismissal: The scenario's policy for cards after their end.
    ///   - input: The way by which a card that is started gets its updates.
    package static func bytes(
        _ request: OutgoingRequest,
        _ clock: LiveClock,
        dismissal: Scenario.Dismissal,
        input: ActivityPayload.Input = .token
    ) -> [UInt8] {
        // Stamps count from the start of the run; with the modelled mistake of milliseconds they run a thousand times as fast.
        let timestamp = (clock.epochMicroseconds &+ request.timestamp) / 1_000_000
        let event = event(of: request.kind)
        let staleDate = request.content.staleDate
        let payload = ActivityPayload(
            timestamp: Double(timestamp),
            event: event,
            alert: event == .start ? LivePayload.startAlert : request.alerts ? RideContent.alert : nil,
            staleDate: staleDate == .never ? nil : Double(clock.unixSeconds(staleDate)),
            dismissalDate: event == .end
                ? dismissal.date(ofEndSentAt: request.sentAt).map { Double(clock.unixSeconds($0)) } : nil,
            contentState: RideContent.state(
                generatedAt: clock.epochMicroseconds + request.content.generatedAt.microseconds
            ),
            start: request.kind == .start ? LivePayload.start(input) : nil
        )
        return payload.bytes(filledTo: request.bytes)
    }

    /// The event of a kind of push.
    static func event(of kind: StoryLine.PushKind) -> PushEvent {
        switch kind {
        case .update, .retry: .update
        case .end: .end
        case .start: .start
        }
    }

    static func start(_ input: ActivityPayload.Input) -> ActivityPayload.Start {
        ActivityPayload.Start(attributesType: "Ride", attributes: Array("{}".utf8), input: input)
    }

    static var startAlert: PushAlert { PushAlert(title: "Ride", body: "Requested") }
}
