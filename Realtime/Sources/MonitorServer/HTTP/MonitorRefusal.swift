/// The reasons for which the monitor refuses a request, one for each status.
enum MonitorRefusal: Int, CaseIterable {
    case invalid = 400
    case noSecret = 401
    case unknown = 404
    case otherMethod = 405
    case conflict = 409
    case tooLarge = 413
    case otherShard = 421
    case tooMany = 429
    case failure = 500
    case otherCoding = 501
    case unavailable = 503
    case full = 507

    /// The meaning, for the description of the API.
    var meaning: String {
        switch self {
        case .invalid: "The name, a parameter or the body is invalid, or the request is no valid HTTP."
        case .noSecret: "The secret is missing or wrong."
        case .unknown: "The monitor does not know the instance, or there is no such path."
        case .otherMethod: "The path has other methods. The header Allow lists them."
        case .conflict:
            "The instance ends; or content with a later generation time, or other content with the same one, was "
                + "announced before. A token gets this answer only after the end, or after the token was withdrawn, "
                + "and if monitor.end_again_on_new_token is false."
        case .tooLarge: "The body exceeds --max-body."
        case .otherShard: "The instance belongs to another --shard."
        case .tooMany: "The client exceeds --rate-limit. The header Retry-After says when to try again."
        case .failure: "The monitor failed; its log has the reason."
        case .otherCoding: "The body has a transfer coding other than chunked."
        case .unavailable: "The registry cannot be written, or the monitor is stopping."
        case .full: "The monitor has no room for another instance."
        }
    }
}
