/// What an interval of a difference says, next to a band of noise about 0.
///
///              -band       0       +band
///     decrease   |         |         |         interval wholly below the band
///                |  within |noise    |         interval within the band, its edges included
///                |         |         |  increase
///     not sure: an interval across an edge of the band; more replications make it shorter.
///
/// So a difference that is sure not to be 0 but within the band is noise, and one that is only likely is not sure.
public enum ResponseChange: Hashable, Sendable, CaseIterable {
    /// Larger, by more than the band.
    case increase
    /// Smaller, by more than the band.
    case decrease
    /// No difference beyond the band.
    case withinNoise
    /// The interval leaves more than one of these open.
    case notSure

    /// What an interval says.
    ///
    /// - Precondition: The ends are in order, the band is 0 or more.
    public init(lower: Double, upper: Double, band: Double) {
        precondition(lower <= upper, "an interval has its ends in order")
        precondition(band >= 0, "a band of noise has a width")
        if lower > band {
            self = .increase
        } else if upper < -band {
            self = .decrease
        } else if lower >= -band && upper <= band {
            self = .withinNoise
        } else {
            self = .notSure
        }
    }
}

/// Whether a change is for the better.
public enum ComparisonVerdict: Hashable, Sendable, CaseIterable {
    /// Better by more than the band of noise.
    case better
    /// Worse by more than the band of noise.
    case worse
    /// No difference beyond the noise.
    case noDifference
    /// Too few replications to tell.
    case notSure

    /// What a change means for a response of which larger or smaller values are the better ones.
    public init(_ change: ResponseChange, direction: ResponseDirection) {
        self =
            switch (change, direction) {
            case (.increase, .maximise), (.decrease, .minimise): .better
            case (.increase, .minimise), (.decrease, .maximise): .worse
            case (.withinNoise, _): .noDifference
            case (.notSure, _): .notSure
            }
    }
}
