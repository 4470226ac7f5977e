/// Texts without a usable key of the curve P-256.
enum UnusableKey: String, CaseIterable {
    case empty, garbage, cut
    /// A private key of the curve P-384.
    case p384
    /// The public key of the curve P-384.
    case p384Public
    /// A public key of RSA.
    case rsaPublic
    /// A private key of Ed25519.
    case ed25519
    /// The key of RFC 7515, with a passphrase.
    case encrypted
    /// RFC 7515's key in SEC 1, with a passphrase, for which libcrypto must not ask the terminal.
    case encryptedSEC1
    /// A point that is not on the curve.
    case offTheCurve
    /// The point at infinity.
    case infinity
    /// A private key with the public key of another one.
    case mismatch

    var pem: String {
        switch self {
        case .empty: ""
        case .garbage: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
        case .cut: String(UnusableKey.p384.pem.dropLast(40))
        case .p384:
            """
            -----BEGIN PRIVATE KEY-----
            MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDA9vrT7PlBL2o/hO1K1
            JrcGocgDfUQHDGxMuzGbvEJP2kwE2AdOVJmsm8Q2e/zkhP6hZANiAATYdb8Ih4pC
            CAVoaYfTPfepueTGlhmTiHYRmL7vG/skz2uTrJltEpHn6zynfgpZu/YsGUzw7jQn
            v4AEIha+emRPI2WuMy9GNbiZZP3FUvBBM1+yHqLXSGwN+ETDTP2B38s=
            -----END PRIVATE KEY-----
            """
        case .p384Public:
            """
            -----BEGIN PUBLIC KEY-----
            MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAE2HW/CIeKQggFaGmH0z33qbnkxpYZk4h2
            EZi+7xv7JM9rk6yZbRKR5+s8p34KWbv2LBlM8O40J7+ABCIWvnpkTyNlrjMvRjW4
            mWT9xVLwQTNfsh6i10hsDfhEw0z9gd/L
            -----END PUBLIC KEY-----
            """
        case .rsaPublic:
            """
            -----BEGIN PUBLIC KEY-----
            MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAOi/9NOgo5z7dh1eHEjM0mYUKEwjnbi0
            3h8+xzwQdbAIYc+dcehhcU35WmKoEQOFNE+BSQKHm1VHkA9okvPa7RUCAwEAAQ==
            -----END PUBLIC KEY-----
            """
        case .ed25519:
            """
            -----BEGIN PRIVATE KEY-----
            MC4CAQAwBQYDK2VwBCIEICFqvySPKj4RqyHVekFoDT1JNxtEt3zniCoW1Vmw9V+u
            -----END PRIVATE KEY-----
            """
        case .encrypted:
            """
            -----BEGIN ENCRYPTED PRIVATE KEY-----
            MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjmI53EIjJTNAICCAAw
            DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEGKu9m1eWqqwPPi7vJkjTPsEgZBy
            I9Npg5e1J2QA7/0hdCeuQutoz8XEmx+89B6EWQuhkdjMdt62ukxgcgIOs9Kb4KTq
            KkUx4KSazFfaX4UCq1CJb8OIY1v3KUWc9EOrjssBP+EacXnJluLrMOd5s+YJyl3J
            8Zbd+JUY0w520kHFO5WvdJO/DAvLA69Vv+yIWSm65Y7yoSdQuDGXD1f5Kau8DoI=
            -----END ENCRYPTED PRIVATE KEY-----
            """
        case .encryptedSEC1:
            """
            -----BEGIN EC PRIVATE KEY-----
            Proc-Type: 4,ENCRYPTED
            DEK-Info: AES-128-CBC,29ED66269BF655DEE72BBF8A244695E4

            Kj413JlrQ0xyw64MTtSWxFflNsOm8i7VbEpMGx5ql6linSOjLZ04PYcBgTlURTJ5
            RHw6x0eThbMMbnu+PE6BHvXV7McYW0hIyNb2I1gmGk3HFCwXCJcIuWkl52Ywvzf0
            /fbP+mqEbmY4yS0scz089WHcK+G/DCEWVJsart6j/bw=
            -----END EC PRIVATE KEY-----
            """
        case .offTheCurve:
            """
            -----BEGIN PUBLIC KEY-----
            MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7
            6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrA==
            -----END PUBLIC KEY-----
            """
        case .infinity:
            """
            -----BEGIN PUBLIC KEY-----
            MBkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDAgAA
            -----END PUBLIC KEY-----
            """
        case .mismatch:
            """
            -----BEGIN EC PRIVATE KEY-----
            MHcCAQEEII6bEJ5xkJi/mASH3x9dd+nLKWBuvtImO19XwhPfhPSzoAoGCCqGSM49
            AwEHoUQDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEXH8UTNG72b
            focs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
            -----END EC PRIVATE KEY-----
            """
        }
    }
}
