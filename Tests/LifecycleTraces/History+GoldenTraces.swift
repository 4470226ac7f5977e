extension History {
    /// The golden lifecycle traces, which every implementation of the core must reproduce; times are in seconds.
    ///
    /// The first five are cases O-TRACE-01 to O-TRACE-05 of the validation set; the logs of the others were computed by
    /// its reference interpreter. The last line of a log is the state at the end and the time for which the instance was
    /// recoverable, over all episodes.
    public static let goldenTraces = read(
        """
        recover on 2nd retry
            ttl=60; fresh_limit=30; recovery_window=60; retries=0 10 30; ends=0 5 15; updates=30; until=110
            fates=lost, lost, shown 1.5
            0 start; 30 send update; 90 class stale, send retry; 100 send retry; 101.5 shown retry, class fresh
            110 fresh, stale for 11.5

        severe then end lost once
            ttl=60; fresh_limit=30; recovery_window=60; retries=0 10 30; ends=0 5 15; updates=; until=300
            fates=lost, lost, lost, lost, shown 0.8
            0 start; 90 class stale, send retry; 100 send retry; 120 send retry; 150 class severe, send end
            155 send end; 155.8 token-invalidated; 300 tokenInvalidated, stale for 60

        boundary: delivery exactly at the limit
            ttl=60; fresh_limit=30; recovery_window=60; retries=0 10; ends=0; updates=89; until=100; fates=shown 1
            0 start; 89 send update; 90 shown update; 100 fresh, stale for 0

        410 on first retry
            ttl=60; fresh_limit=0; recovery_window=60; retries=0 10; ends=0; updates=; until=300; fates=dead 0.2
            0 start; 60 class stale, send retry; 60.2 token-dead; 300 tokenDead, stale for 0.2

        overtaking: older update arrives after newer
            ttl=60; fresh_limit=30; recovery_window=60; retries=0; ends=0; updates=10 20; until=60
            fates=shown 25, shown 0.5
            0 start; 10 send update; 20 send update; 20.5 shown update; 35 ignored-older update; 60 fresh, stale for 0

        already-stale delivery does not end the episode
            ttl=45; fresh_limit=15; recovery_window=90; retries=0 20 60; ends=0 7; updates=5; until=200
            fates=shown 62, lost, shown 3
            0 start; 5 send update; 60 class stale, send retry; 67 shown update; 80 send retry
            83 shown retry, class fresh; 140 class stale, send retry; 160 send retry
            200 send retry, stale, stale for 83

        late update after the end decision, end needs 3 tries
            ttl=45; fresh_limit=15; recovery_window=40; retries=0 20; ends=0 7 21; updates=; until=300
            fates=shown 55, lost, lost, lost, shown 0.9
            0 start; 60 class stale, send retry; 80 send retry; 100 class severe, send end; 107 send end; 115 late retry
            121 send end; 121.9 token-invalidated; 300 tokenInvalidated, stale for 40

        delivery at the severe instant wins the tie
            ttl=45; fresh_limit=15; recovery_window=40; retries=0 20; ends=0; updates=; until=130; fates=lost, shown 20
            0 start; 60 class stale, send retry; 80 send retry; 100 shown retry, class fresh; 130 fresh, stale for 40

        two episodes then token dead during end
            ttl=30; fresh_limit=10; recovery_window=25; retries=0 6 12; ends=0 4 9; updates=12 24; until=300
            fates=shown 0.3, lost, lost, shown 0.7, lost, lost, lost, lost, dead 0.15
            0 start; 12 send update; 12.3 shown update; 24 send update; 52 class stale, send retry; 58 send retry
            58.7 shown retry, class fresh; 98 class stale, send retry; 104 send retry; 110 send retry
            123 class severe, send end; 127 send end; 127.15 token-dead; 300 tokenDead, stale for 31.7

        retry in flight when a regular update lands
            ttl=30; fresh_limit=10; recovery_window=60; retries=0 5 10; ends=0; updates=44 60; until=125
            fates=shown 30, shown 2, lost, shown 0.1
            0 start; 40 class stale, send retry; 44 send update; 45 send retry; 46 shown update, class fresh
            60 send update; 60.1 shown update; 70 ignored-older retry; 100 class stale, send retry; 105 send retry
            110 send retry; 125 stale, stale for 31
        """
    )
}
