import Quantities

/// The photo of the driver on one card, and the server's knowledge of the car's.
struct CardPictures: Hashable, BitwiseCopyable {
    /// The reason why a card has no photo of a driver who has just been assigned.
    private let absence: DriverPhoto
    /// The photo of the current driver on the card, or the reason for its absence.
    private(set) var driver: DriverPhoto
    /// When the app has the original; `never` if it will not.
    var originalFrom = Instant.never
    /// `true` if the server has sent a photo of the car.
    var isCarSent = false

    /// Creates the pictures of a card that has none yet.
    ///
    /// - Parameter comeByPush: `true` if pushes carry photos.
    init(comeByPush: Bool) {
        absence = comeByPush ? .notSent : .notDownloaded
        driver = absence
    }

    /// A payload with the photo was created.
    mutating func sent() {
        if !driver.isShown { driver = .onItsWay }
    }

    /// The photo did not fit into a payload.
    mutating func dropped() {
        if driver == .notSent { driver = .dropped }
    }

    /// The server has taken the photo back from a push that it did not send.
    mutating func takenBack() {
        if driver == .onItsWay { driver = .notSent }
    }

    /// A push with the photo ended elsewhere than on the screen.
    ///
    /// - Parameter isOutdated: `true` if it arrived, but was no newer than the content on the card.
    mutating func lost(isOutdated: Bool) {
        if driver == .onItsWay { driver = isOutdated ? .outdated : .lost }
    }

    /// A push with the photo was shown.
    mutating func shown(isShrunk: Bool) {
        driver = isShrunk ? .small : .full
    }

    /// Another driver has been assigned: nothing is known of them.
    mutating func driverChanged() {
        (driver, originalFrom) = (absence, .never)
    }

    /// A new card has appeared, without the pictures of the former one.
    mutating func cardRenewed() {
        originalFrom = .never
        if driver != absence, driver != .dropped { driver = .lost }
    }
}
