import LoadGenerator

/// A service under a load over HTTP/1.1, whose requests wait for a connection of a client.
protocol HTTPTarget: LoadTarget {
    /// The client that sends the requests.
    var client: HTTPClient { get }
}

extension HTTPTarget {
    /// The most requests without an answer; a server that is so far behind is overloaded.
    var limit: Int { 20_000 }
    /// The number of requests that wait for a connection.
    var waiting: Int { client.waitingCount }
}
