import APNsProtocol
import FreshnessCore
import LiveActivityModel
import LoadGenerator
import NIOHTTP1
import Quantities

/// A piece of news as a request to the monitor.
struct MonitorMessage: Equatable {
    let kind: MonitorOperations.Kind
    let method: HTTPMethod
    let path: String
    let body: String?

    /// The largest payload of APNs, the bytes of it around an update's content, and the most content that a monitor takes.
    private static var payloadLimit: Int { 4096 }
    private static var frame: Int { 90 }
    private static var contentLimit: Int { 3936 }
    private static var longestRenewal: TimeSpan { .hours(24) }

    /// A request.
    ///
    /// - Parameters:
    ///   - epoch: The monitor's time at the run's beginning [µs since 1970].
    ///   - timeToLive: How long content is good for, and that of retries with it.
    init(_ news: ServerNews, epoch: Int64, timeToLive: TimeSpan) {
        let instance = "/v1/instances/ride-\(news.instance.ride).\(news.instance.life)"
        switch news.message {
        case .token(let number, let shown):
            kind = .publish
            method = .PUT
            path = instance + "/token"
            let token = DeviceToken(ride: news.instance.ride, number: number).hexadecimal
            body = "{\"token\":\"\(token)\"\(shown.map { Self.members(of: $0, epoch) } ?? "")}"
        case .content(let stamp, let priority, let bytes):
            kind = .announce
            method = .PUT
            path = instance + "/content"
            let state = Self.contentState(generatedAt: epoch + stamp.generatedAt.microseconds, payloadBytes: bytes)
            let renewal = min(timeToLive, Self.longestRenewal)
            body =
                "{\"content_state\":\(state)\(Self.members(of: stamp, epoch)),\"priority\":\(priority.rawValue)"
                + (renewal > .zero ? ",\"renewable_for_s\":\(Self.seconds(renewal.microseconds))}" : "}")
        case .withdrawal:
            kind = .withdraw
            method = .DELETE
            path = instance + "/token"
            body = nil
        case .rideOver:
            kind = .end
            method = .POST
            path = instance + "/end"
            body = nil
        }
    }

    /// When content was generated, and its stale date if it has one.
    private static func members(of stamp: ContentStamp, _ epoch: Int64) -> String {
        ",\"generated_at_us\":\(epoch + stamp.generatedAt.microseconds)"
            + (stamp.staleDate == .never
                ? "" : ",\"stale_date\":\(seconds(epoch + stamp.staleDate.microseconds))")
    }

    /// Content that says when it was generated and makes the payload as long as the model has it.
    ///
    /// A payload that APNs would take is no longer than the monitor's own limit lets it be, which is a little lower.
    private static func contentState(generatedAt: Int64, payloadBytes: Int) -> String {
        let state = "{\"generated_at_us\":\(generatedAt)"
        let wanted = payloadBytes <= payloadLimit ? min(payloadBytes - frame, contentLimit) : payloadBytes - frame
        let filler = wanted - state.utf8.count - 8
        return filler > 0 ? state + ",\"p\":\"\(String(repeating: "x", count: filler))\"}" : state + "}"
    }

    /// Microseconds as seconds with all six decimals.
    private static func seconds(_ microseconds: Int64) -> String {
        let fraction = String(microseconds % 1_000_000)
        return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
    }
}
