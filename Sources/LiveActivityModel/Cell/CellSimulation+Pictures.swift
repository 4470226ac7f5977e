import FreshnessCore
import Quantities
import SimulationKernel

/// The driver's photo on cards: when it is sent, whether it arrives, and what the app downloads.
extension CellSimulation {
    /// Changes the pictures of an activity, after accounting for the time until now.
    @inline(__always)
    private mutating func changePictures(_ activity: Handle<Activity>, _ change: (inout CardPictures) -> Void) {
        guard rules.hasPictures else { return }
        addTimes(activity)
        change(&pictures[activity.number])
    }

    /// Handles a photo that has become part of a payload, or has not fitted into it.
    mutating func photoIncluded(_ photo: Counter, of activity: Handle<Activity>) {
        changePictures(activity) { if photo == .photosDropped { $0.dropped() } else { $0.sent() } }
    }

    /// Handles a photo whose push will not be sent.
    mutating func photoTakenBack(of activity: Handle<Activity>) { changePictures(activity) { $0.takenBack() } }

    /// Handles a push with a photo that a card has shown.
    mutating func photoShown(_ push: Handle<Push>, by activity: Handle<Activity>) {
        guard let photo = push.payload.photo, photo != .photosDropped,
            push.payload.rematchCount == activity.rematchCount
        else { return }
        let isShrunk = photo == .photosShrunk
        changePictures(activity) { $0.shown(isShrunk: isShrunk) }
        if rules.hasPictures { log(activity, .photoShown(isShrunk ? .small : .full)) }
        if rules.photoPolicy == .untilProven, !rules.confirmsAcceptance || isAppAlive(activity) {
            activity.isPhotoSent = true
        }
    }

    /// `true` if the server learns that a card has the original: the app that has downloaded it reports that.
    @inline(__always)
    func isOriginalProven(_ activity: Handle<Activity>) -> Bool {
        rules.photoPolicy == .untilProven && rules.hasPictures && pictures[activity.number].originalFrom <= loop.now
    }

    /// Handles a push with a photo that has ended elsewhere than on a screen.
    mutating func photoLost(of push: Handle<Push>, isOutdated: Bool) {
        guard let photo = push.payload.photo, photo != .photosDropped, isCurrent(push) else { return }
        let activity = activities[push.activity]
        guard push.payload.rematchCount == activity.rematchCount else { return }
        changePictures(activity) { $0.lost(isOutdated: isOutdated) }
        guard rules.hasPictures else { return }
        let card = pictures[activity.number]
        if !card.driver.isShown, card.originalFrom > loop.now { log(activity, .photoLost(isOutdated: isOutdated)) }
    }

    /// Starts the download of the original by an app that runs, if the ride has a driver.
    mutating func downloadPhoto(_ activity: Handle<Activity>) {
        guard rules.hasPictures, activity.stage >= own.pictureStage, activity.phone.phase == .live,
            let sampler = own.samplers.photoDownload, isAppAlive(activity),
            pictures[activity.number].originalFrom == .never
        else { return }
        let due = loop.now + span(sampler, activity, .photoDownload, UInt32(activity.rematchCount))
        let online = connected(activity, notBefore: due)
        guard online < activity.appAliveUntil else { return }
        changePictures(activity) { $0.originalFrom = online }
        log(activity, .photoDownloads(until: online))
    }

    /// Handles a driver who was assigned instead of another.
    mutating func driverChanged(_ activity: Handle<Activity>) { changePictures(activity) { $0.driverChanged() } }

    /// Handles a card that appears.
    mutating func picturesRenewed(_ activity: Handle<Activity>) {
        changePictures(activity) { $0.cardRenewed() }
        downloadPhoto(activity)
    }

    /// Adds an interval [µs] of a ride with a driver to the time of what its card shows of them.
    @inline(never)
    mutating func addPhotoTime(_ activity: Handle<Activity>, from: Int64, to: Int64) {
        let part = segmentPart(of: activity)
        recorder.add(to - from, to: .driverTime, part: part)
        guard activity.phone.phase == .live else {
            recorder.add(to - from, to: .photoTime, part: Int(DriverPhoto.noCard.rawValue))
            recorder.add(to - from, to: .photoMissingTime, part: part)
            search?.note(activity, photoMissing: to - from)
            return
        }
        let photo = pictures[activity.number]
        let originalFrom = min(max(photo.originalFrom.microseconds, from), to)
        recorder.add(originalFrom - from, to: .photoTime, part: Int(photo.driver.rawValue))
        if !photo.driver.isShown {
            recorder.add(originalFrom - from, to: .photoMissingTime, part: part)
            search?.note(activity, photoMissing: originalFrom - from)
        }
        recorder.add(to - originalFrom, to: .photoTime, part: Int(DriverPhoto.original.rawValue))
    }
}
