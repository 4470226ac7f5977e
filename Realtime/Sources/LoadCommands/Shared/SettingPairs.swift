/// What `--set` has set, key by key, as results tell it.
enum SettingPairs {
    /// The pairs of texts `key.path=value`, which were read before; of a key that is set twice the last.
    static func pairs(of settings: [String]) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        for setting in settings {
            let key = setting.prefix { $0 != "=" }
            pairs.removeAll { $0.name == key }
            pairs.append((String(key), String(setting.dropFirst(key.count + 1))))
        }
        return pairs
    }
}
