import FreshnessCore
import LiveActivityModel
import Quantities
import Wire

/// A piece of news as a request to the monitor.
struct MonitorMessage: Equatable {
    let route: MonitorRoute
    let instance: String
    let body: String?

    /// A request, from the monitor's time at the run's beginning [µs since 1970] and the time for which content is good.
    init(_ news: ServerNews, epoch: Int64, timeToLive: TimeSpan) {
        instance = "ride-\(news.instance.ride).\(news.instance.life)"
        func date(_ instant: Instant) -> Instant? {
            instant == .never ? nil : Instant(microseconds: epoch + instant.microseconds)
        }
        switch news.message {
        case .token(let number, let shown):
            route = .publish
            body =
                TokenPublication(
                    token: DeviceToken(ride: news.instance.ride, number: number),
                    generatedAt: shown.flatMap { date($0.generatedAt) },
                    staleDate: shown.flatMap { date($0.staleDate) }
                )
                .json
        case .content(let stamp, let priority, let bytes):
            route = .announce
            let renewal = min(timeToLive, ContentAnnouncement.longestRenewal)
            body =
                ContentAnnouncement(
                    state: RideContent.state(
                        generatedAt: epoch + stamp.generatedAt.microseconds,
                        filledTo: Self.contentBytes(ofPayload: bytes)
                    ),
                    generatedAt: date(stamp.generatedAt),
                    staleDate: date(stamp.staleDate),
                    priority: priority,
                    renewal: renewal > .zero ? renewal : nil
                )
                .json
        case .withdrawal:
            route = .withdraw
            body = nil
        case .rideOver:
            route = .end
            body = nil
        }
    }

    /// The content that makes a payload as long as the model has it [bytes].
    ///
    /// A payload that APNs would take is no longer than the monitor's own limit lets it be, which is a little lower.
    private static func contentBytes(ofPayload count: Int) -> Int {
        let content = count - ActivityPayload.updateFrame
        return count <= ActivityPayload.largest ? min(content, ActivityPayload.largestContent) : content
    }
}
