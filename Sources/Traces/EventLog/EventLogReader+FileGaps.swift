/// The gaps of single files: within a file, after its last row and before its first.
extension EventLogReader {
    /// A time without a row of one of several files in which there should be some.
    struct FileGap {
        let file: Int
        /// The first line afterwards; if there is none, the last line.
        let line: Int
        let time: Range<Int64>
        /// The line in words, if the gap is at an end of the file.
        var place = ""
    }

    /// The gaps of all files in the order of time; complete at the end of the log.
    ///
    /// A file that begins after the end of another goes on with it, as files of one host for each hour do. So only the time between the two
    /// may be a gap.
    var fileGaps: [FileGap] {
        guard sources.count > 1 else { return [] }
        var begins = sources.filter { $0.end != nil }.sorted { $0.begin.at < $1.begin.at }
        let ends = sources.compactMap { source in source.end.map { (source: source, at: $0) } }.sorted { $0.at < $1.at }
        guard let first = begins.first?.begin.at, let last = ends.last?.at else { return innerGaps }
        var gaps = innerGaps
        for (source, end) in ends {
            let next = begins.firstIndex { $0 !== source && $0.begin.at >= end - Source.silence }
            let until = next.map { begins.remove(at: $0).begin.at } ?? last
            guard source.isGap(until - end) else { continue }
            gaps.append(FileGap(file: source.number, line: source.rows.line, time: end..<until, place: "its last row"))
        }
        for source in begins where source.isGap(source.begin.at - first, beforeFirst: true) {
            let time = first..<source.begin.at
            gaps.append(FileGap(file: source.number, line: source.begin.line, time: time, place: "its first row"))
        }
        return gaps.sorted { ($0.time.lowerBound, $0.file) < ($1.time.lowerBound, $1.file) }
    }
}
