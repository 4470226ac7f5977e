import FreshnessCore
public import Quantities

/// A property of a scenario without which a metric cannot count anything.
///
/// Otherwise a count is 0 regardless of the policies, and its confidence interval has no meaning. Results state the
/// reason instead of the value, and a check of such a metric neither holds nor fails.
public struct Requirement: Sendable {
    /// A requirement that a scenario does not meet.
    public struct Unmet: Hashable, Sendable {
        /// The reason for people: `the monitor is off`.
        public let reason: String
        /// `true` if the run is too short for the metric, so `summary.csv` has no value; `false` if the settings rule out
        /// the counted event, so `summary.csv` has a 0.
        public let isOfLength: Bool
        /// `true` if the metric belongs to a mechanism that the scenario does not switch on, so results do not mention it.
        public let isOfMechanism: Bool

        /// The text that replaces the value.
        public var text: String { "not measured: \(reason)" }
    }

    private let lack: Unmet
    /// The remark on a run that is long enough for a part only; empty if there is none.
    private let partRemark: String
    private let isMet: @Sendable (Scenario) -> Bool
    private let isWhole: @Sendable (Scenario) -> Bool

    private init(
        _ reason: String,
        isOfLength: Bool = false,
        isOfMechanism: Bool = false,
        remark: String = "",
        isWhole: @escaping @Sendable (Scenario) -> Bool = { _ in true },
        isMet: @escaping @Sendable (Scenario) -> Bool
    ) {
        lack = Unmet(reason: reason, isOfLength: isOfLength, isOfMechanism: isOfMechanism)
        partRemark = remark
        self.isMet = isMet
        self.isWhole = isWhole
    }

    /// Returns the requirement if a scenario does not meet it, else nil.
    public func unmet(by scenario: Scenario) -> Unmet? { isMet(scenario) ? nil : lack }

    /// Returns the remark if a run of the scenario measures a part only, else nil.
    public func remark(in scenario: Scenario) -> String? {
        isMet(scenario) && !isWhole(scenario) ? partRemark : nil
    }

    /// The requirements that content, devices and the monitor decide, and so the values of a cohort.
    public static let ofCohorts: [Requirement] = [
        monitor, retries, lapse, severity, budget, swipes, rotation, pushToStart, startBudget, staleStarts, startTokens,
        renewal, endReports, scheduling,
        initialContentLimit, staleContentLimit, localUpdates, drawing, undrawn, wakeApp, endedCards, staleMarks, eta,
        pictures, carPhotos, photos, undecodable, offline, endpoint, missingContent,
    ]

    // MARK: - The length of the run

    /// A run in which Apple's limit can end an activity.
    static let systemLimit = Requirement(
        "the run ends before Apple's limit",
        isOfLength: true,
        remark: "of activities that began long enough before the end",
        isWhole: { $0.devices.systemLimit <= $0.clock.drain },
        isMet: { $0.devices.systemLimit <= $0.clock.length }
    )

    /// A run that is longer than a threshold.
    public static func longer(than threshold: TimeSpan) -> Requirement {
        Requirement("the run is no longer than that", isOfLength: true) { threshold < $0.clock.length }
    }

    /// A run in which content can lapse.
    public static let lapse = Requirement("the run ends before content can lapse", isOfLength: true) {
        $0.content.ttl + $0.monitor.freshLimit <= $0.clock.length
    }

    /// A run in which an instance can become severely stale.
    public static let severity = Requirement("the run ends before an instance can be severely stale", isOfLength: true)
    {
        $0.content.ttl + $0.monitor.freshLimit + $0.monitor.recoveryWindow <= $0.clock.length
    }

    static let warmUp = Requirement("there is no warm-up") { $0.clock.warmUp > .zero }

    // MARK: - Rides

    /// Rides whose cards can show an earlier stage: of several stages, with several stops, or with content of their booking.
    public static let stages = Requirement("rides have one stage") {
        $0.rides.stages.count > 1 || stops.isMet($0) || scheduling.isMet($0)
    }

    /// Rides that are booked ahead.
    static let booked = Requirement("rides.booked is off", isOfMechanism: true) { $0.rides.booked != nil }

    /// Apps that schedule the cards of rides that are booked ahead.
    static let scheduling = Requirement("devices.start.schedules is false, or rides.booked is off", isOfMechanism: true)
    {
        $0.devices.start.schedules && $0.rides.booked != nil
    }

    /// Rides with several stops.
    static let stops = Requirement("rides.stops is off", isOfMechanism: true) { $0.rides.stops != nil }

    /// Riders who may have several rides.
    public static let again = Requirement("rides.again is off", isOfMechanism: true) { $0.rides.again != nil }
    /// Groups of rides.
    public static let groups = Requirement("there are no groups", isOfMechanism: true) { $0.groups != nil }

    /// Groups with channels.
    public static let channels = Requirement("groups.by is not channel", isOfMechanism: true) { $0.hasChannels }

    // MARK: - The monitor

    public static let monitor = Requirement("the monitor is off") { $0.monitor.enabled }

    /// A monitor that retries.
    static let retries = Requirement("monitor.retry.max_attempts is 0 or the monitor is off") {
        $0.monitor.enabled && $0.monitor.retry.maxAttempts != 0
    }

    /// A budget for its retries.
    static let retryBudget = Requirement("monitor.retry.budget is unlimited, or there are no retries") {
        retries.isMet($0) && $0.monitor.retry.budget != nil
    }

    // MARK: - The sender

    /// A sender that retries requests.
    static let repeats = Requirement("sender.attempts is 1") { $0.sender.attempts > 1 }

    /// A retry budget of the sender.
    static let repeatBudget = Requirement("sender.retry_budget is unlimited, or sender.attempts is 1") {
        $0.sender.attempts > 1 && $0.sender.retryBudget != nil
    }

    static let queueLimit = Requirement("there is no sender.queue_limit") { $0.sender.queueLimit != nil }

    static let rateLimit = Requirement("there is no sender.rate_limit") { $0.sender.rateLimit != nil }

    static let patience = Requirement("there is no sender.patience") { $0.sender.patience != nil }

    static let coalescing = Requirement("sender.coalesce is off") { $0.sender.coalesce }

    static let minimumInterval = Requirement("there is no sender.minimum_interval") {
        $0.sender.minimumInterval > .zero
    }

    /// A sender that defers pushes when its queue is full.
    public static let orbit = Requirement("there is no sender.requeue_after or sender.queue_limit") {
        $0.sender.requeueAfter != nil && $0.sender.queueLimit != nil
    }

    static let replacement = Requirement("sender.preempt is not replace") { $0.sender.preempt == .replace }

    static let interruption = Requirement("sender.preempt is not resume") { $0.sender.preempt == .resume }

    // MARK: - APNs and phones

    static let budget = Requirement("there is no devices.budget, and content.wake_app is off") {
        $0.devices.budget.limit != nil || $0.content.wakeApp != nil
    }

    static let swipes = Requirement("no rider swipes") { $0.devices.swipe.share != .never }

    static let rotation = Requirement("tokens do not rotate") { $0.devices.token.rotation != nil }

    static let pushToStart = Requirement("the server starts no activity") { $0.hasPushStarts }

    /// A budget for starts by push.
    static let startBudget = Requirement("there is no devices.start.push_budget", isOfMechanism: true) {
        $0.devices.start.pushBudget != nil
    }

    /// Phones that do not present stale starts.
    static let staleStarts = Requirement("devices.start.presents_stale is true", isOfMechanism: true) {
        !$0.devices.start.presentsStale
    }

    /// A limit of cards.
    static let cardLimit = Requirement("devices.start.most_cards is off", isOfMechanism: true) {
        $0.devices.start.mostCards != nil
    }

    /// Starts by push without an alert.
    static let startsWithoutAlert = Requirement("devices.start.without_alert is 0", isOfMechanism: true) {
        $0.devices.start.withoutAlert != .never
    }

    /// Push-to-start tokens that change.
    static let startTokens = Requirement("devices.start.token_rotation is off", isOfMechanism: true) {
        $0.devices.start.tokenRotation != nil
    }

    /// Activities that are renewed before Apple's limit.
    static let renewal = Requirement("content.renew_before is off", isOfMechanism: true) {
        $0.content.renewBefore != nil
    }

    /// Reports of ends that may fail.
    static let endReports = Requirement("devices.end_report_failure is off", isOfMechanism: true) {
        $0.devices.endReportFailure != nil
    }

    static let initialContentLimit = Requirement("there is no devices.initial_content_limit") {
        $0.devices.initialContentLimit != nil
    }

    static let staleContentLimit = Requirement("there is no devices.stale_content_limit") {
        $0.devices.staleContentLimit != nil
    }

    static let localUpdates = Requirement("devices.local_updates and content.wake_app are off") { $0.hasAppUpdates }

    /// An app whose updates are drawn at intervals.
    public static let drawing = Requirement(
        "devices.render_interval is off, or no app updates its card",
        isOfMechanism: true
    ) { $0.hasAppUpdates && $0.devices.renderInterval != nil }

    /// Content that the app has before the card shows it.
    public static let undrawn = Requirement(
        "devices.render_interval and content.wake_app are off",
        isOfMechanism: true
    ) { drawing.isMet($0) || $0.content.wakeApp != nil }

    /// Background pushes that wake the app.
    public static let wakeApp = Requirement("content.wake_app is off", isOfMechanism: true) {
        $0.content.wakeApp != nil
    }

    /// Cards that stay after the end of their activity.
    public static let endedCards = Requirement("devices.dismissal is immediate", isOfMechanism: true) {
        !$0.devices.dismissal.isImmediate
    }

    /// Apps that mark stale content, or do not.
    public static let staleMarks = Requirement("devices.renders_stale is off", isOfMechanism: true) {
        $0.devices.rendersStale != nil
    }

    /// Content with an ETA.
    public static let eta = Requirement("content.eta is off", isOfMechanism: true) { $0.content.eta != nil }

    /// Cards whose driver's photo is followed.
    public static let pictures = Requirement("devices.pictures is off", isOfMechanism: true) {
        $0.devices.pictures != nil
    }

    /// Pushes with a photo of the car.
    static let carPhotos = Requirement("there is no content.payload.car_photo_bytes", isOfMechanism: true) {
        $0.content.payload.carPhotoBytes != nil && !$0.content.payload.photoStage.isEmpty
            && $0.content.payload.bytes != nil
    }

    /// Stages that are announced with an alert.
    public static let alerts = Requirement("no stage of rides.stages has an alert", isOfMechanism: true) {
        $0.rides.stages.contains { $0.alert }
    }

    static let photos = Requirement("there is no content.payload.photo_stage") {
        !$0.content.payload.photoStage.isEmpty
    }

    static let undecodable = Requirement("apps decode all content") { $0.content.undecodable != .never }

    static let loss = Requirement("APNs loses nothing") {
        $0.apns.loss != .never || $0.apns.considerateLoss ?? .never != .never || $0.apns.script != nil
    }

    /// Phones that go offline, at random or by a fault within the run.
    static let offline = Requirement("phones are always online") { scenario in
        let connectivity = scenario.devices.connectivity
        return connectivity.online != nil || connectivity.initiallyOffline != .never
            || scenario.meets(.devicesOffline)
    }

    /// An endpoint of content.
    public static let endpoint = Requirement("content.endpoint is off", isOfMechanism: true) {
        $0.content.endpoint != nil
    }

    static let missingContent = Requirement("no fault stops content during the run, and content.endpoint never fails") {
        $0.meets(.contentDown) || $0.content.endpoint?.failure ?? .never != .never
    }
}

extension Scenario.Clock {
    /// The maximum length of a run.
    var length: TimeSpan { duration + drain }
}

extension Scenario {
    /// Returns `true` if a fault of a kind begins before the run ends.
    fileprivate func meets(_ kind: Fault.Kind) -> Bool {
        faults.contains { $0.kind == kind && $0.at < clock.length }
    }
}
