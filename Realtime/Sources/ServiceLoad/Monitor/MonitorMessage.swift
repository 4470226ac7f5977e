import FreshnessCore
import LiveActivityModel
import Quantities
import Wire

/// The request to the monitor that reports a piece of news.
struct MonitorMessage: Equatable {
    let route: MonitorRoute
    let instance: String
    let body: String?

    /// The request for a piece of news.
    ///
    /// - Parameters:
    ///   - epoch: The monitor's time at the beginning of the run [µs since 1970].
    ///   - timeToLive: The TTL of content.
    ///   - dismissal: The policy for cards after their end.
    ///   - prefix: The beginning of the instances' names; see ``LoadInstances``.
    init(
        _ news: ServerNews,
        epoch: Int64,
        timeToLive: TimeSpan,
        dismissal: Scenario.Dismissal,
        prefix: String = LoadInstances.alone
    ) {
        instance = Self.name(of: news.instance, prefix: prefix)
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
        case .content(let stamp, let priority, let bytes, let alerts):
            route = .announce
            let renewal = min(timeToLive, ContentAnnouncement.longestRenewal)
            let alert = alerts ? RideContent.alert : nil
            body =
                ContentAnnouncement(
                    state: RideContent.state(
                        generatedAt: epoch + stamp.generatedAt.microseconds,
                        filledTo: Self.contentBytes(ofPayload: bytes, beside: alert)
                    ),
                    generatedAt: date(stamp.generatedAt),
                    staleDate: date(stamp.staleDate),
                    priority: priority,
                    renewal: renewal > .zero ? renewal : nil,
                    alert: alert
                )
                .json
        case .withdrawal:
            route = .withdraw
            body = nil
        case .rideOver:
            route = .end
            let date = dismissal.date(ofEndSentAt: news.at)
            body = date.map { EndRequest(dismissalDate: (epoch + $0.microseconds) / 1_000_000).json }
        }
    }

    /// Returns the name of an instance.
    static func name(of instance: ServerNews.Instance, prefix: String) -> String {
        "\(prefix)\(instance.ride).\(instance.life)"
    }

    /// The length of the content in a payload of a given length [bytes].
    ///
    /// The monitor's own limit is a little lower than APNs', so payloads that APNs would accept are cut to that limit.
    private static func contentBytes(ofPayload count: Int, beside alert: PushAlert?) -> Int {
        let alert = alert?.byteCount ?? 0
        let content = count - ActivityPayload.updateFrame - alert
        return count <= ActivityPayload.largest ? min(content, ActivityPayload.largestContent - alert) : content
    }
}
