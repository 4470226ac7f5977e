/// The randomization of pauses between attempts, so that instances that failed together do not retry together.
///
/// The first four are from Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015. `pause` is the
/// pause without jitter, `U(a, b)` a uniform draw between a and b.
public enum Jitter: String, CaseIterable, Sendable {
    /// The unchanged pause.
    case none
    /// U(0, pause).
    case full
    /// pause/2 + U(0, pause/2).
    case equal
    /// min(cap, U(base, 3 × the previous pause)).
    case decorrelated
    /// pause × Exp(1): attempts form a Poisson process of rate 1/pause, as theory assumes.
    ///
    /// The cap applies to the pause, not to the drawn value: one pause in twenty is longer than three times its mean.
    case exponential
}
