import Quantities

/// The photo of the driver on one card, and the server's knowledge of the car's.
struct CardPictures: Hashable, BitwiseCopyable {
    /// The photo of the current driver on the card, or the reason for its absence.
    private(set) var driver = DriverPhoto.notSent
    /// When the app has the original; `never` if it will not.
    var originalFrom = Instant.never
    /// `true` if the server has sent a photo of the car.
    var isCarSent = false

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
        (driver, originalFrom) = (.notSent, .never)
    }

    /// A new card has appeared, without the pictures of the former one.
    mutating func cardRenewed() {
        originalFrom = .never
        if driver != .notSent, driver != .dropped { driver = .lost }
    }
}
