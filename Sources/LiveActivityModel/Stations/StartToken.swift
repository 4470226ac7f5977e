import Quantities

/// The push-to-start token of one phone, and the server's knowledge of it.
///
/// iOS replaces the token from time to time. Only an app that runs learns of it and posts the new token. Until then the server
/// has the old one: APNs accepts starts to it for a while, which reach no phone, and then rejects them. As with update tokens,
/// the server discards a token that APNs rejects.
///
/// ```
///            changed                            appPosted
///   valid ─────────────► dead since an instant ───────────► valid
///                          │                       ▲
///                          └─ rejected ─► discarded┘
/// ```
struct StartToken: Hashable, BitwiseCopyable {
    /// The number of changes so far.
    private(set) var number: UInt32 = 0
    /// The number of changes before the server's token was issued.
    private var serverNumber: UInt32 = 0
    /// When iOS changes the token next; `never` before the first draw.
    private(set) var changesAt = Instant.never
    /// When the server's token stopped working; `never` while it works.
    private(set) var deadSince = Instant.never
    /// `true` if the server has no token, because APNs rejected the last one.
    private(set) var isDiscarded = false

    /// The number of the server's token among all tokens of the phone; update tokens have smaller numbers.
    var serverToken: UInt32 { serverNumber | 1 << 31 }

    /// Sets the instant of the next change.
    mutating func changes(at instant: Instant) { changesAt = instant }

    /// Handles a change at ``changesAt``.
    ///
    /// - Parameter isPosted: `true` if an app that runs posts the new token at once.
    mutating func changed(isPosted: Bool) {
        if deadSince == .never { deadSince = changesAt }
        number += 1
        if isPosted { appPosted() }
    }

    /// Handles a post of the current token by the app.
    mutating func appPosted() {
        serverNumber = number
        deadSince = .never
        isDiscarded = false
    }

    /// Handles a rejection by which APNs reports that a token no longer works.
    mutating func rejected(_ token: UInt32) { isDiscarded = isDiscarded || token == serverToken }

    /// When the token of a start stopped working; `never` while it works.
    func deadSince(_ token: UInt32, at now: Instant) -> Instant { token < serverToken ? now : deadSince }
}
