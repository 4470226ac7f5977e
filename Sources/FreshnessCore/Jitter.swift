/// How pauses between attempts are spread, so that instances which failed together do not retry together.
///
/// The first four are those of Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015. `pause` stands
/// for the pause without jitter, `U(a, b)` for a draw between a and b.
public enum Jitter: String, CaseIterable, Sendable {
    /// The pause as it is.
    case none
    /// U(0, pause).
    case full
    /// pause/2 + U(0, pause/2).
    case equal
    /// min(cap, U(base, 3 × the previous pause)).
    case decorrelated
    /// pause × Exp(1): attempts are a Poisson process of rate 1/pause, as theory assumes.
    ///
    /// The cap holds for the pause, not for what is drawn: one pause in twenty is longer than three times its mean.
    case exponential
}
