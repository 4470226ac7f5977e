import LiveActivityModel
import RandomStreams

extension Scenario {
    /// Every distribution of a scenario with the path by which its file calls it.
    var distributions: [(path: String, distribution: Distribution)] {
        var found: [(path: String, distribution: Distribution)] = []
        var copy = self
        copy.mapDistributions { path, distribution in
            found.append((path, distribution))
            return distribution
        }
        return found
    }

    /// Replaces every distribution that is in use.
    mutating func mapDistributions(_ transform: (_ path: String, Distribution) -> Distribution) {
        func map(_ path: String, _ value: inout Distribution) {
            value = transform(path, value)
        }
        func map(_ path: String, _ value: inout Distribution?) {
            value = value.map { transform(path, $0) }
        }
        for index in rides.stages.indices {
            map("rides.stages.\(index).duration", &rides.stages[index].duration)
            map("rides.stages.\(index).refresh", &rides.stages[index].refresh)
        }
        map("rides.cancellation.after", &rides.cancellation.after)
        map("content.refresh", &content.refresh)
        map("content.payload.bytes", &content.payload.bytes)
        map("content.payload.photo_bytes", &content.payload.photoBytes)
        map("content.payload.small_photo_bytes", &content.payload.smallPhotoBytes)
        map("devices.start.time", &devices.start.time)
        map("devices.start.retry_after", &devices.start.retryAfter)
        map("devices.token.delay", &devices.token.delay)
        map("devices.token.post", &devices.token.post)
        map("devices.token.post_retry_after", &devices.token.postRetryAfter)
        map("devices.token.rotation", &devices.token.rotation)
        map("devices.local_updates.alive_for", &devices.localUpdates.aliveFor)
        map("devices.connectivity.online", &devices.connectivity.online)
        map("devices.connectivity.offline", &devices.connectivity.offline)
        map("devices.considerate_priority_delay", &devices.consideratePriorityDelay)
        map("devices.swipe.after", &devices.swipe.after)
        map("devices.end_report", &devices.endReport)
        map("apns.latency", &apns.latency)
        map("apns.expired_token_lag", &apns.expiredTokenLag)
        map("sender.request_time", &sender.requestTime)
    }
}
