import InputFiles

/// The outcome of a ride in a trace.
enum RideStatus {
    case completed, cancelled

    /// The words for a completed ride, letters only.
    private static let completedWords: Set<String> = [
        "completed", "complete", "finished", "done", "ended", "successful", "success", "fulfilled", "droppedoff",
    ]
    /// The parts of words for a ride that was not completed: `cancelled_by_rider`, `RIDER_NO_SHOW`.
    private static let cancelledParts = ["cancel", "reject", "noshow", "unfulfilled", "expired", "failed", "nodriver"]

    /// The allowed words, for messages.
    static let allowed =
        "completed, complete, finished, done, ended, success, fulfilled, or, in any form, cancelled, rejected, no show, "
        + "unfulfilled, expired, failed, no driver"

    /// Returns `true` for a word such as `incompleted` or `not cancelled`.
    private static func isNegated(_ word: String) -> Bool {
        ["in", "not", "un"].contains(where: word.hasPrefix) && !word.hasPrefix("unfulfilled")
    }

    /// Parses the status in a field, in any case and with any separators between its words; nil if it is unknown.
    ///
    /// A row without a status is a completed ride.
    init?(_ field: ArraySlice<UInt8>) {
        // Nearly all rows end here.
        if field.isEmpty || field.elementsEqual("completed".utf8) {
            self = .completed
            return
        }
        guard !TextCell.isMissing(field) else {
            self = .completed
            return
        }
        let letters = field.prefix(64).filter { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
        let word = String(decoding: letters, as: UTF8.self).lowercased()
        if Self.completedWords.contains(word) || word.hasSuffix("completed") && !Self.isNegated(word) {
            self = .completed
        } else if Self.cancelledParts.contains(where: word.contains), !Self.isNegated(word) {
            self = .cancelled
        } else {
            return nil
        }
    }
}
