package import LiveActivityModel

extension Measurements {
    /// Requests to APNs of any kind.
    package var pushesSent: Int64 {
        [Counter.updatesSent, .retriesSent, .endsSent, .startsSent].reduce(0) { $0 + self[$1] }
    }
}
