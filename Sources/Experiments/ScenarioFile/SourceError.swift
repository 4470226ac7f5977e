/// What is wrong with a text, and where: "`path` must be …".
struct SourceError: Error, Hashable {
    var place: Place
    /// The value that is meant; empty for the text as such.
    var path = ""
    /// What follows the path, or stands alone.
    var message: String
    /// Whether a key is at fault, not what stands at it: it is not known, or missing.
    var isOfKey = false

    /// The whole sentence; the path of a setting is as long as it was written, so it is cut here.
    var sentence: String {
        path.isEmpty ? message : "\(OneLine.excerpt(path, longest: 200)) \(message)"
    }
}
