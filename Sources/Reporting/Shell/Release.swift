/// What all programs of the family say when they are asked for their version.
public enum Release {
    /// The version, by semantic versioning.
    public static let version = "0.1.0"
}
