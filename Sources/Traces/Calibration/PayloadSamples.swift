import Foundation
public import InputFiles
import TextFormats

/// The sizes of sample payloads in a folder, one payload per file; folders in it are stages of the ride.
///
/// A JSON object counts without the white space between its tokens, because providers send it without. Any other file counts
/// with its size. Files and folders whose name begins with a dot are left out.
public struct PayloadSamples: Sendable {
    /// A payload.
    public struct Payload: Hashable, Sendable {
        /// The file, within the folder.
        public let file: String
        /// Its size [bytes].
        public let bytes: Int
        /// Its format.
        public let form: Form
    }

    /// The format of a payload.
    public enum Form: Sendable {
        /// JSON with an object in `aps`, as APNs receives it.
        case push
        /// Other JSON, such as content alone.
        case json
        /// Bytes of any other kind, such as protobuf.
        case other
    }

    /// Payloads of one stage, or of none.
    public struct Part: Sendable {
        /// The stage; nil for payloads of any stage.
        public let stage: String?
        /// The payloads in the order of their names.
        public let payloads: [Payload]
    }

    /// The folder, as given.
    public let folder: String
    /// The payloads in the folder itself, if there are any, and then those of each stage, in the order of their names.
    public let parts: [Part]

    /// The payload that APNs accepts is at most this large [bytes].
    public static let largestAccepted = 4096
    /// The largest number of files.
    public static let fileLimit = 10_000
    /// The size above which a file is no payload [bytes].
    static let sizeLimit = 1 << 20

    /// Reads a folder.
    ///
    /// - Throws: The first entry that is not a payload or a folder of payloads.
    public init(folder: String) throws(DataFileError) { try self.init(folder: folder, fileLimit: Self.fileLimit) }

    init(folder: String, fileLimit: Int) throws(DataFileError) {
        self.folder = folder
        var count = 0
        var parts: [Part] = []
        var stages: [String] = []
        func payloads(in path: String) throws(DataFileError) -> [Payload] {
            var payloads: [Payload] = []
            for name in try Self.names(in: folder + path) {
                let entry = path + "/" + name
                guard !Self.isFolder(folder + entry) else {
                    guard path.isEmpty else {
                        let reason = "is a folder in a stage's folder; allowed: files, one payload in each"
                        throw .unreadable(file: folder + entry, reason: reason)
                    }
                    stages.append(name)
                    continue
                }
                count += 1
                guard count <= fileLimit else {
                    let reason = "has more than \(fileLimit) files; give a sample of them in another folder"
                    throw .unreadable(file: folder, reason: reason)
                }
                payloads.append(try Self.payload(String(entry.dropFirst()), in: folder))
            }
            return payloads
        }
        let general = try payloads(in: "")
        if !general.isEmpty { parts.append(Part(stage: nil, payloads: general)) }
        for stage in stages {
            guard stage.isPlain(1...64, also: "_-") else {
                let allowed = "up to 64 letters, digits, hyphens and underscores"
                throw .unreadable(file: "\(folder)/\(stage)", reason: "is not the name of a stage; allowed: \(allowed)")
            }
            let part = Part(stage: stage, payloads: try payloads(in: "/" + stage))
            guard !part.payloads.isEmpty else { throw Self.empty("\(folder)/\(stage)") }
            parts.append(part)
        }
        guard !parts.isEmpty else { throw Self.empty(folder) }
        self.parts = parts
    }

    /// All payloads.
    public var payloads: [Payload] { parts.flatMap(\.payloads) }

    /// The payloads that APNs would reject.
    public var tooLarge: [Payload] { payloads.filter { $0.bytes > Self.largestAccepted } }

    // MARK: - Files

    private static func empty(_ path: String) -> DataFileError {
        .unreadable(file: path, reason: "has no payloads; allowed: files, one payload in each")
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static func names(in path: String) throws(DataFileError) -> [String] {
        guard InputFile.isName(path), FileManager.default.fileExists(atPath: path) else { throw .missing(file: path) }
        guard isFolder(path) else { throw .unreadable(file: path, reason: "must be a folder of sample payloads") }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasPrefix(".") }.sorted()
        } catch {
            throw .unreadable(file: path, reason: "cannot be read: \(SystemWords.reason(of: error))")
        }
    }

    private static func payload(_ file: String, in folder: String) throws(DataFileError) -> Payload {
        let path = "\(folder)/\(file)"
        let bytes: [UInt8]
        do throws(InputFile.Refusal) {
            bytes = try InputFile.bytes(of: path, limit: sizeLimit)
        } catch .missing {
            throw .missing(file: path)
        } catch {
            throw .unreadable(file: path, reason: error.description)
        }
        guard !bytes.isEmpty else { throw .unreadable(file: path, reason: "is empty; allowed: a payload") }
        do throws(JSONMembers.Malformed) {
            let isPush = try JSONMembers(bytes)["aps"]?.object != nil
            return Payload(file: file, bytes: compactCount(bytes), form: isPush ? .push : .json)
        } catch {
            guard !file.hasSuffix(".json") else {
                let reason = "is not JSON at byte \(error.offset); allowed there: \(error.expected)"
                throw .unreadable(file: path, reason: reason)
            }
            return Payload(file: file, bytes: bytes.count, form: .other)
        }
    }

    /// Returns the size of valid JSON without the white space between its tokens [bytes].
    static func compactCount(_ json: [UInt8]) -> Int {
        var (count, isText, isEscaped) = (0, false, false)
        for byte in json {
            let isSpace = byte == 0x20 || 0x09...0x0D ~= byte
            if isText || !isSpace { count += 1 }
            if isText, isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isText.toggle()
            } else if isText, byte == UInt8(ascii: "\\") {
                isEscaped = true
            }
        }
        return count
    }
}
