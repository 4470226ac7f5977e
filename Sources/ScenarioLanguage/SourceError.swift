package import InputFiles
import TextFormats

/// A problem in a text, with its place: "`path` must be …".
package struct SourceError: Error, Hashable {
    var place: Place
    /// The path of the value; empty for the text as a whole.
    var path = ""
    /// The message, which follows the path or is complete on its own.
    var message: String
    /// The other values that the problem involves, with their places.
    var others: [OtherValue] = []
    /// `true` if the key itself is wrong instead of its value: it is unknown or missing.
    var isOfKey = false

    /// Creates a problem at a place.
    package init(place: Place, path: String = "", message: String, isOfKey: Bool = false) {
        self.place = place
        self.path = path
        self.message = message
        self.isOfKey = isOfKey
    }

    /// A value that makes another one wrong.
    struct OtherValue: Hashable {
        let path: String
        let place: Place
    }

    /// The whole sentence; a long path of a setting is cut.
    var sentence: String {
        path.isEmpty ? message : "\(OneLine.excerpt(path, longest: 200)) \(message)"
    }
}
