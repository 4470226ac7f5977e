import Evaluation
import TextFormats

/// The headline of a run: the time of all rides in three shares that add up, and beside them the right stage, leftover
/// cards and the monitor's belief.
///
/// Reports, the terminal, tiles, comparisons and the gate use its words. Three bases occur, and each is named:
///
/// - *Ride time* is the time of all rides, with or without a card.
/// - *Screen time* is the time of cards on screens, during rides and after them.
/// - *Watched time* is the time of the instances that the monitor watches. It leaves out rides without a card.
struct Headline: Sendable {
    /// A number of the headline.
    struct Number: Sendable {
        let response: Response
        /// The name: `fresh card`.
        let words: String
        /// The whole of a share: `ride time`; nil for a count.
        let whole: String?

        fileprivate init(_ metric: String, scope: String = "all", _ words: String, of whole: String? = nil) {
            response = Response(metric: metric, scope: scope)
            self.words = words
            self.whole = whole
        }

        /// The label of a tile: `fresh card, of ride time`.
        var label: String { whole.map { "\(words), of \($0)" } ?? words }
        /// The label of a row: `of ride time: fresh card`.
        var row: String { whole.map { "of \($0): \(words)" } ?? words }
    }

    /// The shares that add up to all ride time.
    static let rideTime = [
        Number("ride_fresh_coverage_ratio", "fresh card", of: "ride time"),
        Number("ride_stale_coverage_ratio", "stale card", of: "ride time"),
        Number("ride_no_card_time_ratio", "no card", of: "ride time"),
    ]
    static let rightStage = Number("ride_stage_coverage_ratio", "right stage", of: "ride time")
    static let belief = Number("fresh_time_ratio", "believed fresh", of: "watched time")
    /// The share that the belief is compared with: both leave out rides without a card.
    static let shown = Number(
        "displayed_fresh_time_ratio",
        scope: "during_ride",
        "fresh",
        of: "screen time during rides"
    )
    /// Stale content that looks fresh.
    static let misleading = Number("ride_misleading_coverage_ratio", "stale card without a mark", of: "ride time")
    static let photoMissing = Number(
        "ride_photo_missing_time_ratio",
        "driver's photo missing",
        of: "ride time with a driver"
    )
    static let eta = Number("eta_error_us", "mean error of the ETA on screens")
    /// Cards that stayed on the screen until Apple's limit.
    static let leftovers = Number(
        "activities_ended_count",
        scope: "reason:system_limit",
        "cards left until Apple's limit"
    )

    /// The shares of ride time as printed, in the order of ``rideTime``; undefined without rides.
    let rideShares: [String]
    private let rightStage: Double?
    private let belief: Double?
    private let shown: Double?
    private let screenTimeAfterRides: Double?
    private let screenTime: Double?
    private let misleading: Double?
    private let etaError: (mean: Double, p95: Double)?
    /// The number of cards left until Apple's limit, per run if there are several; empty if it is not measured.
    private let leftoverCount: String

    /// Creates the headline of a run.
    ///
    /// - Parameters:
    ///   - replications: The number of replications.
    ///   - row: Returns the row of a metric, statistic and scope; nil if the summary lacks it. Counts are per replication.
    init(replications: Int = 1, _ row: (_ metric: String, _ statistic: String, _ scope: String) -> SummaryRow?) {
        func value(_ metric: String, _ statistic: String, _ scope: String = "all") -> Double? {
            row(metric, statistic, scope)?.value?.double
        }
        func ratio(_ number: Number) -> Double? { value(number.response.metric, "ratio", number.response.scope) }
        rideShares = Self.shares(Self.rideTime.map(ratio))
        (rightStage, belief, shown) = (ratio(Self.rightStage), ratio(Self.belief), ratio(Self.shown))
        screenTimeAfterRides = value(Self.shown.response.metric, "denominator", "after_ride")
        screenTime = value(Self.shown.response.metric, "denominator")
        misleading = ratio(Self.misleading)
        etaError = value(Self.eta.response.metric, "mean")
            .flatMap { mean in value(Self.eta.response.metric, "p95").map { (mean, $0) } }
        let leftovers = row(Self.leftovers.response.metric, "total", Self.leftovers.response.scope)
        leftoverCount =
            (leftovers?.unmet == nil ? leftovers?.value?.double : nil)
            .map { Format.count(mean: $0) + Self.perRun(replications) } ?? ""
    }

    /// Formats shares of ride time so that the printed numbers add up; undefined if one is missing.
    static func shares(_ shares: [Double?]) -> [String] {
        let known = shares.compactMap(\.self)
        return known.count == shares.count
            ? Format.percents(ofWhole: known) : shares.map { _ in Format.undefined }
    }

    /// The headline in sentences.
    var sentences: [String] {
        [rideTime, misleadingText, rightStageText, etaText, leftovers, beliefText].filter { !$0.isEmpty }
    }

    private var misleadingText: String {
        misleading.map { "Stale without a mark: \(Format.percent($0)) of ride time." } ?? ""
    }

    private var etaText: String {
        etaError.map {
            "The ETA on screens is off by \(Format.span($0.mean)) on average, p95 \(Format.span($0.p95)), from the server's "
                + "newest estimate."
        } ?? ""
    }

    /// The sentence on ride time: `Of ride time: fresh card 84.53 % · stale card 3.69 % · no card 11.78 %`.
    var rideTime: String {
        guard rideShares[0] != Format.undefined else { return "There were no rides." }
        return Self.rideTime(rideShares)
    }

    /// Returns the sentence on ride time with one text for each share.
    static func rideTime(_ shares: [String]) -> String {
        "Of ride time: " + zip(rideTime, shares).map { "\($0.words) \($1)" }.joined(separator: " · ") + "."
    }

    private var rightStageText: String {
        rightStage.map { "Right stage: \(Format.percent($0)) of ride time." } ?? ""
    }

    static func perRun(_ replications: Int) -> String { replications > 1 ? " per run" : "" }

    private var leftovers: String {
        let count = leftoverCount.isEmpty ? "" : "\(leftoverCount) stayed until Apple's limit"
        let parts = [leftoverShare, count].filter { !$0.isEmpty }
        return parts.isEmpty ? "" : "Leftover cards: \(parts.joined(separator: "; "))."
    }

    /// The share of screen time after the ride; nil if nothing was on a screen.
    var afterRides: Double? {
        guard let screenTimeAfterRides, let screenTime, screenTime > 0 else { return nil }
        return screenTimeAfterRides / screenTime
    }

    /// The share of screen time after the ride in words; empty if nothing was on a screen.
    var leftoverShare: String { afterRides.map { "\(Format.percent($0)) of screen time" } ?? "" }

    /// The belief with its distance from the screens.
    var beliefText: String {
        guard let belief else { return "" }
        let text = "Believed fresh: \(Format.percent(belief)) of watched time"
        // The screens of the comparison are those during rides.
        if afterRides ?? 0 > 0.05 { return text + ", which includes cards that stayed after their ride." }
        guard let gap, let shown else { return text + "." }
        return "\(text), \(gap) the \(Format.percent(shown)) of screen time during rides that is fresh."
    }

    /// The distance of the belief from the fresh share of screen time during rides: `2.28 points above`; nil if one of
    /// them is undefined.
    ///
    /// It is the difference of the printed numbers. A difference from a share of ride time would count rides without a
    /// card, which the monitor does not watch.
    var gap: String? {
        guard let belief = belief.flatMap(Format.hundredths), let shown = shown.flatMap(Format.hundredths),
            let points = FixedPoint.text(Double(abs(belief - shown)) / 100, places: 2)
        else { return nil }
        return belief == shown ? "the same as" : "\(points) points \(belief > shown ? "above" : "below")"
    }
}
