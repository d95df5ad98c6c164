// Made from docs/openapi.json by `make types`. Do not edit.

export interface paths {
    "/api/account/blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists whom the caller blocks. */
        get: operations["listBlocks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/blocks/{player}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Blocks a player: the two are not paired and don't join each other's games. The other is not notified. */
        put: operations["blockPlayer"];
        post?: never;
        /** Takes a block back. */
        delete: operations["unblockPlayer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/bot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes the caller's account that of a bot, for good. It must not have played. All its sessions and tokens end. */
        post: operations["becomeBot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deletes the caller's account. Its games stay, without the name; those that go on are given up. Nobody else gets the name. */
        post: operations["deleteAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/following": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists whom the caller follows, as they are just now. Nobody else learns of it. */
        get: operations["listFollowing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/following/{player}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Follows a player. The other is not notified. */
        put: operations["followPlayer"];
        post?: never;
        /** Follows a player no more. */
        delete: operations["unfollowPlayer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Changes the password. All sign-ins end, also the one that asks: the answer begins a new one. So do tokens for programs,
         *     unless `revoke_tokens` is false.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/presence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tells whether others see the caller online. */
        get: operations["getPresenceShown"];
        /** Shows the caller as online to others, or does not. */
        put: operations["showPresence"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/push": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows what the caller's device is told of: the device of the session that asks. */
        get: operations["getPushDevice"];
        /**
         * Adds the caller's device, in place of what was added in this session before. It is removed when the session ends. Of too many devices
         *     of a player those that were added longest ago are removed.
         */
        put: operations["addPushDevice"];
        post?: never;
        /** Removes the caller's device: it is told of nothing any more. */
        delete: operations["removePushDevice"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/recovery_codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows how many unused recovery codes the caller has. */
        get: operations["countRecoveryCodes"];
        put?: never;
        /** Makes new recovery codes, which are shown this once. Earlier ones are invalid from then on. */
        post: operations["makeRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where the caller is signed in, the newest first. */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /** Ends all of the caller's sessions but the one that asks. */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Ends one of the caller's sessions; its sockets are closed. */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows what the caller has chosen to be the same everywhere. */
        get: operations["getSettings"];
        /** Saves what the caller has chosen, in place of the settings that the client knows. */
        put: operations["saveSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The caller's tokens for programs, the newest first, without the secrets. */
        get: operations["listTokens"];
        put?: never;
        /** Makes a token for a program. The secret is shown this once. */
        post: operations["issueToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revokes a token; its sockets are closed. */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/analyses/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes an analysis that a player with a role below the caller's has shared. */
        delete: operations["removeAnalysis"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists what moderators, admins and the operator have done, newest first. */
        get: operations["readAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/games": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists games as `/api/games` does, those by link included. */
        get: operations["overseeGames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/games/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows a game as the referee knows it, with every identity, the time of each move and when the players were connected, also
         *     while it goes on. Not for a game of one's own; the audit log records it.
         */
        get: operations["overseeGame"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/games/{id}/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows what the players of a game have said to each other, and its spectators, also what nobody else has heard. Not for a
         *     game of one's own; the audit log records it.
         */
        get: operations["readGameChat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/maintenance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Lets no new games begin: creating, joining, seeking, pairing and rematches are refused as `maintenance`, and open seeks are put
         *     away. Games that go on are played to their ends. It holds over restarts, and everybody is notified.
         */
        put: operations["startMaintenance"];
        post?: never;
        /** Lets new games begin again. */
        delete: operations["endMaintenance"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/notice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Shows a notice to everybody who is connected, and for so many minutes to later visitors. There is one at a time. */
        put: operations["putUpNotice"];
        post?: never;
        /** Takes the notice down before its time. */
        delete: operations["takeDownNotice"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/players/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows whether a player is banned, muted or limited. Not for the caller or a player with a higher role. */
        get: operations["getPlayerStanding"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analyses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists what the caller has shared, the last first. */
        get: operations["listAnalyses"];
        put?: never;
        /**
         * Shares an analysis: everybody who has its link can open it. Every line is judged by the rules first. What the caller shares twice
         *     has one link.
         */
        post: operations["shareAnalysis"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analyses/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a shared analysis. */
        get: operations["getAnalysis"];
        put?: never;
        post?: never;
        /** Deletes an analysis that the caller has shared. */
        delete: operations["deleteAnalysis"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analyses/{id}/preview.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A picture of 1,200 × 630 pixels of a shared analysis: the position that is looked at first. */
        get: operations["getAnalysisPreview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/announcements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows whether new games can be opened, and the notice that is up. */
        get: operations["getAnnouncements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The games, rule sets, options, boards and pieces, with what a client needs to draw them. */
        get: operations["getCatalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/computers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The computer players: games against them begin at once, without an account, and are not rated. */
        get: operations["listComputers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/games": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists games. Games by link appear to their players alone. */
        get: operations["listGames"];
        put?: never;
        /** Opens a game and sits down. The same command id opens no second one. */
        post: operations["createGame"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/games/export/ndjson": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Games that are over, the newest first, one JSON object on each line. */
        get: operations["exportGames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/games/export/text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Games that are over, the newest first, as texts in the manner of PGN. */
        get: operations["exportGameTexts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/games/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A game as it stands, as the caller may know it. */
        get: operations["getGame"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/games/{id}/adjudicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends a game that goes on: with a result, or without one (`aborted`). It counts neither for ratings nor in what players have
         *     made of each other. A game that waits for its second player can only be aborted. The players must have lower roles.
         */
        post: operations["adjudicateGame"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/games/{id}/animation.gif": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A game that is over as an animated picture. */
        get: operations["getGameAnimation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/games/{id}/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Carries out a command: `{"type": "move", "data": {"game": …, "command": …, "ply": 1, "move": "a3a4"}}`. */
        post: operations["sendCommand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/games/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What happened in a game, as the caller may know it. A long game has several pages: `next` is `since` of the next one. */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/games/{id}/fens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The position after each ply as plain text, one on a line, the start first. A long game has several pages: the header `Link`
         *     names the next one (`rel="next"`).
         */
        get: operations["listFens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/games/{id}/hint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Advises the player who is on the move in a practice game against a computer: the best move, and how good a move of their own would be. */
        post: operations["askHint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/games/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Keeps the caller's notes on a game with hidden pieces, in place of those before. Nobody else ever sees them. */
        put: operations["putNotes"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/games/{id}/position.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A position of a game as a picture, the first seat at the bottom. */
        get: operations["getPositionPicture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/games/{id}/positions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The position after each ply, as the caller may know it; of a game that is over also as somebody knew it while it went on. A
         *     long game has several pages: `next` is `from` of the next one.
         */
        get: operations["listPositions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/games/{id}/preview.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A picture of 1,200 × 630 pixels of a game as spectators know it: the board, the players and the result. A game by link shows that
         *     of the house, unless it waits for its second player.
         */
        get: operations["getGamePreview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/games/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restores a withdrawn result. */
        post: operations["restoreResult"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/games/{id}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The review of a game that is over, or as much of it as is done: with `after`, as soon as there is more. What stands in a running game
         *     between people is left out.
         */
        get: operations["getReview"];
        put?: never;
        /**
         * Has a game that is over reviewed: every move is compared with the best one, from the last to the first. One review for an address is
         *     worked on at a time; it is stored, and everybody can read it. One from which something was left out is made once more.
         */
        post: operations["beginReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/games/{id}/review/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Judges a move in place of one that was played in a reviewed game. */
        post: operations["tryMove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/games/{id}/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Changes the caller's own setup while both set up. Nobody else is notified. */
        put: operations["putSetup"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/games/{id}/spectator_chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What spectators have said at a game, a page at a time, the latest page first. Its players may read it when the game is over. */
        get: operations["listSpectatorChat"];
        put?: never;
        /** Says something to the other spectators of a game. Its players see it when the game is over. */
        post: operations["sayToSpectators"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/games/{id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The game as spectators know it, or with `as=me` as the caller's seat does, and then what happens in it until it is over: a message on each
         *     line, or server-sent events to clients that accept `text/event-stream`. With `as=me` the caller is connected to the game as by a socket.
         */
        get: operations["streamGame"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/games/{id}/text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A game that is over as text, in the manner of PGN: tags, moves with their times, the result. */
        get: operations["getGameText"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/games/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Plays a game that is over again, and judges each event of it as strictly as the referee did: the moves by the rules, the
         *     clocks, the end, and in Luzhanqi the setups that both were committed to.
         */
        get: operations["verifyGame"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/games/{id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lets the result of a rated game no longer count. The game stays as it was played; the ratings of everybody concerned are
         *     recomputed. The players must have lower roles.
         */
        post: operations["withdrawResult"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/guest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Opens an identity as a guest. The token is shown this once; browsers also get it as a cookie. */
        post: operations["createGuest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The process is alive. */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/leaderboards/{game}/{set}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the strongest players: those whose rating is not provisional and who have played in the last 60 days. */
        get: operations["getLeaderboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Public games in progress, those of the highest rated players first, then those with the most spectators. */
        get: operations["listLiveGames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lobby": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The lobby as it stands: open seeks, pools, and what is the visitor's own. */
        get: operations["getLobby"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lobby/pools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every pool: a rule set and a time control, rated or not, and how many wait there. */
        get: operations["listPools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lobby/quick": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Waits in a pool, for a minute and longer each time that it is asked after (as a seek). The same command id waits once. */
        post: operations["joinPool"];
        /** Leaves every pool. */
        delete: operations["leavePools"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lobby/seeks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Opens a seek, for a minute and longer each time that it is asked after. The same command id opens no second one. */
        post: operations["createSeek"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lobby/seeks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the status of an own seek, on the board or in a pool, and keeps it open for another minute. */
        get: operations["getSeek"];
        put?: never;
        post?: never;
        /** Takes back an own seek, on the board or in a pool. Doing so again changes nothing. */
        delete: operations["cancelSeek"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/lobby/seeks/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accepts a seek. The answer comes when the game is stored and has begun. The same command id opens no second one. */
        post: operations["acceptSeek"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs in by name and password. Each time a new session begins, whatever the request brought. */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends the session that asks; its sockets are closed. Without one nothing happens. A guest can't come back after it. */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows who the server takes the caller for, and what the token may be used for. */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/me/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the caller receives as a player: first each running game, each open challenge to them and, with `since`, each game that has ended since
         *     then, as if it were just happening; then a line with `me`; then what happens: how games go on, begin and end, challenges, pairings and what
         *     the server says. A message on each line, or server-sent events. The caller is online as by a socket.
         */
        get: operations["streamMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The games that reached a position: how they ended, and what was played next. */
        get: operations["getOpening"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/players": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The profile of the player whose account has a name. */
        get: operations["findPlayer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/players/online": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists players with an account who are online, those who came last first. Players who do not want to be shown are left out, and so are
         *     those whom the caller blocks or is blocked by.
         */
        get: operations["listOnlinePlayers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/players/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists accounts whose names contain a part, however its letters are cased; those whose names begin with it come first. */
        get: operations["searchPlayers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/players/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A player's profile: the name, the ratings, and what was won and lost. */
        get: operations["getPlayer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/players/{id}/against/{other}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counts the games of two players, as the first of them has seen them. */
        get: operations["getHeadToHead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/players/{id}/ban": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Bans a player whose role is below the caller's, who is a moderator or an admin. Sockets are closed at once. */
        post: operations["banPlayer"];
        /** Ends a ban. */
        delete: operations["unbanPlayer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/players/{id}/limit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Shadowbans a player whose role is below the caller's, without notifying them: they are only matched with other shadowbanned
         *     players, and their chat is shown to nobody else.
         */
        post: operations["limitPlayer"];
        /** Lifts the shadowban of a player. */
        delete: operations["unlimitPlayer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/players/{id}/mute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mutes a player with a role below the caller's, in games and spectator chat. The player sees
         *     until when, and why.
         */
        post: operations["mutePlayer"];
        /** Lifts the mute of a player. */
        delete: operations["unmutePlayer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/players/{id}/name": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Gives an account whose role is below the caller's another name: this one, or one that is drawn. All its sessions and tokens end,
         *     and all its games show the new name soon. Nobody else gets the old one, and its owner may still sign in with it.
         */
        put: operations["renamePlayer"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/players/{id}/presence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows whether a player is connected, and which games they are playing. Games by link are shown to their players only. Of a
         *     player whom nobody knows as of one who is not here, and so of one who does not want to be shown, or who blocks the caller or is
         *     blocked by them.
         */
        get: operations["getPresence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/players/{id}/ratings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the changes of a player's rating. Games by link are named to their players alone. */
        get: operations["getRatingHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/players/{id}/role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Changes the role of an account; for admins, and accounts with a lower role. All its sessions and tokens end. */
        put: operations["changeRole"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/positions/hint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Advises the side to move in a game that is stored nowhere: the best moves, at most three, each with what is expected to follow and the chance
         *     to win. Of Xiangqi and Dou Shou Qi; nothing is stored.
         */
        post: operations["askPositionHint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/positions/judge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Judges a game that is stored nowhere: the position after its moves, what may be played there, what is banned and why, and the
         *     outcome. The answers are those of `qiguan check`; nothing is stored. A position of Luzhanqi may have covered pieces, which may do
         *     what some piece could.
         */
        post: operations["judgePosition"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/positions/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reads a game's text, of this or another program or a book: rule set, beginning and moves, as `POST /api/positions/judge` takes them.
         *     Names, times, comments and variations are passed over; nothing is stored.
         */
        post: operations["readGameText"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/preview.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A picture of 1,200 × 630 pixels of the house, or of a rule set: what is shown where an address is pasted. */
        get: operations["getPreview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows the key that browsers subscribe with. */
        get: operations["getPushKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/puzzles/daily": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The puzzle of the day: the same for everybody, of Xiangqi and Dou Shou Qi by turns. */
        get: operations["getDailyPuzzle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/puzzles/drills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Endings of Dou Shou Qi to practise on, which the side to move wins. */
        get: operations["getDrills"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/puzzles/next": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A puzzle of a rule set that is about as hard as the caller is strong, and that the caller has not tried; once all have been tried, one
         *     that was tried long ago.
         */
        get: operations["getNextPuzzle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/puzzles/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the caller has made of puzzles: ratings, days, and a page of the last ones. */
        get: operations["getPuzzleResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/puzzles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A puzzle by its id. */
        get: operations["getPuzzle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/puzzles/{id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Judges a solver's moves. A right move is answered by the solution's next, a wrong one by the computer; the first mistake, or a solution
         *     without any, changes the ratings of the caller and of the puzzle, once for each puzzle. A caller without an identity is judged too, and
         *     nothing is kept.
         */
        post: operations["tryPuzzle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/puzzles/{id}/preview.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A picture of 1,200 × 630 pixels of a puzzle: the position that is to be solved. */
        get: operations["getPuzzlePreview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The server takes new connections, and its records can be written. */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sets a new password with a recovery code, which is used up, and signs in. All sessions and API tokens of the account end. */
        post: operations["recoverAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Opens an account. A guest who asks becomes a player and keeps id and games; what proved the guest is void from then on. */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the reports that nobody has closed, the oldest first: those about others than the caller, and about nobody above. */
        get: operations["listReports"];
        put?: never;
        /** Reports a player, a game of theirs, or a line of chat in it to the moderators. */
        post: operations["reportPlayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/{id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Closes a report, unless it is about the caller or somebody above. */
        post: operations["closeReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's setups, sorted by name. */
        get: operations["listSetups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/setups/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shows a setup of the caller. */
        get: operations["getSetup"];
        /** Saves a setup, in place of the caller's one of this name if there is one. */
        put: operations["saveSetup"];
        post?: never;
        /** Deletes a setup of the caller. */
        delete: operations["deleteSetup"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a position of Dou Shou Qi with at most 4 animals is worth, and each move in it, with best play by both sides.
         * @description Tables know no history: what has occurred in a game, and for how long nothing was captured, is not looked at.
         */
        get: operations["getEnding"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The featured game of each kind. */
        get: operations["getTv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tv/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The featured games of a kind, one after the other, as `GET /api/games/{id}/stream` sends each. Before each comes a line that
         *     says which it is, or that there is no game right now.
         */
        get: operations["streamTv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The body of `POST /api/lobby/seeks/{id}/accept`. */
        Accept: {
            /** @description The command's id; accepting twice with the same id opens one game. */
            command: components["schemas"]["CommandId"];
        };
        /** @description `accept_seek`: accepts the seek and starts the game. */
        AcceptSeek: {
            /** @description The command's id; accepting twice with the same id opens one game. */
            command: components["schemas"]["CommandId"];
            /** @description The seek. */
            seek: components["schemas"]["SeekId"];
        };
        /** @description The settings of an account. */
        AccountSettings: {
            /** @description What was chosen, by name; what is not in it was never chosen. */
            settings: {
                [key: string]: components["schemas"]["SettingValue"];
            };
            /** @description When they were saved last; null if never. */
            updated_at: components["schemas"]["Millis"] | null;
            /**
             * Format: int64
             * @description 0 until settings are saved for the first time, then 1, 2, 3 …
             */
            version: number;
        };
        /** @description `PUT /api/account/push`: the caller's device, as its browser has subscribed it. */
        AddPushDevice: {
            /** @description The device's secret: 16 bytes in base64url. */
            auth: string;
            /** @description Where the browser's push service takes messages for it: an https address at its usual port, of a host that everybody can reach. */
            endpoint: string;
            /** @description What it is to be told of; at least one. */
            kinds: components["schemas"]["PushKinds"];
            /** @description The language in which the device is to say it, such as `zh-Hans`; each message brings it along. */
            language: string;
            /** @description The device's public key: a point of P-256, 65 bytes in base64url. */
            p256dh: string;
        };
        /** @description `POST /api/games/{id}/adjudicate`: a game that goes on ends now. */
        Adjudicate: {
            /** @description The command's id: the same one ends the game once. */
            command: components["schemas"]["CommandId"];
            /** @description Why, for the audit log: 1 to 200 characters. */
            reason: string;
            /** @description How it ends: `aborted` breaks it off. */
            result: components["schemas"]["ResultWord"];
        };
        /** @description An analysis: `POST /api/analyses` shares it. What is shared is never changed. */
        Analysis: {
            /**
             * Format: int64
             * @description The place among the nodes of the position that is looked at first; left out for the beginning.
             */
            at?: number;
            /** @description The stored game that it is about; left out for none. */
            game?: components["schemas"]["GameId"];
            /** @description The positions: first that at the beginning, which no move leads to, then each somewhere behind the one that it follows. */
            nodes: components["schemas"]["AnalysisNode"][];
            /** @description Options that differ from the rule set's; left out for none. */
            options?: {
                [key: string]: components["schemas"]["OptionValue"];
            };
            /** @description The rule set, such as `xiangqi/standard`. */
            ruleset: string;
            /** @description The position at the beginning as text, as `POST /api/positions/judge` takes it. */
            start: string;
            /** @description What it is called; left out for nothing. */
            title?: string;
        };
        /**
         * Format: uuid
         * @description An analysis that somebody has shared. Nobody guesses it: it is the link.
         */
        AnalysisId: string;
        /** @description Where an analysis is from now on. */
        AnalysisLink: {
            /** @description Its id: the address is `/analysis/` and this. */
            analysis: components["schemas"]["AnalysisId"];
        };
        /** @description A position of an analysis. */
        AnalysisNode: {
            /**
             * Format: int64
             * @description The place of the position that it follows; left out for the one just before. Of several that follow the same one the first
             *     belongs to the main line.
             */
            after?: number;
            /** @description A comment, which may have several lines; left out for none. */
            comment?: string;
            /** @description The move that leads to it. */
            move?: components["schemas"]["MoveText"];
            /** @description Who is removed, if the move is an attack (Luzhanqi). */
            removed?: components["schemas"]["Removed"];
            /** @description What is drawn onto the board; left out for nothing. */
            shapes?: components["schemas"]["AnalysisShape"][];
        };
        /** @description An arrow from a square to another, or a circle around one. */
        AnalysisShape: {
            /** @description Its colour. */
            colour: components["schemas"]["ShapeColour"];
            /** @description The square where it begins. */
            from: string;
            /** @description The square where an arrow ends; left out for a circle. */
            to?: string;
        };
        /** @description An analysis in a list. */
        AnalysisSummary: {
            /** @description Its id. */
            analysis: components["schemas"]["AnalysisId"];
            /**
             * Format: int64
             * @description How many moves it has, in all variations.
             */
            moves: number;
            /** @description The rule set. */
            ruleset: string;
            /** @description When it was shared. */
            shared_at: components["schemas"]["Millis"];
            /** @description What it is called; empty for nothing. */
            title: string;
        };
        /** @description The announcements in force: `GET /api/announcements`, and the notice `announcements`. */
        Announcements: {
            /** @description No new games for now; those that go on are played to their ends. Null if games can be opened. */
            maintenance: components["schemas"]["Maintenance"] | null;
            /** @description Something to read; null without an announcement. */
            notice: components["schemas"]["Notice"] | null;
        };
        /** @description What a request can come to. */
        Answer: components["schemas"]["AnswerWelcome"] | components["schemas"]["AnswerGuest"] | components["schemas"]["AnswerPong"] | components["schemas"]["AnswerCreated"] | components["schemas"]["AnswerSnapshot"] | components["schemas"]["AnswerMissed"] | components["schemas"]["AnswerKept"] | components["schemas"]["AnswerUnwatched"] | components["schemas"]["AnswerOwnGames"] | components["schemas"]["AnswerLobby"] | components["schemas"]["AnswerLeftLobby"] | components["schemas"]["AnswerSeek"] | components["schemas"]["AnswerPaired"] | components["schemas"]["AnswerLeftPools"] | components["schemas"]["AnswerDone"];
        /** @description To `create_game`: the game is stored. `watch` it for its events. */
        AnswerCreated: {
            /** @description The new game. */
            game: components["schemas"]["GameId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "created";
        };
        /** @description To a command: its events are stored. */
        AnswerDone: {
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /** @description The number of the last event that the command caused. */
            seq: components["schemas"]["Seq"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "done";
        };
        /** @description The answer to a request. */
        AnswerFrame: {
            /** @description Why nothing came of it. */
            error?: components["schemas"]["ApiError"];
            /** @description What came of it. */
            ok?: components["schemas"]["Answer"];
            /** @description The request's id; null if the message had none that could be read. */
            re: components["schemas"]["RequestId"] | null;
        };
        /** @description A new identity. */
        AnswerGuest: {
            /** @description Who this is. */
            player: components["schemas"]["Player"];
            /** @description The secret that proves it; shown once. */
            token: components["schemas"]["Token"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "guest";
        };
        /** @description To `set_up` and `note`: it is stored. */
        AnswerKept: {
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "kept";
        };
        /** @description To `leave_lobby`. */
        AnswerLeftLobby: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "left_lobby";
        };
        /** @description To `leave_pools`. */
        AnswerLeftPools: {
            /** @description The places that were given up. */
            seeks: components["schemas"]["SeekId"][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "left_pools";
        };
        /** @description To `enter_lobby`: the lobby as it stands. Changes follow as notices. */
        AnswerLobby: {
            /** @description The lobby. */
            lobby: components["schemas"]["Lobby"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "lobby";
        };
        /** @description To `watch`: the events after the cursor. */
        AnswerMissed: {
            /** @description Where these events lead. */
            cursor: components["schemas"]["Cursor"];
            /** @description The events; empty for a client that is up to date. */
            events: components["schemas"]["EventFrame"][];
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /** @description The position, clocks and presence of now. */
            live: components["schemas"]["LiveState"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "missed";
        };
        /** @description The data of `accept_draw`, `decline_draw`, `accept_takeback` and `decline_takeback`. */
        AnswerOffer: {
            /** @description The command's id. */
            command: components["schemas"]["CommandId"];
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /** @description The number of the event that made the offer or the request. */
            offer: components["schemas"]["Seq"];
        };
        /** @description To `own_games`: the player's running games, at most 50. Changes follow as notices. */
        AnswerOwnGames: {
            /** @description The games. */
            games: components["schemas"]["OwnGame"][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "own_games";
        };
        /** @description To `accept_seek`: the game is stored and has begun. `watch` it. */
        AnswerPaired: {
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "paired";
        };
        /** @description To `ping`. */
        AnswerPong: {
            /** @description The server's time. */
            server_time: components["schemas"]["Millis"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "pong";
        };
        /** @description To `seek`, `quick_pair` and `cancel_seek`: what has become of it. */
        AnswerSeek: {
            /** @description The seek, or the place in a pool. */
            seek: components["schemas"]["SeekId"];
            /** @description Whether it is open. */
            state: components["schemas"]["SeekState"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "seek";
        };
        /** @description To `watch`: the game as it stands. */
        AnswerSnapshot: {
            /** @description Why not just the missing events: nothing was asked for, or the cursor can't be served. */
            reset: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "snapshot";
            /** @description The game. */
            view: components["schemas"]["GameView"];
        };
        /** @description To `unwatch`. */
        AnswerUnwatched: {
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "unwatched";
        };
        /** @description The server's greeting. */
        AnswerWelcome: {
            /** @description Who the server takes the client for; null for a spectator without identity. */
            player: components["schemas"]["Player"] | null;
            /** @description The server's version. */
            server: string;
            /** @description The server's time. */
            server_time: components["schemas"]["Millis"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "welcome";
        };
        /** @description A refusal: what is wrong, where, and what would be allowed. */
        ApiError: {
            /** @description What kind of refusal. */
            code: components["schemas"]["ErrorCode"];
            /** @description With `stale` and `ahead`: where the game is. */
            current?: components["schemas"]["Current"];
            /** @description The field at fault, as a path (`time_control.clock.initial_ms`). */
            field?: string;
            /** @description For people: what is wrong and what is allowed. Not stable. */
            message: string;
            /** @description With `rate_limited`: in how many milliseconds the same request would pass; absent where that is not known. */
            retry_in_ms?: components["schemas"]["Millis"];
            /** @description With `muted`: until when, in server time; absent: for good. */
            until?: components["schemas"]["Millis"];
        };
        /** @description An API token, without the secret. */
        ApiToken: {
            /** @description Since when. */
            created_at: components["schemas"]["Millis"];
            /** @description When it ends by itself; left out if never. */
            expires_at?: components["schemas"]["Millis"];
            /**
             * Format: uuid
             * @description To revoke it by.
             */
            id: string;
            /** @description When it was last used, give or take a few minutes. */
            last_seen_at: components["schemas"]["Millis"];
            /** @description What it is for. */
            name: string;
            /** @description What it may be used for. */
            scopes: components["schemas"]["Scope"][];
        };
        /** @description `POST /api/account/recovery_codes`: the account's password. */
        AskRecoveryCodes: {
            /** @description The account's password. */
            password: components["schemas"]["Password"];
        };
        /** @description `seek`: offers a game to everybody in the lobby. Players who fit may accept. */
        AskSeek: {
            /** @description The command's id; seeking twice with the same id seeks once. */
            command: components["schemas"]["CommandId"];
            /** @description Options that differ from the rule set's. */
            options?: {
                [key: string]: components["schemas"]["OptionValue"];
            };
            /** @description Whether the result counts for the players' ratings. */
            rated?: boolean;
            /** @description The ratings that may accept; absent: anybody. */
            rating?: components["schemas"]["RatingRange"];
            /** @description The rule set. */
            ruleset: string;
            /** @description The seat of the seek's owner. */
            seat?: components["schemas"]["SeatChoice"];
            /** @description By how much spectators see the game later; absent: not at all. */
            spectator_delay?: components["schemas"]["SpectatorDelay"];
            /** @description The time control. */
            time_control: components["schemas"]["TimeControl"];
        };
        /**
         * Format: uuid
         * @description An entry of the audit log. Version 7, so that ids sort by time.
         */
        AuditId: string;
        /** @description Something that was done. */
        AuditLogEntry: {
            /** @description When. */
            at: components["schemas"]["Millis"];
            /** @description Who did it; null for the operator. */
            by: components["schemas"]["Player"] | null;
            /** @description What else there is to know, such as the role before and after, for people to read. */
            details: string;
            /** @description Which game it was done to. */
            game: components["schemas"]["GameId"] | null;
            /** @description The entry. */
            id: components["schemas"]["AuditId"];
            /** @description What. */
            operation: components["schemas"]["Operation"];
            /** @description Whom it was done to. */
            player: components["schemas"]["Player"] | null;
            /** @description Why; empty if nobody has said. */
            reason: string;
        };
        /** @description A page of the audit log, the newest entry first. */
        AuditPage: {
            /** @description The `before` of the next page; null if this is the last. */
            before: components["schemas"]["AuditId"] | null;
            /** @description The entries. */
            entries: components["schemas"]["AuditLogEntry"][];
        };
        /** @description `POST /api/players/{id}/ban`. */
        Ban: {
            /** @description The reason, shown to the player: 1 to 200 characters. */
            reason: string;
            /** @description Until when; left out: for good. */
            until?: components["schemas"]["Millis"];
        };
        /**
         * @description Why a move is banned though the pieces could make it.
         * @enum {string}
         */
        BanReason: "repetition" | "perpetual_check" | "perpetual_chase";
        /** @description A banned move and why. */
        BannedMove: {
            /** @description From and to. */
            move: components["schemas"]["MoveText"];
            /** @description Why. */
            reason: components["schemas"]["BanReason"];
        };
        /** @description Players whom the caller does not want to play. */
        Blocks: {
            /** @description The players, the last blocked first. */
            players: components["schemas"]["Player"][];
        };
        /** @description One value for each seat. */
        BySeat_Option_Player: {
            first: null | components["schemas"]["Player"];
            second: null | components["schemas"]["Player"];
        };
        /** @description One value for each seat. */
        BySeat_Player: {
            first: components["schemas"]["Player"];
            second: components["schemas"]["Player"];
        };
        /** @description One value for each seat. */
        BySeat_RatingChange: {
            first: components["schemas"]["RatingChange"];
            second: components["schemas"]["RatingChange"];
        };
        /** @description One value for each seat. */
        BySeat_RevealedSetup: {
            first: components["schemas"]["RevealedSetup"];
            second: components["schemas"]["RevealedSetup"];
        };
        /** @description One value for each seat. */
        BySeat_SeatPresence: {
            first: components["schemas"]["SeatPresence"];
            second: components["schemas"]["SeatPresence"];
        };
        /** @description One value for each seat. */
        BySeat_SideReview: {
            /** @description How a side played. */
            first: {
                /**
                 * Format: int64
                 * @description How well it played, in thousandths: 1000 for moves that lost nothing. Absent until a move is judged.
                 */
                accuracy?: number;
                /**
                 * Format: int64
                 * @description What its moves lost of the chance to win on average, in thousandths; absent until a move is judged.
                 */
                average_loss?: number;
                /**
                 * Format: int64
                 * @description How many of them are the best that was found.
                 */
                best: number;
                /**
                 * Format: int64
                 * @description Blunders.
                 */
                blunders: number;
                /**
                 * Format: int64
                 * @description How many moves of each verdict it made, the good ones apart.
                 */
                inaccuracies: number;
                /**
                 * Format: int64
                 * @description How many of its moves are judged.
                 */
                judged: number;
                /**
                 * Format: int64
                 * @description Mistakes.
                 */
                mistakes: number;
            };
            /** @description How a side played. */
            second: {
                /**
                 * Format: int64
                 * @description How well it played, in thousandths: 1000 for moves that lost nothing. Absent until a move is judged.
                 */
                accuracy?: number;
                /**
                 * Format: int64
                 * @description What its moves lost of the chance to win on average, in thousandths; absent until a move is judged.
                 */
                average_loss?: number;
                /**
                 * Format: int64
                 * @description How many of them are the best that was found.
                 */
                best: number;
                /**
                 * Format: int64
                 * @description Blunders.
                 */
                blunders: number;
                /**
                 * Format: int64
                 * @description How many moves of each verdict it made, the good ones apart.
                 */
                inaccuracies: number;
                /**
                 * Format: int64
                 * @description How many of its moves are judged.
                 */
                judged: number;
                /**
                 * Format: int64
                 * @description Mistakes.
                 */
                mistakes: number;
            };
        };
        /** @description One value for each seat. */
        BySeat_String: {
            first: string;
            second: string;
        };
        /** @description One value for each seat. */
        BySeat_TimeLeft: {
            first: components["schemas"]["TimeLeft"];
            second: components["schemas"]["TimeLeft"];
        };
        /** @description One value for each seat. */
        BySeat_bool: {
            first: boolean;
            second: boolean;
        };
        /** @description `cancel_seek`: takes back an own seek, also one in a pool. */
        CancelSeek: {
            /** @description The seek. */
            seek: components["schemas"]["SeekId"];
        };
        /** @description Everything that can be played. */
        Catalog: {
            /** @description The games. */
            games: components["schemas"]["CatalogGame"][];
        };
        /** @description A board. */
        CatalogBoard: {
            /**
             * Format: int64
             * @description Files, named from `a` at the first seat's left.
             */
            files: number;
            /** @description Special squares. */
            marks: components["schemas"]["CatalogMark"][];
            /** @description Whether pieces stand on the crossings of lines rather than on squares. */
            on_points: boolean;
            /**
             * Format: int64
             * @description Ranks, numbered from 1 nearest to the first seat.
             */
            ranks: number;
            /** @description Roads and railways, each pair of points once; empty where pieces move by other patterns. */
            ways?: components["schemas"]["CatalogWay"][];
        };
        /** @description A game. */
        CatalogGame: {
            /** @description The board. */
            board: components["schemas"]["CatalogBoard"];
            /** @description The name in Chinese. */
            chinese: string;
            /** @description The first part of its rule sets' ids. */
            id: string;
            /** @description The shown name. */
            name: string;
            /** @description The options and what values they take. */
            options: {
                [key: string]: components["schemas"]["CatalogOption"];
            };
            /** @description The kinds of pieces. */
            pieces: components["schemas"]["CatalogPiece"][];
            /** @description The named rule sets. */
            rulesets: components["schemas"]["CatalogRuleSet"][];
        };
        /** @description A special square. */
        CatalogMark: {
            /** @description What it is: `den`, `trap`, `river` (on a board of points: the points on its banks), `palace`, `camp` or `headquarters`. */
            kind: string;
            /** @description Whose it is; null if nobody's. */
            owner: components["schemas"]["Seat"] | null;
            /** @description Which, such as `d1`. */
            square: string;
        };
        /** @description What values an option takes. */
        CatalogOption: components["schemas"]["CatalogOptionBool"] | components["schemas"]["CatalogOptionNumber"] | components["schemas"]["CatalogOptionWord"];
        /** @description True or false. */
        CatalogOptionBool: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "bool";
        };
        /** @description A whole number. */
        CatalogOptionNumber: {
            /**
             * Format: int64
             * @description The least.
             */
            least: number;
            /**
             * Format: int64
             * @description The most.
             */
            most: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "number";
        };
        /** @description One of these words. */
        CatalogOptionWord: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "word";
            /** @description The words. */
            words: string[];
        };
        /** @description A kind of piece. */
        CatalogPiece: {
            /** @description The Chinese characters on the two seats' pieces, traditional. They are the same in some games. */
            characters: components["schemas"]["BySeat_String"];
            /** @description The letter in notation: upper case for the first seat, lower case for the second. */
            letter: string;
            /** @description The English name. */
            name: string;
        };
        /** @description A named rule set. */
        CatalogRuleSet: {
            /** @description The id. */
            id: string;
            /** @description Every option's value. */
            options: {
                [key: string]: components["schemas"]["OptionValue"];
            };
            /** @description The shown names of the seats. */
            seats: components["schemas"]["BySeat_String"];
            /** @description The position at the beginning. */
            start: string;
            /** @description The pieces' strengths by letter, the strongest highest; empty where any piece takes any other. */
            strengths: {
                [key: string]: number;
            };
        };
        /** @description Two points that are joined. */
        CatalogWay: {
            /** @description One end, such as `a1`. */
            from: string;
            /** @description Whether it is a railway. */
            railway: boolean;
            /** @description The other. */
            to: string;
        };
        /** @description What is featured of a kind of game. It stays as long as it goes on; then another follows. */
        Channel: {
            /** @description The game; null while none goes on. */
            game: components["schemas"]["LiveGame"] | null;
            /** @description The kind, such as `xiangqi`. */
            kind: string;
        };
        /** @description In the stream of `GET /api/tv/{kind}`: which game comes now. Its snapshot follows. */
        ChannelNotice: {
            /** @description What is on. */
            tv: components["schemas"]["ChannelNow"];
        };
        /** @description What is on a channel. */
        ChannelNow: {
            /** @description The game; null as long as none goes on. */
            game: components["schemas"]["GameId"] | null;
            /** @description The kind of game, such as `xiangqi`. */
            kind: string;
        };
        /** @description The data of `chat`. */
        Chat: {
            /** @description The command's id. */
            command: components["schemas"]["CommandId"];
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /** @description The line, 1 to 300 characters and at most 900 bytes of JSON, without control characters. */
            text: string;
        };
        /** @description A line of the players' chat. */
        ChatLine: {
            /** @description When, in server time. */
            at: components["schemas"]["Millis"];
            /** @description Who. */
            seat: components["schemas"]["Seat"];
            /** @description What. */
            text: string;
        };
        /** @description `GET /api/admin/games/{id}/chat`: everything that was said in a game. */
        ChatLog: {
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /** @description The lines of the players, the first one first. */
            lines: components["schemas"]["LoggedLine"][];
            /** @description The players. */
            players: components["schemas"]["BySeat_Option_Player"];
            /** @description The lines of the spectators, the first one first. */
            spectators: components["schemas"]["LoggedSpectatorLine"][];
        };
        /** @description How time is counted. All spans are in milliseconds. */
        Clock: components["schemas"]["ClockFischer"] | components["schemas"]["ClockByoyomi"] | components["schemas"]["ClockPerMove"] | components["schemas"]["ClockNone"];
        /** @description A budget, then so many periods, each of which is kept if the move comes within it. */
        ClockByoyomi: {
            /** @description The budget, 0 to 10,800,000 (3 hours). */
            main_ms: components["schemas"]["Millis"];
            /** @description The length of a period, 1,000 to 600,000 (1 second to 10 minutes). */
            period_ms: components["schemas"]["Millis"];
            /**
             * Format: int32
             * @description How many periods, 1 to 100.
             */
            periods: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "byoyomi";
        };
        /** @description A budget for the game, and an increment after each own move. */
        ClockFischer: {
            /** @description Added after each move, 0 to 180,000 (3 minutes). */
            increment_ms: components["schemas"]["Millis"];
            /** @description The budget, 1,000 to 10,800,000 (1 second to 3 hours). */
            initial_ms: components["schemas"]["Millis"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "fischer";
        };
        /** @description No clock. */
        ClockNone: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "none";
        };
        /** @description The same time for every move (correspondence). */
        ClockPerMove: {
            /** @description The time for one move, 10,000 to 1,209,600,000 (10 seconds to 14 days). */
            move_ms: components["schemas"]["Millis"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "per_move";
        };
        /**
         * @description A kind of clock, as it is asked for.
         * @enum {string}
         */
        ClockWord: "fischer" | "byoyomi" | "per_move" | "none";
        /** @description Both clocks. */
        Clocks: {
            /** @description The server time at which these values were true. */
            at: components["schemas"]["Millis"];
            /** @description Why the clocks stand though it is somebody's turn; left out if they do not. */
            held?: components["schemas"]["Hold"];
            /** @description What each seat has left at `at`; left out without a clock. */
            left?: components["schemas"]["BySeat_TimeLeft"];
            /** @description Whose clock runs; left out if none does. */
            running?: components["schemas"]["Seat"];
        };
        /** @description `POST /api/reports/{id}/close`: a report has been dealt with. */
        CloseReport: {
            /** @description What is made of it. */
            outcome: components["schemas"]["ReportOutcome"];
            /** @description Why, kept in the audit log: at most 200 characters. */
            reason?: string;
        };
        /**
         * Format: uuid
         * @description A client's own 128-bit name for one command that changes a game. A client that repeats a command with the same id gets
         *     the stored answer and changes nothing; the same id with other content is a `conflict`.
         */
        CommandId: string;
        /** @description A computer player. `create_game` with its level, or with its name, begins a game against it at once. */
        Computer: {
            /** @description The game that it plays, with any rule set: what its rule sets' ids begin with, such as `xiangqi`. */
            game: string;
            /**
             * Format: int32
             * @description How well it plays, from 1 (a beginner) to 8.
             */
            level: number;
            /** @description It as a player. */
            player: components["schemas"]["Player"];
            /**
             * Format: int64
             * @description How strong it is beside the other levels of its game, in Elo points: measured in matches between neighbours, where level 1 has 800.
             *     People's ratings are another scale.
             */
            rating: number;
        };
        /** @description `GET /api/computers`: whom visitors can play against at any time. */
        Computers: {
            /** @description Every computer player, by game and level; empty if computer play is switched off. */
            computers: components["schemas"]["Computer"][];
        };
        /** @description Something that happened to the connections of a game's players. */
        ConnectionEvent: {
            /** @description When. */
            at: components["schemas"]["Millis"];
            /** @description How many moves had been played. */
            ply: components["schemas"]["Ply"];
            /** @description Who has come or gone; null for what the server did. */
            seat: components["schemas"]["Seat"] | null;
            /** @description What. */
            what: components["schemas"]["ConnectionEventKind"];
        };
        /**
         * @description What happened.
         * @enum {string}
         */
        ConnectionEventKind: "connected" | "disconnected" | "server_stopped" | "server_started" | "cut";
        /** @description How many are here. */
        Counts: {
            /**
             * Format: int64
             * @description Games that are being played.
             */
            games: number;
            /**
             * Format: int64
             * @description Players who are connected.
             */
            players: number;
        };
        /** @description `create_game`: opens a game and sits down. */
        CreateGame: {
            /** @description The command's id; creating twice with the same id creates once. */
            command: components["schemas"]["CommandId"];
            /**
             * Format: int32
             * @description Plays against the server's computer of this level, 1 (a beginner) to 8. The game begins at once, is not listed and not rated.
             */
            computer?: number;
            /** @description Options that differ from the rule set's; `GET /api/catalog` lists them. */
            options?: {
                [key: string]: components["schemas"]["OptionValue"];
            };
            /** @description With `computer`: a practice game, in which moves can be taken back and hints be asked for. */
            practice?: boolean;
            /**
             * @description Whether the result counts for the players' ratings. Both need an account, the rule set is to be played as it is, and
             *     with a clock.
             */
            rated?: boolean;
            /** @description The rule set, such as `doushouqi/booklet`; `GET /api/catalog` lists them. */
            ruleset: string;
            /** @description The creator's seat. */
            seat?: components["schemas"]["SeatChoice"];
            /** @description By how much spectators see the game later; absent: not at all. */
            spectator_delay?: components["schemas"]["SpectatorDelay"];
            /**
             * @description The position to begin with, as text, in place of the usual one (Xiangqi and Dou Shou Qi). Its quiet plies and move number are
             *     ignored. Such a game is neither rated nor listed.
             */
            start?: string;
            /** @description The time control. */
            time_control: components["schemas"]["TimeControl"];
            /** @description A challenge: the name of the player who alone may join. The game is then not listed. */
            to?: string;
            /** @description Who finds the game. */
            visibility?: components["schemas"]["Visibility"];
        };
        /** @description `POST /api/register`, and `POST /api/login`. */
        Credentials: {
            /** @description The account's name. */
            name: string;
            /** @description The account's password. */
            password: components["schemas"]["Password"];
        };
        /** @description Where the game is, so that a client that was refused can catch up. */
        Current: {
            /** @description The number of moves played. */
            ply: components["schemas"]["Ply"];
            /** @description The last event's number. */
            seq: components["schemas"]["Seq"];
        };
        /** @description How far a client has seen a game: everything up to and including `seq`. */
        Cursor: {
            /** @description The record that `seq` belongs to. */
            epoch: components["schemas"]["Epoch"];
            /** @description The last event seen; 0 for none. */
            seq: components["schemas"]["Seq"];
        };
        /** @description `GET /api/puzzles/daily`: the puzzle of the day, the same for everybody. */
        DailyPuzzle: {
            /** @description The day in UTC, such as `2026-03-31`. */
            day: string;
            /**
             * Format: int64
             * @description On how many days one after the other, up to today or yesterday, the caller has solved it.
             */
            days: number;
            /** @description The puzzle. */
            puzzle: components["schemas"]["Puzzle"];
            /** @description When the next one comes. */
            until: components["schemas"]["Millis"];
        };
        /** @description An ending that the side to move wins; `GET /api/tables` knows every move in it. */
        Drill: {
            /**
             * Format: int64
             * @description How many moves the winner needs with best play by both sides.
             */
            moves: number;
            /** @description The position, with the winner to move. */
            position: string;
            /**
             * Format: int64
             * @description How hard it is, from 0 for the easiest to 4.
             */
            step: number;
        };
        /** @description `GET /api/puzzles/drills`: endings of Dou Shou Qi to practise on. */
        Drills: {
            /** @description The drills, the easiest first. */
            drills: components["schemas"]["Drill"][];
            /** @description The rule set of all of them. */
            ruleset: string;
        };
        /**
         * @description Why a game ended (`docs/rules.md`, "In every game").
         * @enum {string}
         */
        EndReason: "den" | "elimination" | "flag" | "no_moves" | "checkmate" | "stalemate" | "repetition" | "quiet_limit" | "length_limit" | "resignation" | "timeout" | "agreement" | "abandonment" | "adjudication" | "aborted";
        /**
         * @description What tables say of a position with few animals, with best play by both sides. They know no history: nothing has occurred before, and
         *     the last move captured.
         */
        Ending: {
            /** @description The best moves of both sides to the end of the game, so many as it takes; empty for a draw. */
            line: components["schemas"]["MoveText"][];
            /** @description Every move that is legal here, the best first. */
            moves: components["schemas"]["EndingMove"][];
            /**
             * Format: int64
             * @description On which ply from here the next capture comes, or the end; null for a draw. The winner plays for few plies, the loser for many.
             */
            plies: number | null;
            /** @description The position: the board and the side to move, as a position's text begins. */
            position: string;
            /** @description The rule set. */
            ruleset: string;
            /** @description The side to move. */
            turn: components["schemas"]["Seat"];
            /** @description What the position is worth for it. */
            value: components["schemas"]["EndingValue"];
        };
        /** @description A move and what it is worth for the side that makes it. */
        EndingMove: {
            /** @description From and to. */
            move: components["schemas"]["MoveText"];
            /**
             * Format: int64
             * @description On which ply the next capture comes, or the end, this move counted; null for a draw.
             */
            plies: number | null;
            /** @description What it is worth. */
            value: components["schemas"]["EndingValue"];
        };
        /**
         * @description What a position or a move is worth.
         * @enum {string}
         */
        EndingValue: "win" | "draw" | "loss";
        /**
         * Format: int64
         * @description Which record an event number belongs to. It changes when the record may have lost something (a restored backup), and
         *     then every older cursor is void.
         */
        Epoch: number;
        /** @description The body of every error over HTTP. */
        ErrorBody: {
            /** @description What is wrong. */
            error: components["schemas"]["ApiError"];
        };
        /**
         * @description What went wrong. The list is closed: a client may match on it.
         * @enum {string}
         */
        ErrorCode: "bad_request" | "unknown_type" | "bad_value" | "unknown_ruleset" | "bad_option" | "bad_move" | "bad_setup" | "unauthenticated" | "bad_token" | "bad_credentials" | "needs_account" | "forbidden" | "banned" | "muted" | "name_taken" | "not_found" | "not_a_player" | "gone" | "paused" | "blocked" | "already_seated" | "not_started" | "game_over" | "game_running" | "already_ready" | "not_setting_up" | "not_your_turn" | "illegal_move" | "banned_move" | "stale" | "ahead" | "conflict" | "offer_open" | "too_late" | "too_early" | "rate_limited" | "limit_reached" | "maintenance" | "busy" | "not_stored" | "parked" | "elsewhere" | "restarting" | "bad_origin" | "internal";
        /** @description One event of a game as one viewer sees it. Every viewer gets every number; what a viewer may not see is `withheld`. */
        EventFrame: {
            /** @description When it happened, in server time. */
            at: components["schemas"]["Millis"];
            /** @description What happened. */
            event: components["schemas"]["GameEvent"];
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /**
             * @description The position after it, where the event changed it. Only on a live event: a client that catches up gets the last position
             *     once.
             */
            position?: components["schemas"]["Position"];
            /** @description The event's number. */
            seq: components["schemas"]["Seq"];
        };
        /** @description `GET /api/games/{id}/events`: events in order. */
        Events: {
            /** @description The events. */
            events: components["schemas"]["EventFrame"][];
            /** @description There are more: they come after this number, which is `since` of the next page. */
            next?: components["schemas"]["Seq"];
        };
        /** @description A line of `GET /api/games/export/ndjson`: a game that is over, as everybody may know it then. */
        ExportedGame: {
            /** @description As in lists. */
            game: components["schemas"]["GameSummary"];
            /** @description What the player had left after each move, of the budget, of the period, or of the move; null without a clock. */
            left_ms: components["schemas"]["Millis"][] | null;
            /** @description The moves. */
            moves: components["schemas"]["PlayedMove"][];
            /** @description In a game with setups that has come so far: what both committed to. */
            setups: components["schemas"]["BySeat_RevealedSetup"] | null;
            /** @description By how much spectators saw it later; left out for not at all. */
            spectator_delay?: components["schemas"]["SpectatorDelay"];
        };
        /**
         * @description What stands on the pieces of a picture.
         * @enum {string}
         */
        FacesWord: "characters" | "letters";
        /** @description `GET /api/account/following`: whom the caller follows. */
        Following: {
            /** @description The players: those who are online first, then the last followed first. */
            players: components["schemas"]["PlayerNow"][];
        };
        /** @description `GET /api/players/search`: players whose names contain a part. */
        FoundPlayers: {
            /** @description The players, those whose names begin with it first. */
            players: components["schemas"]["Player"][];
        };
        /**
         * @description A command that changes a game: on the socket `{"type": "move", "data": {"game": …, "command": …, "ply": 1, "move": "a3a4"}}`,
         *     over HTTP the same `type` and `data` posted to `/api/games/{id}/commands`.
         */
        GameCommand: components["schemas"]["GameCommandJoin"] | components["schemas"]["GameCommandMove"] | components["schemas"]["GameCommandResign"] | components["schemas"]["GameCommandOfferDraw"] | components["schemas"]["GameCommandAcceptDraw"] | components["schemas"]["GameCommandDeclineDraw"] | components["schemas"]["GameCommandRequestTakeback"] | components["schemas"]["GameCommandAcceptTakeback"] | components["schemas"]["GameCommandDeclineTakeback"] | components["schemas"]["GameCommandAbort"] | components["schemas"]["GameCommandDecline"] | components["schemas"]["GameCommandRematch"] | components["schemas"]["GameCommandClaimVictory"] | components["schemas"]["GameCommandReady"] | components["schemas"]["GameCommandChat"];
        /** @description Breaks the game off, as long as not both players have moved. */
        GameCommandAbort: {
            /** @description Breaks the game off, as long as not both players have moved. */
            data: components["schemas"]["Plain"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "abort";
        };
        /** @description Accepts the opponent's draw offer. */
        GameCommandAcceptDraw: {
            /** @description Accepts the opponent's draw offer. */
            data: components["schemas"]["AnswerOffer"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "accept_draw";
        };
        /** @description Agrees to the opponent's request to take moves back. */
        GameCommandAcceptTakeback: {
            /** @description Agrees to the opponent's request to take moves back. */
            data: components["schemas"]["AnswerOffer"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "accept_takeback";
        };
        /** @description Says something to the opponent. */
        GameCommandChat: {
            /** @description Says something to the opponent. */
            data: components["schemas"]["Chat"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "chat";
        };
        /** @description Claims the game of an opponent who has been away for longer than the time control's absence. */
        GameCommandClaimVictory: {
            /** @description Claims the game of an opponent who has been away for longer than the time control's absence. */
            data: components["schemas"]["Plain"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "claim_victory";
        };
        /** @description Declines a challenge, which ends the game that was opened for it. */
        GameCommandDecline: {
            /** @description Declines a challenge, which ends the game that was opened for it. */
            data: components["schemas"]["Plain"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "decline";
        };
        /** @description Declines the opponent's draw offer. */
        GameCommandDeclineDraw: {
            /** @description Declines the opponent's draw offer. */
            data: components["schemas"]["AnswerOffer"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "decline_draw";
        };
        /** @description Declines it. */
        GameCommandDeclineTakeback: {
            /** @description Declines it. */
            data: components["schemas"]["AnswerOffer"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "decline_takeback";
        };
        /** @description Takes the free seat; the game starts. */
        GameCommandJoin: {
            /** @description Takes the free seat; the game starts. */
            data: components["schemas"]["Plain"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "join";
        };
        /** @description Plays a move. */
        GameCommandMove: {
            /** @description Plays a move. */
            data: components["schemas"]["Move"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "move";
        };
        /** @description Offers a draw; the offer stands until it is answered or the opponent moves. */
        GameCommandOfferDraw: {
            /** @description Offers a draw; the offer stands until it is answered or the opponent moves. */
            data: components["schemas"]["Plain"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "offer_draw";
        };
        /** @description Says that the player's own setup is finished; play begins when both have (Luzhanqi). */
        GameCommandReady: {
            /** @description Says that the player's own setup is finished; play begins when both have (Luzhanqi). */
            data: components["schemas"]["Plain"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ready";
        };
        /** @description Offers another game with the seats changed, or accepts the opponent's offer. */
        GameCommandRematch: {
            /** @description Offers another game with the seats changed, or accepts the opponent's offer. */
            data: components["schemas"]["Plain"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "rematch";
        };
        /** @description Takes the player's own last move back: in a practice game at once, in a casual game between people when the opponent agrees. */
        GameCommandRequestTakeback: {
            /** @description Takes the player's own last move back: in a practice game at once, in a casual game between people when the opponent agrees. */
            data: components["schemas"]["Plain"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "request_takeback";
        };
        /** @description Gives up. */
        GameCommandResign: {
            /** @description Gives up. */
            data: components["schemas"]["Plain"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "resign";
        };
        /** @description What can happen in a game. */
        GameEvent: components["schemas"]["GameEventCreated"] | components["schemas"]["GameEventJoined"] | components["schemas"]["GameEventSetupBegan"] | components["schemas"]["GameEventSetupExtended"] | components["schemas"]["GameEventSetupReady"] | components["schemas"]["GameEventStarted"] | components["schemas"]["GameEventMoved"] | components["schemas"]["GameEventDrawOffered"] | components["schemas"]["GameEventDrawDeclined"] | components["schemas"]["GameEventTakebackRequested"] | components["schemas"]["GameEventTakebackDeclined"] | components["schemas"]["GameEventTakenBack"] | components["schemas"]["GameEventClocksHeld"] | components["schemas"]["GameEventClocksReleased"] | components["schemas"]["GameEventEnded"] | components["schemas"]["GameEventRevealed"] | components["schemas"]["GameEventRematchOffered"] | components["schemas"]["GameEventRematchAgreed"] | components["schemas"]["GameEventChat"] | components["schemas"]["GameEventWithheld"];
        /** @description A player said something. Only the two players see it. */
        GameEventChat: {
            /** @description Who. */
            seat: components["schemas"]["Seat"];
            /** @description What. */
            text: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "chat";
        };
        /** @description The clocks stand still, and nobody is charged. */
        GameEventClocksHeld: {
            /** @description The clocks as they stand. */
            clocks: components["schemas"]["Clocks"];
            /** @description Why. */
            reason: components["schemas"]["HoldReason"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "clocks_held";
        };
        /** @description The clocks run again. */
        GameEventClocksReleased: {
            /** @description The clocks as they run. */
            clocks: components["schemas"]["Clocks"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "clocks_released";
        };
        /** @description The game was opened. */
        GameEventCreated: {
            /** @description The creator. */
            player: components["schemas"]["Player"];
            /** @description The creator's seat. */
            seat: components["schemas"]["Seat"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "created";
        };
        /** @description The open draw offer was declined. */
        GameEventDrawDeclined: {
            /** @description Who declined. */
            seat: components["schemas"]["Seat"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "draw_declined";
        };
        /** @description A draw was offered. It stands until it is answered or the opponent moves. */
        GameEventDrawOffered: {
            /** @description Who offers. */
            seat: components["schemas"]["Seat"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "draw_offered";
        };
        /** @description The game is over. */
        GameEventEnded: {
            /** @description The clocks at the end. */
            clocks: components["schemas"]["Clocks"];
            /** @description How. */
            outcome: components["schemas"]["Outcome"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ended";
        };
        /** @description The free seat was taken. */
        GameEventJoined: {
            /** @description Who took it. */
            player: components["schemas"]["Player"];
            /** @description The seat. */
            seat: components["schemas"]["Seat"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "joined";
        };
        /** @description A move was played. */
        GameEventMoved: {
            /** @description The letter of the captured piece, if any, in the case of its owner. */
            captured?: string;
            /** @description The clocks after it. */
            clocks: components["schemas"]["Clocks"];
            /** @description The credit for lag that the server gave. */
            lag_ms: components["schemas"]["Millis"];
            /** @description The two pieces that met, if the rule set shows them. */
            met?: components["schemas"]["Met"];
            /** @description From and to. */
            move: components["schemas"]["MoveText"];
            /** @description The move's number. */
            ply: components["schemas"]["Ply"];
            /** @description Who was removed, if the move was an attack (Luzhanqi). */
            removed?: components["schemas"]["Removed"];
            /** @description Who moved. */
            seat: components["schemas"]["Seat"];
            /** @description The time that the move took, the credit for lag already taken off. */
            spent_ms: components["schemas"]["Millis"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "moved";
        };
        /** @description Both want another game: here it is. */
        GameEventRematchAgreed: {
            /** @description The new game. */
            next: components["schemas"]["GameId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "rematch_agreed";
        };
        /** @description Another game is offered, with the seats changed. */
        GameEventRematchOffered: {
            /** @description Who offers. */
            seat: components["schemas"]["Seat"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "rematch_offered";
        };
        /** @description The game has ended, and what both committed to is shown. */
        GameEventRevealed: {
            /** @description The setups with their salts. */
            setups: components["schemas"]["BySeat_RevealedSetup"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "revealed";
        };
        /** @description Both seats are taken, and both set up in secret (Luzhanqi). */
        GameEventSetupBegan: {
            /** @description The viewer's own setup to begin with, drawn at random; absent for spectators. */
            setup?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "setup_began";
            /** @description When the setups as they stand are taken, in server time. */
            until: components["schemas"]["Millis"];
        };
        /** @description There is more time to set up: the server was away. */
        GameEventSetupExtended: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "setup_extended";
            /** @description When the setups as they stand are taken now, in server time. */
            until: components["schemas"]["Millis"];
        };
        /** @description A player has finished setting up. */
        GameEventSetupReady: {
            /** @description Who. */
            seat: components["schemas"]["Seat"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "setup_ready";
        };
        /** @description Both seats are taken and both have set up: play begins. */
        GameEventStarted: {
            /** @description The clocks at the beginning. */
            clocks: components["schemas"]["Clocks"];
            /** @description In a game with setups: the SHA-256 of each side's salt and setup, in hexadecimal digits. */
            commitments?: components["schemas"]["BySeat_String"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "started";
        };
        /** @description The open request was declined. */
        GameEventTakebackDeclined: {
            /** @description Who declined. */
            seat: components["schemas"]["Seat"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "takeback_declined";
        };
        /** @description A player asks to take their last move back. The request stands until it is answered or a move is played. */
        GameEventTakebackRequested: {
            /** @description Who asks. */
            seat: components["schemas"]["Seat"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "takeback_requested";
        };
        /** @description The last moves are taken back. */
        GameEventTakenBack: {
            /** @description The clocks after it: both keep what they had. */
            clocks: components["schemas"]["Clocks"];
            /**
             * Format: int64
             * @description How many moves.
             */
            plies: number;
            /** @description Who asked for it and is on the move now. */
            seat: components["schemas"]["Seat"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "taken_back";
        };
        /** @description Something that this viewer may not see. The same for every secret, whatever its length. */
        GameEventWithheld: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "withheld";
        };
        /**
         * Format: uuid
         * @description A game. Version 7, so that ids sort by creation; for a game by link it is also the link.
         */
        GameId: string;
        /** @description What is happening around a game without being part of its record. */
        GameNotice: {
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /** @description What. */
            notice: components["schemas"]["GameNoticeKind"];
        };
        /** @description The notices about a game. */
        GameNoticeKind: components["schemas"]["GameNoticeKindPresence"] | components["schemas"]["GameNoticeKindSpectatorChat"] | components["schemas"]["GameNoticeKindSetUp"] | components["schemas"]["GameNoticeKindNotes"] | components["schemas"]["GameNoticeKindRated"] | components["schemas"]["GameNoticeKindStorageDown"] | components["schemas"]["GameNoticeKindStorageBack"] | components["schemas"]["GameNoticeKindDropped"];
        /** @description This connection gets no more events of the game: `watch` again. */
        GameNoticeKindDropped: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "dropped";
        };
        /** @description The viewer's own notes, as changed in another of the viewer's windows. */
        GameNoticeKindNotes: {
            /** @description The notes. */
            notes: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "notes";
        };
        /** @description Who is connected has changed. */
        GameNoticeKindPresence: {
            /** @description Who is connected now. */
            presence: components["schemas"]["Presence"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "presence";
        };
        /** @description The game has ended and was rated. */
        GameNoticeKindRated: {
            /** @description What it has changed. */
            ratings: components["schemas"]["BySeat_RatingChange"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "rated";
        };
        /** @description The viewer's own setup, as changed in another of the viewer's windows. */
        GameNoticeKindSetUp: {
            /** @description Six ranks, the highest of the board first. */
            setup: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "set_up";
        };
        /** @description Spectators have written messages. The players receive them when the game is over. */
        GameNoticeKindSpectatorChat: {
            /** @description What, the oldest first. */
            lines: components["schemas"]["SpectatorLine"][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "spectator_chat";
        };
        /** @description The record can be written again. */
        GameNoticeKindStorageBack: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "storage_back";
        };
        /** @description The record can't be written just now: moves are refused, clocks stand, watching goes on. */
        GameNoticeKindStorageDown: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "storage_down";
        };
        /** @description A page of games, the newest first. */
        GamePage: {
            /** @description Pass as `before` for the next page; null on the last. */
            before: components["schemas"]["GameId"] | null;
            /** @description The games. A search for what is rare can stop before the page is full, even with none: go on with `before`. */
            games: components["schemas"]["GameSummary"][];
        };
        /** @description A game in a list. */
        GameSummary: {
            /** @description When it was opened, in server time. */
            created_at: components["schemas"]["Millis"];
            /** @description When it ended. */
            ended_at: components["schemas"]["Millis"] | null;
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /** @description A challenge: the player who alone may join. */
            invited?: components["schemas"]["Player"];
            /** @description Options that differ from the rule set's. */
            options: {
                [key: string]: components["schemas"]["OptionValue"];
            };
            /** @description How it ended. */
            outcome: components["schemas"]["Outcome"] | null;
            /** @description The players; null for a free seat. */
            players: components["schemas"]["BySeat_Option_Player"];
            /** @description The number of moves played; of a running game, null. */
            plies: components["schemas"]["Ply"] | null;
            /** @description Whether the result counts for the players' ratings; left out for false. */
            rated?: boolean;
            /** @description The rule set. */
            ruleset: string;
            /** @description The position (FEN) that it begins with; left out if it is the usual one. */
            start?: string;
            /** @description Where the game is in its life. */
            status: components["schemas"]["Status"];
            /** @description The time control. */
            time_control: components["schemas"]["TimeControl"];
            /** @description Who finds the game. */
            visibility: components["schemas"]["Visibility"];
        };
        /** @description A game as it stands, for one viewer. */
        GameView: {
            /**
             * @description The shared analysis that was imported with this game: its variations and comments. Only in `GET /api/games/{id}`, once the game is
             *     over; left out for none.
             */
            analysis?: components["schemas"]["AnalysisId"];
            /** @description What the players said to each other; empty for anybody else. */
            chat: components["schemas"]["ChatLine"][];
            /** @description The clocks. */
            clocks: components["schemas"]["Clocks"];
            /** @description When the game was opened, in server time. */
            created_at: components["schemas"]["Millis"];
            /** @description How far this view goes; the next live event has the number after it. */
            cursor: components["schemas"]["Cursor"];
            /** @description The record of this game is damaged: this is the game up to there, to be looked at and not to be played. Absent for false. */
            damaged?: boolean;
            /** @description The open draw offer. */
            draw_offer: components["schemas"]["Offer"] | null;
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /** @description A challenge: the player who alone may join. */
            invited?: components["schemas"]["Player"];
            /** @description The moves so far. */
            moves: components["schemas"]["PlayedMove"][];
            /** @description The game that followed this one by a rematch. */
            next: components["schemas"]["GameId"] | null;
            /** @description What the viewer has noted on this game, seen by nobody else; absent for spectators. */
            notes?: string;
            /** @description Every option of the rule set with the value it has in this game. */
            options: {
                [key: string]: components["schemas"]["OptionValue"];
            };
            /** @description How the game ended. */
            outcome: components["schemas"]["Outcome"] | null;
            /** @description The players; null for a free seat. */
            players: components["schemas"]["BySeat_Option_Player"];
            /** @description The position, as this viewer knows it. */
            position: components["schemas"]["Position"];
            /** @description A practice game against a computer: moves can be taken back and hints asked for; left out for false. */
            practice?: boolean;
            /** @description Who is connected. */
            presence: components["schemas"]["Presence"];
            /** @description Whether the result counts for the players' ratings; left out for false. */
            rated?: boolean;
            /** @description What a rated game has changed, once it has ended. A result that was withdrawn changes nothing. */
            ratings?: components["schemas"]["BySeat_RatingChange"];
            /** @description The open rematch offer. */
            rematch_offer: components["schemas"]["Offer"] | null;
            /** @description The rule set. */
            ruleset: string;
            /** @description The server's time at this moment. */
            server_time: components["schemas"]["Millis"];
            /** @description In a game with setups: how far they are. */
            setup?: components["schemas"]["SetupView"];
            /** @description What spectators said last, at most 100 lines; for the players only once the game is over. Left out for none. */
            spectator_chat?: components["schemas"]["SpectatorLine"][];
            /** @description By how much spectators see the game later, as long as it goes on; left out for not at all. */
            spectator_delay?: components["schemas"]["SpectatorDelay"];
            /** @description The position that the game began with, if it is not the usual one; left out for the usual one. */
            start?: string;
            /** @description Where the game is in its life. */
            status: components["schemas"]["Status"];
            /** @description The open request of a player to take moves back; left out for none. */
            takeback_request?: components["schemas"]["Offer"];
            /** @description How often moves have been taken back, and how many they were; left out for never. */
            takebacks?: components["schemas"]["Takebacks"];
            /** @description The time control, its defaults filled in. */
            time_control: components["schemas"]["TimeControl"];
            /** @description Who finds the game. */
            visibility: components["schemas"]["Visibility"];
            /** @description The viewer's own seat; null for a spectator. */
            you: components["schemas"]["Seat"] | null;
        };
        /** @description A new identity. */
        Guest: {
            /** @description Who this is. */
            player: components["schemas"]["Player"];
            /** @description The secret that proves it; shown once. */
            token: components["schemas"]["Token"];
        };
        /** @description What two players have made of each other. Games that were broken off or decided by a moderator are not in it. */
        HeadToHead: {
            /** @description The other. */
            against: components["schemas"]["PlayerId"];
            /** @description The player. */
            player: components["schemas"]["PlayerId"];
            /** @description What the player has won, drawn and lost, by rule set and seat. */
            results: components["schemas"]["Tally"][];
        };
        /** @description `hello`: who is there. The first message of a connection, within 10 seconds; or `guest`. */
        Hello: {
            /** @description The token of an identity. Absent: the identity of the connection's cookie, or none (a spectator). */
            token?: components["schemas"]["Token"];
        };
        /** @description What the computer thinks, as far as the player may know the position. */
        Hint: {
            /** @description The move that was asked about; absent if none was. */
            asked?: components["schemas"]["JudgedMove"];
            /** @description The best move that was found. */
            best: components["schemas"]["WeighedMove"];
            /** @description The number of the move that is advised. */
            ply: components["schemas"]["Ply"];
        };
        /** @description What a player who is on the move in a practice game wants to know. */
        HintRequest: {
            /** @description A move to be weighed before it is played, such as `a3a4`; absent: only the best is asked for. */
            move?: string;
        };
        /**
         * @description What brings a change about.
         * @enum {string}
         */
        HistoryKind: "played" | "withdrawn" | "revised";
        /** @description One change in a player's history. */
        HistoryPoint: {
            /**
             * Format: int32
             * @description The rating after, in points.
             */
            after: number;
            /** @description When. */
            at: components["schemas"]["Millis"];
            /**
             * Format: int32
             * @description The rating before, in points.
             */
            before: number;
            /**
             * Format: int32
             * @description Its standard deviation, in points.
             */
            deviation: number;
            /** @description The game; null for a game by link of which you are no player. */
            game: components["schemas"]["GameId"] | null;
            /** @description What brought it about. */
            kind: components["schemas"]["HistoryKind"];
            /**
             * Format: int64
             * @description Its number: 1, 2, 3 … without gaps.
             */
            number: number;
        };
        /** @description Clocks standing still. */
        Hold: {
            /** @description Why. */
            reason: components["schemas"]["HoldReason"];
            /** @description When they run again at the latest, in server time; at once when both players are there. */
            until: components["schemas"]["Millis"];
        };
        /**
         * @description Why clocks stand.
         * @enum {string}
         */
        HoldReason: "start" | "restart" | "storage";
        /** @description One's own place in a pool. */
        InPool: {
            /** @description What it is cancelled by, or asked after. */
            id: components["schemas"]["SeekId"];
            /** @description Whether the results count. */
            rated?: boolean;
            /** @description The rule set. */
            ruleset: string;
            /** @description Since when, in server time. */
            since: components["schemas"]["Millis"];
            /** @description The time control's name. */
            time: string;
        };
        /** @description A new API token. The secret is shown this once. */
        IssuedToken: {
            /** @description Everything about it. */
            about: components["schemas"]["ApiToken"];
            /** @description The secret. */
            token: components["schemas"]["Token"];
        };
        /** @description A game that may be stored nowhere. `qiguan check` reads the same, a line each. */
        JudgeRequest: {
            /**
             * @description Every move from there on, such as `a3a4`; an empty list for none. `takeback` in its place takes the last one that stands back, at
             *     most 20 times.
             */
            moves: string[];
            /** @description Options that differ from the rule set's. */
            options?: {
                [key: string]: components["schemas"]["OptionValue"];
            };
            /**
             * @description Who was removed by each move (Luzhanqi). Needed where `start` has covered pieces (`U`, `u`) and an attack can end in several ways;
             *     elsewhere it is compared with the rules. Null for nobody, or where it is not needed; at most as long as `moves`, and what is missing
             *     counts as null.
             */
            removed?: (components["schemas"]["Removed"] | null)[];
            /** @description The rule set, such as `doushouqi/booklet`; `GET /api/catalog` lists them. */
            ruleset: string;
            /** @description Both sides' setups, in Luzhanqi alone. */
            setups?: components["schemas"]["JudgeSetups"];
            /**
             * @description The position to begin with, as text; absent: the usual one. Luzhanqi has none, and needs this or `setups`; `U` and `u` in it
             *     are covered pieces, which may do what some piece could.
             */
            start?: string;
        };
        /** @description Two setups: six ranks each, the highest of the board first. */
        JudgeSetups: {
            /** @description The first seat's. */
            first: string;
            /** @description The second seat's. */
            second: string;
        };
        /** @description A move, and how good it is beside the best. */
        JudgedMove: {
            /**
             * Format: int64
             * @description The chance to win after it, in thousandths.
             */
            chance: number;
            /**
             * Format: int64
             * @description By how much less that is than after the best move, in thousandths.
             */
            loss: number;
            /** @description From and to. */
            move: components["schemas"]["MoveText"];
            /** @description What that makes of the move. */
            verdict: components["schemas"]["Verdict"];
        };
        /** @description What the rules say after the last move. */
        Judgement: {
            /** @description The legal moves that are attacks, with who could be removed by each; left out where every piece is known. */
            attacks?: components["schemas"]["PossibleAttack"][];
            /** @description Moves that would be legal but for a ban; empty once the game has ended. */
            banned: components["schemas"]["BannedMove"][];
            /** @description Whether it is in check (Xiangqi). */
            check: boolean;
            /** @description The position, with every identity that is known. */
            fen: string;
            /** @description The legal moves, sorted as text; empty once the game has ended. */
            legal: components["schemas"]["MoveText"][];
            /** @description How the game has ended; null while it goes on. */
            outcome: components["schemas"]["Outcome"] | null;
            /** @description The side to move. */
            turn: components["schemas"]["Seat"];
            /** @description The position as each seat knows it, for two who share a screen; null where nothing is hidden, and once the game has ended. */
            views: components["schemas"]["SeatPositions"] | null;
        };
        /** @description What is kept of a puzzle that a player has tried. */
        KeptAttempt: {
            /**
             * Format: int32
             * @description And after it: a puzzle counts once.
             */
            after: number;
            /** @description When it was tried first. */
            at: components["schemas"]["Millis"];
            /**
             * Format: int32
             * @description The player's rating before the first try.
             */
            before: number;
            /** @description The puzzle. */
            puzzle: components["schemas"]["PuzzleId"];
            /** @description What became of it. */
            result: components["schemas"]["PuzzleResult"];
            /** @description Its rule set. */
            ruleset: string;
        };
        /** @description A page of a leaderboard, the strongest first. On it are players whose rating is not provisional and who have played of late. */
        Leaderboard: {
            /** @description The `after` of the next page; null if this is the last. */
            after: string | null;
            /** @description The players with their ratings. */
            leaders: components["schemas"]["Player"][];
            /** @description The rule set. */
            ruleset: string;
        };
        /**
         * @description `POST /api/players/{id}/limit`: shadowbans a player, who is then only matched with other shadowbanned players, and whose chat
         *     is shown to nobody else.
         */
        Limit: {
            /** @description Why, for the audit log; the player does not see it: 1 to 200 characters. */
            reason: string;
        };
        /** @description A running game, as spectators know it. */
        LiveGame: {
            /** @description When it was opened, in server time. */
            created_at: components["schemas"]["Millis"];
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /** @description Options that differ from the rule set's. */
            options: {
                [key: string]: components["schemas"]["OptionValue"];
            };
            /** @description The players. */
            players: components["schemas"]["BySeat_Player"];
            /** @description The number of moves played. */
            ply: components["schemas"]["Ply"];
            /** @description Whether the result counts for the players' ratings; left out for false. */
            rated?: boolean;
            /** @description The rule set. */
            ruleset: string;
            /**
             * Format: int64
             * @description How many watch without a seat.
             */
            spectators: number;
            /** @description The time control. */
            time_control: components["schemas"]["TimeControl"];
        };
        /** @description `GET /api/live`: games of the public in which play goes on, those of the highest rated players first. */
        LiveGames: {
            /** @description The first of them. */
            games: components["schemas"]["LiveGame"][];
            /**
             * Format: int64
             * @description How many there are in all.
             */
            total: number;
        };
        /** @description What changes with every move, for a client that catches up. */
        LiveState: {
            /** @description The clocks. */
            clocks: components["schemas"]["Clocks"];
            /** @description What the viewer has noted on this game. */
            notes?: string;
            /** @description The position, as this viewer knows it. */
            position: components["schemas"]["Position"];
            /** @description Who is connected. */
            presence: components["schemas"]["Presence"];
            /** @description What a rated game has changed, once it has ended. */
            ratings?: components["schemas"]["BySeat_RatingChange"];
            /** @description The server's time at this moment. */
            server_time: components["schemas"]["Millis"];
            /** @description In a game with setups: how far they are. */
            setup?: components["schemas"]["SetupView"];
            /** @description What spectators said last, in place of what was known of it; as in a view. */
            spectator_chat?: components["schemas"]["SpectatorLine"][];
        };
        /** @description The lobby as it stands, for one visitor. */
        Lobby: {
            /** @description Challenges that the visitor has got, and those that the visitor has made, which nobody has answered. */
            challenges: components["schemas"]["GameSummary"][];
            /** @description How many are here. */
            counts: components["schemas"]["Counts"];
            /**
             * Format: int64
             * @description How many more there are.
             */
            more: number;
            /** @description The visitor's own places in pools. */
            own_pools: components["schemas"]["InPool"][];
            /** @description The visitor's own seeks. */
            own_seeks: components["schemas"]["Seek"][];
            /** @description The games that the visitor is playing. */
            playing: components["schemas"]["GameId"][];
            /** @description Pools in which somebody waits. */
            pools: components["schemas"]["Pool"][];
            /** @description Open seeks, the oldest first, at most 200 of them. */
            seeks: components["schemas"]["Seek"][];
            /** @description The server's time at this moment. */
            server_time: components["schemas"]["Millis"];
        };
        /** @description What the lobby tells: `{"lobby": {"type": …}}`. */
        LobbyNotice: {
            /** @description What. */
            lobby: components["schemas"]["LobbyNoticeKind"];
        };
        /** @description The notices of the lobby. */
        LobbyNoticeKind: components["schemas"]["LobbyNoticeKindChanged"] | components["schemas"]["LobbyNoticeKindPaired"] | components["schemas"]["LobbyNoticeKindChallenged"] | components["schemas"]["LobbyNoticeKindChallengeClosed"] | components["schemas"]["LobbyNoticeKindSeekEnded"] | components["schemas"]["LobbyNoticeKindReset"];
        /** @description To every connection of both: a challenge is not open any more. It was accepted, declined or taken back. */
        LobbyNoticeKindChallengeClosed: {
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "challenge_closed";
        };
        /** @description To every connection of a player who is challenged. */
        LobbyNoticeKindChallenged: {
            /** @description The open game: `join` it or `decline`. */
            game: components["schemas"]["GameSummary"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "challenged";
        };
        /** @description To everybody in the lobby: what has changed, at most four times a second. */
        LobbyNoticeKindChanged: {
            /** @description Seeks that are open now. One may come that was known. */
            added?: components["schemas"]["Seek"][];
            /** @description How many are here; left out if that is as before. */
            counts?: components["schemas"]["Counts"];
            /** @description Pools in which another number waits. */
            pools?: components["schemas"]["Pool"][];
            /** @description Seeks that are not open any more. One may come that was not known. */
            removed?: components["schemas"]["SeekId"][];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "changed";
        };
        /** @description To every connection of both players: a game has begun of a seek or in a pool. All other seeks of both are gone. */
        LobbyNoticeKindPaired: {
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /** @description Those of the receiver's own seeks that it came of; null for the player who accepted one. */
            seek: components["schemas"]["SeekId"] | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "paired";
        };
        /** @description To everybody in the lobby, and to owners of seeks: the lobby has restarted. Enter it again, and seek again. */
        LobbyNoticeKindReset: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reset";
        };
        /** @description To every connection of a player: an own seek has ended by itself, since the player may not play what it was for. */
        LobbyNoticeKindSeekEnded: {
            /** @description Why. */
            error: components["schemas"]["ApiError"];
            /** @description The seek. */
            seek: components["schemas"]["SeekId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "seek_ended";
        };
        /** @description A line of chat as moderators see it. */
        LoggedLine: {
            /** @description When it was said. */
            at: components["schemas"]["Millis"];
            /** @description How many moves had been played. */
            ply: components["schemas"]["Ply"];
            /** @description Who said it. */
            seat: components["schemas"]["Seat"];
            /** @description The number of its event. */
            seq: components["schemas"]["Seq"];
            /** @description Whether nobody else has heard it, since the player was limited. */
            shadow_muted?: boolean;
            /** @description What; empty if the server has not kept it. */
            text: string;
        };
        /** @description Something that a spectator said, as moderators see it. */
        LoggedSpectatorLine: {
            /** @description When it was said. */
            at: components["schemas"]["Millis"];
            /**
             * Format: int64
             * @description Its number at this game.
             */
            number: number;
            /** @description Who said it. */
            player: components["schemas"]["Player"];
            /** @description Whether nobody else has heard it, since the player was limited. */
            shadow_muted?: boolean;
            /** @description What. */
            text: string;
        };
        /** @description That no new games can be opened. */
        Maintenance: {
            /** @description Why, and perhaps for how long. */
            message: string;
            /** @description Since when. */
            since: components["schemas"]["Millis"];
        };
        /** @description `GET /api/me`: whom the server takes one for. */
        Me: {
            /** @description Whether this is a guest, without password. */
            guest: boolean;
            /** @description The player. */
            id: components["schemas"]["PlayerId"];
            /** @description The name. */
            name: string;
            /** @description What the player may do here. */
            role: components["schemas"]["Role"];
            /** @description What this token may be used for. A session's are all. */
            scopes: components["schemas"]["Scope"][];
        };
        /** @description Two pieces that met, where the rule set shows them. */
        Met: {
            /** @description The attacker's letter, in the case of its owner. */
            attacker: string;
            /** @description The attacked piece's letter, in the case of its owner. */
            defender: string;
        };
        /**
         * Format: int64
         * @description Milliseconds: a span, or, where the field's name says so, a point in server time (since 1970-01-01 UTC).
         */
        Millis: number;
        /** @description The data of `move`. */
        Move: {
            /** @description The command's id. */
            command: components["schemas"]["CommandId"];
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /** @description From and to, such as `a3a4`. */
            move: string;
            /** @description The number that this move will have, from 1: a tab that has missed a move can't play on an old position. */
            ply: components["schemas"]["Ply"];
        };
        /** @description How good a move was. */
        MoveReview: {
            /** @description The best move that was found. */
            best: components["schemas"]["MoveText"];
            /**
             * Format: int64
             * @description Its player's chance to win after it, in thousandths: 0 is lost, 1000 won.
             */
            chance: number;
            /** @description What the best move leads to, itself first; left out for a good move, and where nobody looked further. */
            line?: components["schemas"]["MoveText"][];
            /**
             * Format: int64
             * @description By how much less that is than after the best move, in thousandths.
             */
            loss: number;
            /** @description What that makes of the move. */
            verdict: components["schemas"]["Verdict"];
        };
        MoveText: string;
        /** @description `POST /api/players/{id}/mute`: a player may not chat, neither at games nor among spectators. */
        Mute: {
            /** @description The reason, shown to the player: 1 to 200 characters. */
            reason: string;
            /** @description Until when; left out: for good. */
            until?: components["schemas"]["Millis"];
        };
        /** @description `POST /api/account/password`. */
        NewPassword: {
            /** @description The password from now on. */
            new: components["schemas"]["Password"];
            /** @description The password until now. */
            old: components["schemas"]["Password"];
            /** @description Whether the tokens for programs end as well; left out, they do. */
            revoke_tokens?: boolean;
        };
        /** @description `POST /api/reports`: tells the moderators of a player. */
        NewReport: {
            /** @description The game it is about. */
            game?: components["schemas"]["GameId"];
            /** @description Of whom. */
            player: components["schemas"]["PlayerId"];
            /** @description What is wrong. */
            reason: components["schemas"]["ReportReason"];
            /** @description The event in that game, such as a line of chat. */
            seq?: components["schemas"]["Seq"];
            /** @description What else there is to say: at most 1000 characters. */
            text?: string;
        };
        /** @description `PUT /api/players/{id}/role`. */
        NewRole: {
            /** @description Why, kept in the audit log: at most 200 characters. */
            reason?: string;
            /** @description What the player may do from now on. */
            role: components["schemas"]["Role"];
        };
        /** @description `POST /api/account/tokens`. */
        NewToken: {
            /**
             * Format: int32
             * @description After how many days it ends, 1 to 3650. Left out: never.
             */
            days?: number;
            /** @description What it is for, in its owner's words: 1 to 40 characters. */
            name: string;
            /** @description What it may be used for; at least one. */
            scopes: components["schemas"]["Scope"][];
        };
        /**
         * @description A way to write moves of Xiangqi.
         * @enum {string}
         */
        NotationWord: "squares" | "iccs" | "wxf" | "chinese";
        /** @description `note`: keeps the player's own notes on a game, in place of those before. Nobody else ever sees them. */
        Note: {
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /** @description The notes, at most 4,000 bytes; what they mean is the client's affair. */
            notes: string;
        };
        /** @description A request without fields: `guest`, `ping`. */
        Nothing: Record<string, never>;
        /** @description Something to read. */
        Notice: {
            /** @description Since when it stands. */
            since: components["schemas"]["Millis"];
            /** @description What it says. */
            text: string;
            /** @description When it ends. */
            until: components["schemas"]["Millis"];
        };
        /** @description An open offer. */
        Offer: {
            /** @description Who offers. */
            seat: components["schemas"]["Seat"];
            /** @description The event that made it. */
            seq: components["schemas"]["Seq"];
        };
        /** @description `GET /api/players/online`: players with an account who are online and show it. */
        OnlinePlayers: {
            /** @description The players, those who came last first. */
            players: components["schemas"]["PlayerNow"][];
        };
        /**
         * @description What games have made of a position. Counted are ended games for everybody, some moments after their end; not those that were aborted,
         *     and not those with other options than their rule set's.
         */
        Opening: {
            /** @description What was played when a game reached it first, the most often played first. */
            moves: components["schemas"]["OpeningMove"][];
            /** @description The games that were opened last among those that have reached it, at most 5. */
            newest: components["schemas"]["GameSummary"][];
            /** @description The position: the board and the side to move, as a position's text begins. In Luzhanqi the pieces are covered. */
            position: string;
            /** @description What came of all games that have reached it. A game that has come back to it counts once. */
            results: components["schemas"]["OpeningResults"];
            /** @description The rule set. */
            ruleset: string;
        };
        /** @description A move that was played in a position. */
        OpeningMove: {
            /** @description From and to. */
            move: components["schemas"]["MoveText"];
            /** @description What came of it. */
            results: components["schemas"]["OpeningResults"];
        };
        /** @description What came of games. */
        OpeningResults: {
            /**
             * Format: int64
             * @description Drawn.
             */
            draws: number;
            /**
             * Format: int64
             * @description Won by the first seat.
             */
            first: number;
            /**
             * Format: int64
             * @description How many games.
             */
            games: number;
            /**
             * Format: int32
             * @description The mean of the players' ratings as they sat down, in games both of whose players had one; null without such games.
             */
            mean_rating: number | null;
            /**
             * Format: int64
             * @description Won by the second seat.
             */
            second: number;
        };
        /**
         * @description Something that is not for everybody.
         * @enum {string}
         */
        Operation: "create_admin" | "set_password" | "change_role" | "import_role" | "import_token" | "ban" | "unban" | "rename" | "mute" | "unmute" | "limit" | "unlimit" | "withdraw" | "restore" | "adjudicate" | "read_player" | "read_chat" | "list_games" | "see_game" | "start_maintenance" | "end_maintenance" | "put_up_notice" | "take_down_notice" | "read_reports" | "close_report" | "delete_analysis" | "read_audit";
        /** @description An option's value in `create_game`. */
        OptionValue: boolean | number | string;
        /** @description How a game ended. */
        Outcome: {
            /** @description Why. */
            reason: components["schemas"]["EndReason"];
            /** @description The winner; null for a draw and for an aborted game (`reason` tells which). */
            winner: components["schemas"]["Seat"] | null;
        };
        /** @description `GET /api/admin/games/{id}`: a game as the referee knows it, also while it goes on. */
        OverseenGame: {
            /** @description When the players came and went while the game was not over, the earliest first. */
            connections: components["schemas"]["ConnectionEvent"][];
            /** @description When the game ended. */
            ended_at: components["schemas"]["Millis"] | null;
            /** @description Every move with its time. */
            moves: components["schemas"]["OverseenMove"][];
            /** @description In a game with setups: both, as they were taken, or as they stand while the players set up. */
            setups: components["schemas"]["BySeat_String"] | null;
            /** @description When play began. */
            started_at: components["schemas"]["Millis"] | null;
            /** @description The turn that no move has ended; null before play began, and after a move that ended the game. */
            turn: components["schemas"]["OverseenTurn"] | null;
            /** @description The game as spectators see it, but for the position, which has every identity. */
            view: components["schemas"]["GameView"];
        };
        /** @description A move as the referee knows it, and how long it took. */
        OverseenMove: {
            /** @description How long after the move before it, or after play began, whatever the clocks did. */
            after_ms: components["schemas"]["Millis"];
            /** @description When it happened. */
            at: components["schemas"]["Millis"];
            /**
             * @description How long the player was not connected during this turn, but for when the server was not there or the clocks stood; null if
             *     that is not known.
             */
            away_ms: components["schemas"]["Millis"] | null;
            /** @description The position after it, with every identity. */
            fen: string;
            /** @description What was taken off for the way of the message. */
            lag_ms: components["schemas"]["Millis"];
            /** @description What both have left after it; null without a clock. */
            left: components["schemas"]["BySeat_TimeLeft"] | null;
            /** @description The move. */
            move: components["schemas"]["MoveText"];
            /** @description Its number, from 1. */
            ply: components["schemas"]["Ply"];
            /** @description Who made it. */
            seat: components["schemas"]["Seat"];
            /** @description What it cost on the clock. */
            spent_ms: components["schemas"]["Millis"];
        };
        /** @description The last turn of a game, until now or until the end. */
        OverseenTurn: {
            /** @description How long it has taken, whatever the clocks did. */
            after_ms: components["schemas"]["Millis"];
            /** @description As in [`OverseenMove`]. */
            away_ms: components["schemas"]["Millis"] | null;
            /** @description Who is or was on the move. */
            seat: components["schemas"]["Seat"];
        };
        /** @description A running game of the player, as it stands after its event `seq`. */
        OwnGame: {
            /** @description Both clocks. */
            clocks: components["schemas"]["Clocks"];
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /** @description The other player. */
            opponent: components["schemas"]["Player"];
            /** @description The rule set. */
            ruleset: string;
            /** @description The number of its last event: of two descriptions the one with the higher number is newer. */
            seq: components["schemas"]["Seq"];
            /** @description When the setups as they stand are taken, in server time; left out when nobody sets up. */
            setup_until?: components["schemas"]["Millis"];
            /** @description `playing`, or `ended` once it is over. */
            status: components["schemas"]["Status"];
            /** @description The time control. */
            time_control: components["schemas"]["TimeControl"];
            /** @description The player's seat. */
            you: components["schemas"]["Seat"];
            /** @description Whether the game waits for the player: for a move, or for their setup. */
            your_turn: boolean;
        };
        /** @description In the stream of `GET /api/me/stream`: what was there already has been told, and all that follows is new. */
        OwnStreamNotice: {
            /** @description Whose stream this is, and since when. */
            me: components["schemas"]["OwnStreamNow"];
        };
        /** @description Whose stream it is. */
        OwnStreamNow: {
            /** @description The player. */
            player: components["schemas"]["Player"];
            /** @description Now, in server time. */
            server_time: components["schemas"]["Millis"];
        };
        /**
         * Format: password
         * @description A password on its way. It has no `Debug` and no `Display`: [`Password::reveal`] is the only way out.
         */
        Password: string;
        /** @description The player whose password was changed, with the new session's token. It is shown this once; browsers also get it as a cookie. */
        PasswordChanged: {
            /** @description The account. */
            player: components["schemas"]["Player"];
            /**
             * Format: int64
             * @description How many tokens for programs have ended with the old password.
             */
            revoked_tokens: number;
            /** @description Proves the identity from now on. */
            token: components["schemas"]["Token"];
        };
        /**
         * @description From whose perspective a game that is over is shown.
         * @enum {string}
         */
        Perspective: "first" | "second" | "spectators" | "referee";
        /** @description The data of a command that needs no more than the game and its own id. */
        Plain: {
            /** @description The command's id. */
            command: components["schemas"]["CommandId"];
            /** @description The game. */
            game: components["schemas"]["GameId"];
        };
        /** @description A move of the list. */
        PlayedMove: {
            /** @description The letter of the captured piece, if any. */
            captured?: string;
            /** @description The two pieces that met, if the rule set shows them. */
            met?: components["schemas"]["Met"];
            /** @description From and to. */
            move: components["schemas"]["MoveText"];
            /** @description The move's number. */
            ply: components["schemas"]["Ply"];
            /** @description Who was removed, if the move was an attack (Luzhanqi). */
            removed?: components["schemas"]["Removed"];
            /** @description The time that the move took, the credit for lag taken off. */
            spent_ms: components["schemas"]["Millis"];
        };
        /** @description A player as others see them. */
        Player: {
            /** @description Whether this is a program; left out for false. */
            bot?: boolean;
            /**
             * Format: int32
             * @description A computer player of the server: its level, 1 to 8; left out for everybody else.
             */
            computer?: number;
            /** @description The player's id. */
            id: components["schemas"]["PlayerId"];
            /** @description The shown name. */
            name: string;
            /** @description In a game: the rating in its rule set when it was joined; left out for guests. */
            rating?: components["schemas"]["Rating"];
        };
        /**
         * Format: uuid
         * @description A player: a guest or an account.
         */
        PlayerId: string;
        /** @description A player as they are just now. */
        PlayerNow: {
            /** @description Whether the player is connected, and shows it. */
            online: boolean;
            /** @description The player. */
            player: components["schemas"]["Player"];
            /** @description The games of the player that go on and that you may watch, the oldest first; empty if the player is not shown as online. */
            playing: components["schemas"]["GameId"][];
            /** @description The ratings, by rule set. */
            ratings: components["schemas"]["RuleSetRating"][];
        };
        /** @description Where a player is: `GET /api/players/{id}/presence`. */
        PlayerPresence: {
            /** @description Whether there is a connection. */
            online: boolean;
            /** @description Who. */
            player: components["schemas"]["PlayerId"];
            /** @description The games that the player is playing; games by link are shown to their players only. */
            playing: components["schemas"]["GameId"][];
        };
        /** @description `GET /api/admin/players/{id}`: what moderators have decided of a player. */
        PlayerStanding: {
            /** @description The ban that holds now. */
            ban: components["schemas"]["Sanction"] | null;
            /** @description When the account was deleted. */
            deleted_at: components["schemas"]["Millis"] | null;
            /** @description Since when the player has been shadowbanned. */
            limited_at: components["schemas"]["Millis"] | null;
            /** @description The mute that holds now. */
            mute: components["schemas"]["Sanction"] | null;
            /** @description The name. */
            name: string;
            /** @description The player. */
            player: components["schemas"]["PlayerId"];
            /** @description What the player is here. */
            role: components["schemas"]["Role"];
            /** @description Since when the player has an account; null for a guest. */
            since: components["schemas"]["Millis"] | null;
        };
        /**
         * Format: int64
         * @description A move's number in its game, from 1; 0 before the first.
         */
        Ply: number;
        /** @description A pool. */
        Pool: {
            /** @description Whether the results count. */
            rated?: boolean;
            /** @description The rule set. */
            ruleset: string;
            /** @description The time control's name, such as `5+3`. */
            time: string;
            /**
             * Format: int64
             * @description How many wait.
             */
            waiting: number;
        };
        /** @description Every pool. */
        Pools: {
            /** @description The pools. */
            pools: components["schemas"]["Pool"][];
            /** @description The time controls by name. */
            times: {
                [key: string]: components["schemas"]["TimeControl"];
            };
        };
        /** @description A position as one viewer knows it. */
        Position: {
            /** @description Moves that would be legal but for a ban, for the player on the move alone; left out for none. */
            banned?: components["schemas"]["BannedMove"][];
            /** @description Whether the side to move is in check (Xiangqi); left out for false. */
            check?: boolean;
            /** @description The position in the notation of the rules. */
            fen: string;
            /** @description The legal moves, for the player on the move alone; absent for everybody else. */
            legal?: components["schemas"]["MoveText"][];
            /** @description The moves played. */
            ply: components["schemas"]["Ply"];
            /** @description The side to move. */
            turn: components["schemas"]["Seat"];
        };
        /** @description A position of a stored game. */
        PositionAtPly: {
            /** @description Whether the side to move is in check (Xiangqi's); left out for false. */
            check?: boolean;
            /** @description The position in the notation of the rules. */
            fen: string;
            /** @description The move that led here; null at the start. */
            move: components["schemas"]["MoveText"] | null;
            /** @description The moves played. */
            ply: components["schemas"]["Ply"];
        };
        /** @description What the computer thinks of a position that is stored nowhere. */
        PositionHint: {
            /** @description The best moves that were found, at most three, the best first. */
            best: components["schemas"]["WeighedLine"][];
            /** @description The side to move. */
            turn: components["schemas"]["Seat"];
        };
        /** @description Every position of a game. */
        Positions: {
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /** @description There are more: they begin with this ply, which is `from` of the next page. */
            next?: components["schemas"]["Ply"];
            /** @description The position after each ply, the start first. */
            positions: components["schemas"]["PositionAtPly"][];
        };
        /** @description An attack in which pieces meet that may not be known. */
        PossibleAttack: {
            /** @description The move. */
            move: components["schemas"]["MoveText"];
            /** @description Who could be removed. */
            removed: components["schemas"]["Removed"][];
        };
        /** @description Who is connected to a game. */
        Presence: {
            /** @description The players. */
            players: components["schemas"]["BySeat_SeatPresence"];
            /**
             * Format: int64
             * @description How many others watch; sent at most once a second.
             */
            spectators: number;
        };
        /** @description `GET` and `PUT /api/account/presence`: whether others see the caller online. */
        PresenceShown: {
            /** @description True unless the caller has chosen otherwise. */
            shown: boolean;
        };
        /** @description A player's profile. */
        Profile: {
            /** @description Whether the account was deleted; left out for false. */
            deleted?: boolean;
            /** @description The player. */
            id: components["schemas"]["PlayerId"];
            /** @description The name of now. */
            name: string;
            /** @description The ratings, by rule set. */
            ratings: components["schemas"]["RuleSetRating"][];
            /** @description Games won, drawn and lost, by rule set and seat. Games by link are not counted. */
            results: components["schemas"]["Tally"][];
            /** @description What the player is here. */
            role: components["schemas"]["Role"];
            /** @description Since when the player has an account; null for guests. */
            since: components["schemas"]["Millis"] | null;
        };
        /** @description A device that is told of something. */
        PushDevice: {
            /** @description Where messages for it are sent to. */
            endpoint: string;
            /** @description What it is told of. */
            kinds: components["schemas"]["PushKinds"];
            /** @description Its language. */
            language: string;
        };
        /** @description `GET /api/push/key`. */
        PushKey: {
            /**
             * @description The server's public key as browsers take it (`applicationServerKey`): a point of P-256, 65 bytes in base64url. Null where the
             *     server sends nothing.
             */
            key: string | null;
        };
        /**
         * @description What a message is about.
         * @enum {string}
         */
        PushKind: "turn" | "challenge" | "pairing";
        /** @description What a device is told of. */
        PushKinds: {
            /** @description Somebody challenges the player. */
            challenges: boolean;
            /** @description A search that was begun on this device has found an opponent. */
            pairings: boolean;
            /** @description A correspondence game waits for the player. */
            turns: boolean;
        };
        /** @description A message to a device, as it is encrypted for it. It says nothing of what stands on the board. */
        PushMessage: {
            /** @description When it became so, in server time. */
            at: components["schemas"]["Millis"];
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /** @description What it is about. */
            kind: components["schemas"]["PushKind"];
            /** @description The language in which the device is to say it, as the device has named it. */
            language: string;
            /** @description The name of the other player. */
            opponent: string;
            /** @description The rule set. */
            ruleset: string;
        };
        /** @description `GET /api/account/push`. */
        PushStatus: {
            /** @description The caller's device; null if it is told of nothing. */
            device: components["schemas"]["PushDevice"] | null;
        };
        /** @description Notes to take the place of the caller's own. */
        PutNotes: {
            /** @description The notes, at most 4,000 bytes; what they mean is the client's affair. */
            notes: string;
        };
        /** @description A setup to take the place of the caller's own. */
        PutSetup: {
            /** @description Six ranks from the top of the board down, in the case of the caller's seat. */
            setup: string;
        };
        /** @description `PUT /api/admin/notice`: shows a notice to everybody, replacing the current one. */
        PutUpNotice: {
            /**
             * Format: int32
             * @description For how many minutes later visitors see it as well: 1 to 10080.
             */
            minutes: number;
            /** @description Why, for the audit log: at most 200 characters. */
            reason?: string;
            /** @description What it says: 1 to 300 characters. */
            text: string;
        };
        /** @description A puzzle, without its solution. */
        Puzzle: {
            /** @description What is to be reached. */
            aim: components["schemas"]["PuzzleAim"];
            /** @description The puzzle's id. */
            id: components["schemas"]["PuzzleId"];
            /**
             * Format: int64
             * @description How many moves there are to find.
             */
            moves: number;
            /** @description The opponent's move, after which the solver has to find one. */
            opponent: components["schemas"]["MoveText"];
            /** @description What the rules say after it. */
            position: components["schemas"]["Judgement"];
            /**
             * Format: int32
             * @description How hard it is: an estimate until somebody has tried it.
             */
            rating: number;
            /** @description What the caller has made of it; null if it was not tried. */
            result: components["schemas"]["PuzzleResult"] | null;
            /** @description The rule set. */
            ruleset: string;
            /** @description The solution, the solver's moves and the answers by turns, once the caller has found it or asked for it; null before. */
            solution: components["schemas"]["MoveText"][] | null;
            /** @description The position before the opponent's move. Nothing has occurred before it. */
            start: string;
        };
        /**
         * @description What each move of a solution reaches, and no other move does.
         * @enum {string}
         */
        PuzzleAim: "win" | "save";
        /** @description What becomes of an attempt. */
        PuzzleAnswer: {
            /** @description What answers it; null if nothing does, and to a wrong move also while the server's computers are off or busy. */
            answer: components["schemas"]["MoveText"] | null;
            /** @description What is kept of it for the caller; null for a caller without an identity. */
            kept: components["schemas"]["KeptAttempt"] | null;
            /** @description What the rules say after the move and its answer. */
            position: components["schemas"]["Judgement"];
            /** @description The whole solution, the solver's moves and the answers by turns, once it was found or asked for; null before. */
            solution: components["schemas"]["MoveText"][] | null;
            /** @description What the last move is. */
            verdict: components["schemas"]["PuzzleVerdict"];
        };
        /** @description `POST /api/puzzles/{id}/attempts`: the solver's moves so far, or the wish to see the solution. */
        PuzzleAttempt: {
            /** @description The solver's moves from the first one on, such as `a3a4`, without the answers. */
            moves?: string[];
            /** @description Gives up: the solution is sent. */
            show?: boolean;
        };
        /** @description A puzzle's id: eight letters and digits. */
        PuzzleId: string;
        /** @description How strong a player is at the puzzles of a rule set. */
        PuzzleRating: {
            /**
             * Format: int64
             * @description The most that ever were.
             */
            best: number;
            /** @description The rating. */
            rating: components["schemas"]["Rating"];
            /** @description The rule set. */
            ruleset: string;
            /**
             * Format: int64
             * @description How many of them were solved without a mistake.
             */
            solved: number;
            /**
             * Format: int64
             * @description How many were solved one after the other, up to the last one.
             */
            streak: number;
            /**
             * Format: int64
             * @description How many puzzles were tried.
             */
            tried: number;
        };
        /**
         * @description What a player has made of a puzzle.
         * @enum {string}
         */
        PuzzleResult: "solved" | "failed" | "found" | "shown";
        /** @description `GET /api/puzzles/results`: what the caller has made of puzzles. */
        PuzzleResults: {
            /** @description A page of puzzles that were tried, the last first. */
            attempts: components["schemas"]["KeptAttempt"][];
            /** @description Where the next page begins; null if this is the last. */
            before: components["schemas"]["Millis"] | null;
            /**
             * Format: int64
             * @description The most that ever were.
             */
            best_days: number;
            /**
             * Format: int64
             * @description On how many days one after the other, up to today or yesterday, the puzzle of the day was solved.
             */
            days: number;
            /** @description The ratings, by rule set. */
            ratings: components["schemas"]["PuzzleRating"][];
        };
        /**
         * @description What a move of a solver is.
         * @enum {string}
         */
        PuzzleVerdict: "right" | "solved" | "wrong" | "shown";
        /** @description `quick_pair`: waits in a pool, where the server pairs those of similar rating. */
        QuickPair: {
            /** @description The command's id; the same id waits once. */
            command: components["schemas"]["CommandId"];
            /** @description Whether the result counts for the players' ratings. */
            rated?: boolean;
            /** @description The rule set. */
            ruleset: string;
            /** @description The time control by its name in `GET /api/lobby/pools`, such as `5+3`: minutes and seconds of increment. */
            time: string;
        };
        /** @description How strong a player is by the results so far, in one rule set. */
        Rating: {
            /** @description Whether there are too few results yet to rely on it. */
            provisional?: boolean;
            /**
             * Format: int32
             * @description The rating, in points of Glicko-2; 1500 is where everybody begins.
             */
            value: number;
        };
        /** @description What a game has changed for one of its players. */
        RatingChange: {
            /**
             * Format: int32
             * @description The rating after, in points.
             */
            after: number;
            /**
             * Format: int32
             * @description The rating before, in points.
             */
            before: number;
            /** @description Whether there are still too few results to rely on it; left out for false. */
            provisional?: boolean;
        };
        /** @description A page of a player's changes in a rule set, the newest first: the data of a curve. */
        RatingHistory: {
            /**
             * Format: int64
             * @description The `before` of the next page; null if this is the last.
             */
            before: number | null;
            /** @description The changes. */
            changes: components["schemas"]["HistoryPoint"][];
        };
        /** @description Ratings from one to another, both included; an end left out is no limit. */
        RatingRange: {
            /**
             * Format: int32
             * @description The highest.
             */
            max?: number;
            /**
             * Format: int32
             * @description The lowest.
             */
            min?: number;
        };
        /** @description A game's text as somebody has it: `POST /api/positions/read`. */
        ReadRequest: {
            /** @description The rule set of a text that names none. */
            ruleset: string;
            /** @description The text, in the manner of PGN or moves alone, in any notation of Xiangqi. */
            text: string;
        };
        /** @description `POST /api/recover`. */
        Recover: {
            /** @description An unused recovery code of the account, with or without its hyphens. */
            code: components["schemas"]["Password"];
            /** @description The account's name. */
            name: string;
            /** @description The password from now on. */
            password: components["schemas"]["Password"];
        };
        /** @description New recovery codes, shown this once. Each sets a new password once. */
        RecoveryCodes: {
            /** @description The codes. Earlier ones are invalid. */
            codes: components["schemas"]["Password"][];
        };
        /** @description `GET /api/account/recovery_codes`. */
        RecoveryCodesLeft: {
            /**
             * Format: int64
             * @description How many codes are unused.
             */
            left: number;
        };
        /**
         * @description Who is removed by an attack.
         * @enum {string}
         */
        Removed: "defender" | "attacker" | "both";
        /** @description `PUT /api/players/{id}/name`: an account gets another name. */
        Rename: {
            /** @description The new name; left out: one that is drawn. */
            name?: string;
            /** @description Why, for the audit log: 1 to 200 characters. */
            reason: string;
        };
        /** @description The name that an account has got. */
        Renamed: {
            /** @description The name. */
            name: string;
        };
        /** @description A report as moderators see it. */
        Report: {
            /** @description When it was made. */
            at: components["schemas"]["Millis"];
            /** @description By whom. */
            by: components["schemas"]["PlayerId"];
            /** @description The game it is about. */
            game: components["schemas"]["GameId"] | null;
            /** @description Where the game is shown at that ply, as a path on this server. */
            link: string | null;
            /** @description Of whom. */
            player: components["schemas"]["PlayerId"];
            /**
             * @description How many moves of that game had been played at that event; without one, when the report was made. Null if there is no such
             *     game any more.
             */
            ply: components["schemas"]["Ply"] | null;
            /** @description What is wrong. */
            reason: components["schemas"]["ReportReason"];
            /** @description The report. */
            report: components["schemas"]["ReportId"];
            /** @description The event in that game. */
            seq: components["schemas"]["Seq"] | null;
            /** @description What else there is to say. */
            text: string;
        };
        /**
         * Format: uuid
         * @description A report. Version 7, so that ids sort by time.
         */
        ReportId: string;
        /**
         * @description What a moderator makes of a report.
         * @enum {string}
         */
        ReportOutcome: "upheld" | "dismissed" | "duplicate";
        /** @description A page of open reports, the oldest first. */
        ReportPage: {
            /** @description The `after` of the next page; null if this is the last. */
            after: components["schemas"]["ReportId"] | null;
            /** @description The reports. */
            reports: components["schemas"]["Report"][];
        };
        /**
         * @description What is wrong.
         * @enum {string}
         */
        ReportReason: "cheating" | "manipulation" | "chat" | "name" | "stalling" | "other";
        /** @description What a client sends on the socket. */
        Request: components["schemas"]["RequestHello"] | components["schemas"]["RequestGuest"] | components["schemas"]["RequestPing"] | components["schemas"]["RequestCreateGame"] | components["schemas"]["RequestWatch"] | components["schemas"]["RequestUnwatch"] | components["schemas"]["RequestSetUp"] | components["schemas"]["RequestNote"] | components["schemas"]["RequestSpectatorChat"] | components["schemas"]["RequestOwnGames"] | components["schemas"]["RequestEnterLobby"] | components["schemas"]["RequestLeaveLobby"] | components["schemas"]["RequestSeek"] | components["schemas"]["RequestCancelSeek"] | components["schemas"]["RequestAcceptSeek"] | components["schemas"]["RequestQuickPair"] | components["schemas"]["RequestLeavePools"] | components["schemas"]["RequestJoin"] | components["schemas"]["RequestMove"] | components["schemas"]["RequestResign"] | components["schemas"]["RequestOfferDraw"] | components["schemas"]["RequestAcceptDraw"] | components["schemas"]["RequestDeclineDraw"] | components["schemas"]["RequestRequestTakeback"] | components["schemas"]["RequestAcceptTakeback"] | components["schemas"]["RequestDeclineTakeback"] | components["schemas"]["RequestAbort"] | components["schemas"]["RequestDecline"] | components["schemas"]["RequestRematch"] | components["schemas"]["RequestClaimVictory"] | components["schemas"]["RequestReady"] | components["schemas"]["RequestChat"];
        RequestAbort: {
            data: components["schemas"]["Plain"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "abort";
        };
        RequestAcceptDraw: {
            data: components["schemas"]["AnswerOffer"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "accept_draw";
        };
        RequestAcceptSeek: {
            data: components["schemas"]["AcceptSeek"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "accept_seek";
        };
        RequestAcceptTakeback: {
            data: components["schemas"]["AnswerOffer"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "accept_takeback";
        };
        RequestCancelSeek: {
            data: components["schemas"]["CancelSeek"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "cancel_seek";
        };
        RequestChat: {
            data: components["schemas"]["Chat"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "chat";
        };
        RequestClaimVictory: {
            data: components["schemas"]["Plain"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "claim_victory";
        };
        RequestCreateGame: {
            data: components["schemas"]["CreateGame"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "create_game";
        };
        RequestDecline: {
            data: components["schemas"]["Plain"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "decline";
        };
        RequestDeclineDraw: {
            data: components["schemas"]["AnswerOffer"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "decline_draw";
        };
        RequestDeclineTakeback: {
            data: components["schemas"]["AnswerOffer"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "decline_takeback";
        };
        RequestEnterLobby: {
            data?: components["schemas"]["Nothing"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "enter_lobby";
        };
        RequestGuest: {
            data?: components["schemas"]["Nothing"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "guest";
        };
        RequestHello: {
            data?: components["schemas"]["Hello"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "hello";
        };
        /**
         * Format: int64
         * @description A client's number for a request on one connection; its answer carries it as `re`. Any number will do, also a repeated one.
         */
        RequestId: number;
        RequestJoin: {
            data: components["schemas"]["Plain"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "join";
        };
        RequestLeaveLobby: {
            data?: components["schemas"]["Nothing"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "leave_lobby";
        };
        RequestLeavePools: {
            data?: components["schemas"]["Nothing"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "leave_pools";
        };
        RequestMove: {
            data: components["schemas"]["Move"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "move";
        };
        RequestNote: {
            data: components["schemas"]["Note"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "note";
        };
        RequestOfferDraw: {
            data: components["schemas"]["Plain"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "offer_draw";
        };
        RequestOwnGames: {
            data?: components["schemas"]["Nothing"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "own_games";
        };
        RequestPing: {
            data?: components["schemas"]["Nothing"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ping";
        };
        RequestQuickPair: {
            data: components["schemas"]["QuickPair"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "quick_pair";
        };
        RequestReady: {
            data: components["schemas"]["Plain"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ready";
        };
        RequestRematch: {
            data: components["schemas"]["Plain"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "rematch";
        };
        RequestRequestTakeback: {
            data: components["schemas"]["Plain"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "request_takeback";
        };
        RequestResign: {
            data: components["schemas"]["Plain"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "resign";
        };
        RequestSeek: {
            data: components["schemas"]["AskSeek"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "seek";
        };
        RequestSetUp: {
            data: components["schemas"]["SetUp"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "set_up";
        };
        RequestSpectatorChat: {
            data: components["schemas"]["SpectatorChat"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "spectator_chat";
        };
        RequestUnwatch: {
            data: components["schemas"]["Unwatch"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "unwatch";
        };
        RequestWatch: {
            data: components["schemas"]["Watch"];
            id: components["schemas"]["RequestId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "watch";
        };
        /** @description For each type of request what belongs to it, and what it is answered with: a table for those who read types, and nothing that travels. */
        Requests: {
            abort: {
                answer: components["schemas"]["AnswerDone"];
                data: components["schemas"]["Plain"];
            };
            accept_draw: {
                answer: components["schemas"]["AnswerDone"];
                data: components["schemas"]["AnswerOffer"];
            };
            accept_seek: {
                answer: components["schemas"]["AnswerPaired"];
                data: components["schemas"]["AcceptSeek"];
            };
            accept_takeback: {
                answer: components["schemas"]["AnswerDone"];
                data: components["schemas"]["AnswerOffer"];
            };
            cancel_seek: {
                answer: components["schemas"]["AnswerSeek"];
                data: components["schemas"]["CancelSeek"];
            };
            chat: {
                answer: components["schemas"]["AnswerDone"];
                data: components["schemas"]["Chat"];
            };
            claim_victory: {
                answer: components["schemas"]["AnswerDone"];
                data: components["schemas"]["Plain"];
            };
            create_game: {
                answer: components["schemas"]["AnswerCreated"];
                data: components["schemas"]["CreateGame"];
            };
            decline: {
                answer: components["schemas"]["AnswerDone"];
                data: components["schemas"]["Plain"];
            };
            decline_draw: {
                answer: components["schemas"]["AnswerDone"];
                data: components["schemas"]["AnswerOffer"];
            };
            decline_takeback: {
                answer: components["schemas"]["AnswerDone"];
                data: components["schemas"]["AnswerOffer"];
            };
            enter_lobby: {
                answer: components["schemas"]["AnswerLobby"];
                data: components["schemas"]["Nothing"];
            };
            guest: {
                answer: components["schemas"]["AnswerGuest"];
                data: components["schemas"]["Nothing"];
            };
            hello: {
                answer: components["schemas"]["AnswerWelcome"];
                data: components["schemas"]["Hello"];
            };
            join: {
                answer: components["schemas"]["AnswerDone"];
                data: components["schemas"]["Plain"];
            };
            leave_lobby: {
                answer: components["schemas"]["AnswerLeftLobby"];
                data: components["schemas"]["Nothing"];
            };
            leave_pools: {
                answer: components["schemas"]["AnswerLeftPools"];
                data: components["schemas"]["Nothing"];
            };
            move: {
                answer: components["schemas"]["AnswerDone"];
                data: components["schemas"]["Move"];
            };
            note: {
                answer: components["schemas"]["AnswerKept"];
                data: components["schemas"]["Note"];
            };
            offer_draw: {
                answer: components["schemas"]["AnswerDone"];
                data: components["schemas"]["Plain"];
            };
            own_games: {
                answer: components["schemas"]["AnswerOwnGames"];
                data: components["schemas"]["Nothing"];
            };
            ping: {
                answer: components["schemas"]["AnswerPong"];
                data: components["schemas"]["Nothing"];
            };
            quick_pair: {
                answer: components["schemas"]["AnswerSeek"];
                data: components["schemas"]["QuickPair"];
            };
            ready: {
                answer: components["schemas"]["AnswerDone"];
                data: components["schemas"]["Plain"];
            };
            rematch: {
                answer: components["schemas"]["AnswerDone"];
                data: components["schemas"]["Plain"];
            };
            request_takeback: {
                answer: components["schemas"]["AnswerDone"];
                data: components["schemas"]["Plain"];
            };
            resign: {
                answer: components["schemas"]["AnswerDone"];
                data: components["schemas"]["Plain"];
            };
            seek: {
                answer: components["schemas"]["AnswerSeek"];
                data: components["schemas"]["AskSeek"];
            };
            set_up: {
                answer: components["schemas"]["AnswerKept"];
                data: components["schemas"]["SetUp"];
            };
            spectator_chat: {
                answer: components["schemas"]["AnswerKept"];
                data: components["schemas"]["SpectatorChat"];
            };
            unwatch: {
                answer: components["schemas"]["AnswerUnwatched"];
                data: components["schemas"]["Unwatch"];
            };
            watch: {
                answer: components["schemas"]["AnswerSnapshot"] | components["schemas"]["AnswerMissed"];
                data: components["schemas"]["Watch"];
            };
        };
        /**
         * @description How a game ended, as it is asked for.
         * @enum {string}
         */
        ResultWord: "first" | "second" | "draw" | "aborted";
        /** @description A setup with the salt of its commitment. */
        RevealedSetup: {
            /** @description 32 random bytes in hexadecimal digits. The commitment is the SHA-256 of these bytes and the setup's text after them. */
            salt: string;
            /** @description Six ranks, the highest of the board first. */
            setup: string;
        };
        /** @description The review of a game, or as much of it as is done: it goes from the last move to the first. */
        Review: {
            /** @description Whether all of it is done. A review that is not done is worked on. */
            complete: boolean;
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /** @description The moves that are reviewed, in the order in which they were played. */
            moves: components["schemas"]["ReviewedMove"][];
            /** @description How many moves the game has. */
            plies: components["schemas"]["Ply"];
            /**
             * Format: int64
             * @description How many of them are reviewed: the last ones.
             */
            reviewed: number;
            /** @description How each side played, as far as its moves are reviewed. */
            sides: components["schemas"]["BySeat_SideReview"];
            /**
             * Format: int64
             * @description The first seat's chance to win before the first move, in thousandths; absent until it is known.
             */
            start?: number;
        };
        /** @description Another move in place of one that was played: is it better? */
        ReviewTry: {
            /** @description The move to play in its place, such as `a3a4`. */
            move: string;
            /** @description The number of the move that was played. */
            ply: components["schemas"]["Ply"];
        };
        /** @description A move of the game, reviewed. */
        ReviewedMove: {
            /**
             * Format: int64
             * @description The first seat's chance to win after it, in thousandths, in Luzhanqi with all pieces open. Absent as long as the position stands in
             *     a running game.
             */
            chance?: number;
            /**
             * @description How good it was, in Luzhanqi by what its player could know. Absent as long as the position before or after it stands in a running
             *     game.
             */
            judged?: components["schemas"]["MoveReview"];
            /** @description From and to. */
            move: components["schemas"]["MoveText"];
            /** @description Luzhanqi: how good it was with all pieces open. */
            open?: components["schemas"]["MoveReview"];
            /** @description The move's number. */
            ply: components["schemas"]["Ply"];
        };
        /**
         * @description What somebody is here.
         * @enum {string}
         */
        Role: "guest" | "player" | "bot" | "moderator" | "admin";
        /** @description A player's rating in a rule set. */
        RuleSetRating: {
            /**
             * Format: int32
             * @description Its standard deviation, in points: two of three times the true strength is no further off.
             */
            deviation: number;
            /** @description When the last rated game ended; null if none counts any more. */
            played_at: components["schemas"]["Millis"] | null;
            /** @description The rating of now. */
            rating: components["schemas"]["Rating"];
            /** @description The rule set. */
            ruleset: string;
        };
        /** @description The end and the reason of a ban or mute. */
        Sanction: {
            /** @description Why. */
            reason: string;
            /** @description Until when; null: for good. */
            until: components["schemas"]["Millis"] | null;
        };
        /** @description `PUT /api/account/settings`: all settings, in place of those of a version. */
        SaveSettings: {
            /** @description What is chosen, by name: at most 64, names and words of 1 to 40 letters, digits, `_` and `-`. */
            settings: {
                [key: string]: components["schemas"]["SettingValue"];
            };
            /**
             * Format: int64
             * @description The version that the client knows; with another one by now they are refused as `stale`.
             */
            version: number;
        };
        /** @description What is to be saved under the name that the path has. */
        SaveSetup: {
            /**
             * @description Six ranks, as the first seat writes them.
             * @example DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX
             */
            setup: string;
        };
        /** @description A saved setup. */
        SavedSetup: {
            /** @description What its player calls it. */
            name: string;
            /**
             * @description Six ranks, as the first seat writes them. Who sits on the second seat gets it turned by 180°.
             * @example DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX
             */
            setup: string;
        };
        /** @description All setups of a player, sorted by name. */
        SavedSetups: {
            /** @description The setups. */
            setups: components["schemas"]["SavedSetup"][];
        };
        /** @description `POST /api/games/{id}/spectator_chat`: the same. */
        SayToSpectators: {
            /** @description The command's id; a line that is sent twice with the same id is said once. */
            command: components["schemas"]["CommandId"];
            /** @description The line, 1 to 300 characters and at most 900 bytes of JSON, without control characters. */
            text: string;
        };
        /**
         * @description What an API token may be used for. A session may do everything.
         * @enum {string}
         */
        Scope: "read" | "play" | "bot";
        /**
         * @description One of the two sides of a game; `first` moves first.
         * @enum {string}
         */
        Seat: "first" | "second";
        /**
         * @description The seat that a game's creator asks for.
         * @enum {string}
         */
        SeatChoice: "first" | "second" | "random";
        /** @description A position as each seat knows it. */
        SeatPositions: {
            /** @description As the first seat knows it. */
            first: string;
            /** @description As the second seat knows it. */
            second: string;
        };
        /** @description Whether a player is there. */
        SeatPresence: {
            /** @description If not: when the opponent may claim the game, in server time; null if never. */
            claim_at: components["schemas"]["Millis"] | null;
            /** @description Whether the player has a connection to this game. */
            connected: boolean;
        };
        /** @description A seek that everybody sees. */
        Seek: {
            /** @description The seek. */
            id: components["schemas"]["SeekId"];
            /** @description Options that differ from the rule set's. */
            options: {
                [key: string]: components["schemas"]["OptionValue"];
            };
            /** @description Who seeks, with the rating in this rule set. */
            player: components["schemas"]["Player"];
            /** @description Whether the result counts for the players' ratings; left out for false. */
            rated?: boolean;
            /** @description The ratings that may accept; left out if everybody may. */
            rating?: components["schemas"]["RatingRange"];
            /** @description The rule set. */
            ruleset: string;
            /** @description The seat of the seek's owner. */
            seat: components["schemas"]["SeatChoice"];
            /** @description Since when, in server time. */
            since: components["schemas"]["Millis"];
            /** @description By how much spectators will see the game later; left out for not at all. */
            spectator_delay?: components["schemas"]["SpectatorDelay"];
            /** @description The time control, its defaults filled in. */
            time_control: components["schemas"]["TimeControl"];
        };
        /**
         * Format: uuid
         * @description A seek: a player who looks for an opponent, on the board of the lobby or in a pool. Version 7, so that ids sort by time.
         */
        SeekId: string;
        /** @description What has become of an own seek. */
        SeekState: components["schemas"]["SeekStateOpen"] | components["schemas"]["SeekStatePaired"] | components["schemas"]["SeekStateGone"];
        /** @description It was cancelled, or ended by itself. */
        SeekStateGone: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "gone";
        };
        /** @description It is open. */
        SeekStateOpen: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "open";
        };
        /** @description A game came of it, which has begun. */
        SeekStatePaired: {
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "paired";
        };
        /**
         * Format: int64
         * @description An event's place in its game: 1, 2, 3 … without gaps, the same for every viewer.
         */
        Seq: number;
        /** @description What the server sends on the socket. */
        ServerMessage: components["schemas"]["AnswerFrame"] | components["schemas"]["EventFrame"] | components["schemas"]["GameNotice"] | components["schemas"]["ServerNotice"] | components["schemas"]["LobbyNotice"];
        /** @description What the server tells every connection. */
        ServerNotice: {
            /** @description What. */
            notice: components["schemas"]["ServerNoticeKind"];
        };
        /** @description The notices of the server. */
        ServerNoticeKind: components["schemas"]["ServerNoticeKindRestarting"] | components["schemas"]["ServerNoticeKindSlowDown"] | components["schemas"]["ServerNoticeKindAnnouncements"] | components["schemas"]["ServerNoticeKindOwnGame"];
        /** @description The announcements in force: when a client connects, if there are any, and after each change. */
        ServerNoticeKindAnnouncements: {
            /** @description All that stands now. */
            standing: components["schemas"]["Announcements"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "announcements";
        };
        /** @description After `own_games`: a running game of the player has gone on, or is over. */
        ServerNoticeKindOwnGame: {
            /** @description How it stands. */
            game: components["schemas"]["OwnGame"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "own_game";
        };
        /** @description The server is about to restart; the connection will be closed with 1012. Running games go on afterwards. */
        ServerNoticeKindRestarting: {
            /**
             * @description Whether other programs of the same server go on meanwhile: a connection that is opened at that time reaches one of them, and this one
             *     still serves until then. Absent where no other program runs.
             */
            elsewhere?: boolean;
            /** @description When to come back; different for each connection, so that not all come at once. */
            retry_in_ms: components["schemas"]["Millis"];
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "restarting";
        };
        /** @description Too many messages: go slower, or the connection will be closed with 1008. */
        ServerNoticeKindSlowDown: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "slow_down";
        };
        /** @description A place where one is signed in. */
        Session: {
            /** @description What the browser or program called itself when it signed in. */
            agent?: string;
            /** @description Since when. */
            created_at: components["schemas"]["Millis"];
            /** @description Whether it is the one that asks. */
            current: boolean;
            /** @description When it ends by itself. */
            expires_at: components["schemas"]["Millis"];
            /**
             * Format: uuid
             * @description To end it by.
             */
            id: string;
            /** @description When it was last used, give or take a few minutes. */
            last_seen_at: components["schemas"]["Millis"];
        };
        /** @description `GET /api/account/sessions`: the newest first. */
        SessionList: {
            /** @description All places where one is signed in. */
            sessions: components["schemas"]["Session"][];
        };
        /** @description `set_up`: changes the player's own setup while both set up (Luzhanqi). Nobody else is notified. */
        SetUp: {
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /** @description Six ranks, the highest of the board first, such as `DKBJC/G1M1E/KL1BD/N1E1J/LCXLN/EXCFX` for the first seat. */
            setup: string;
        };
        /** @description The value of a setting. */
        SettingValue: boolean | number | string | {
            [key: string]: string;
        };
        /** @description Where a game with setups is, for one viewer. */
        SetupView: {
            /** @description From the beginning of play on: the SHA-256 of each side's salt and setup, in hexadecimal digits. */
            commitments: components["schemas"]["BySeat_String"] | null;
            /** @description Who has said that they are ready. */
            ready: components["schemas"]["BySeat_bool"];
            /** @description Once the game has ended: what was committed to. */
            revealed: components["schemas"]["BySeat_RevealedSetup"] | null;
            /** @description While both set up: when the setups as they stand are taken, in server time; null once play has begun. */
            until: components["schemas"]["Millis"] | null;
            /** @description The viewer's own setup: six ranks, the highest of the board first. Null for a spectator. */
            yours: string | null;
        };
        /**
         * @description The colours of arrows and circles.
         * @enum {string}
         */
        ShapeColour: "green" | "red" | "blue" | "yellow";
        /** @description The analyses that a player has shared, the last first. */
        SharedAnalyses: {
            /** @description The analyses. */
            analyses: components["schemas"]["AnalysisSummary"][];
        };
        /** @description An analysis that somebody has shared. */
        SharedAnalysis: {
            /** @description Its id. */
            analysis: components["schemas"]["AnalysisId"];
            /** @description Who has shared it. */
            by: components["schemas"]["Player"];
            /** @description What it says. */
            content: components["schemas"]["Analysis"];
            /** @description When. */
            shared_at: components["schemas"]["Millis"];
        };
        /** @description The player who has signed in, with the new session's token. It is shown this once; browsers also get it as a cookie. */
        SignedIn: {
            /** @description The account. */
            player: components["schemas"]["Player"];
            /** @description Proves the identity from now on. */
            token: components["schemas"]["Token"];
        };
        /** @description `spectator_chat`: says something to those who watch a game without a seat. The players see it when the game is over. */
        SpectatorChat: {
            /** @description The command's id; a line that is sent twice with the same id is said once. */
            command: components["schemas"]["CommandId"];
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /** @description The line, 1 to 300 characters and at most 900 bytes of JSON, without control characters. */
            text: string;
        };
        /** @description `GET /api/games/{id}/spectator_chat`: some of what spectators have said. */
        SpectatorChatPage: {
            /**
             * Format: int64
             * @description Pass as `before` for the lines before these; null at the first line.
             */
            before: number | null;
            /** @description The lines, the oldest first. */
            lines: components["schemas"]["SpectatorLine"][];
        };
        /** @description How much later, while the game goes on. Its end shows everything at once. */
        SpectatorDelay: components["schemas"]["SpectatorDelayPlies"] | components["schemas"]["SpectatorDelayMinutes"];
        /** @description By so many minutes, 0 to 60. */
        SpectatorDelayMinutes: {
            /**
             * Format: int64
             * @description By so many minutes, 0 to 60.
             */
            minutes: number;
        };
        /** @description By so many plies, 0 to 15: the last ones are not shown. */
        SpectatorDelayPlies: {
            /**
             * Format: int64
             * @description By so many plies, 0 to 15: the last ones are not shown.
             */
            plies: number;
        };
        /** @description A line of the spectators' chat. */
        SpectatorLine: {
            /** @description When, in server time. */
            at: components["schemas"]["Millis"];
            /**
             * Format: int64
             * @description Its number at this game; later lines have higher ones.
             */
            number: number;
            /** @description Who. */
            player: components["schemas"]["Player"];
            /** @description What. */
            text: string;
        };
        /** @description `PUT /api/admin/maintenance`: no new games from now on. */
        StartMaintenance: {
            /** @description The text that everybody sees: 1 to 300 characters. */
            message: string;
            /** @description Why, for the audit log: at most 200 characters. */
            reason?: string;
        };
        /**
         * @description Where a game is in its life.
         * @enum {string}
         */
        Status: "open" | "playing" | "ended";
        /**
         * @description From whose perspective a stream shows a game.
         * @constant
         */
        StreamPerspective: "me";
        /** @description Moves that were taken back. */
        Takebacks: {
            /**
             * Format: int64
             * @description How often, at most 20 in a game.
             */
            count: number;
            /**
             * Format: int64
             * @description How many plies all in all. They count towards the length limit.
             */
            plies: number;
        };
        /** @description How often a player has won, drawn and lost. */
        Tally: {
            /**
             * Format: int64
             * @description Games drawn.
             */
            drawn: number;
            /**
             * Format: int64
             * @description Games lost.
             */
            lost: number;
            /** @description The rule set. */
            ruleset: string;
            /** @description The player's seat. */
            seat: components["schemas"]["Seat"];
            /**
             * Format: int64
             * @description Games won.
             */
            won: number;
        };
        /** @description A clock and the patience with an absent player. */
        TimeControl: {
            /**
             * @description How long a disconnected player is waited for before the opponent may claim the game, 5,000 to 3,600,000
             *     (5 seconds to an hour). Absent: a tenth of the expected length of the game, between 30 seconds and 5 minutes;
             *     10 minutes without a clock. A `per_move` game knows no absence: its clock alone decides, and a value is refused.
             */
            absence_ms?: components["schemas"]["Millis"];
            /** @description How time is counted. */
            clock: components["schemas"]["Clock"];
            /**
             * @description In a game with setups: how long both may set up, 10,000 to 1,209,600,000 (10 seconds to 14 days). Absent: 3 minutes. In
             *     other games a value is refused.
             */
            setup_ms?: components["schemas"]["Millis"];
        };
        /** @description What one seat has left. */
        TimeLeft: {
            /** @description Of the budget, of the period, or of the move. */
            ms: components["schemas"]["Millis"];
            /**
             * Format: int64
             * @description Byo-yomi periods left, the running one included; null in other time controls.
             */
            periods?: number;
        };
        /** @description The secret that proves an identity. It has no `Debug` and no `Display`: [`Token::reveal`] is the only way out. */
        Token: string;
        /** @description `GET /api/account/tokens`: the newest first. */
        TokenList: {
            /** @description All API tokens of the account. */
            tokens: components["schemas"]["ApiToken"][];
        };
        /** @description `GET /api/tv`: the featured games. */
        Tv: {
            /** @description Of each kind of game. */
            channels: components["schemas"]["Channel"][];
        };
        /** @description `unwatch`: no more events of this game. */
        Unwatch: {
            /** @description The game. */
            game: components["schemas"]["GameId"];
        };
        /**
         * @description How good a move is, by the chance to win that it gives away.
         * @enum {string}
         */
        Verdict: "good" | "inaccuracy" | "mistake" | "blunder";
        /** @description `GET /api/games/{id}/verify`: what came of replaying a game that is over. */
        Verification: {
            /**
             * Format: int64
             * @description How many events were judged.
             */
            events: number;
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /**
             * @description Whether everything in it follows: each event as the referee would have let it happen, each move by the rules, each clock, the end;
             *     and in Luzhanqi both setups as they were committed to, and every attack.
             */
            holds: boolean;
            /** @description How many moves were played again. */
            plies: components["schemas"]["Ply"];
            /** @description Whether there were setups, and they are those that were committed to; null in a game without, or that has not come so far. */
            setups: boolean | null;
            /** @description The first thing that does not follow. */
            wrong: components["schemas"]["Wrong"] | null;
        };
        /**
         * @description Who finds a game.
         * @enum {string}
         */
        Visibility: "public" | "link";
        /** @description `watch`: asks for a game as it stands and for everything that follows. */
        Watch: {
            /** @description The game. */
            game: components["schemas"]["GameId"];
            /**
             * @description Whether this is a small board in a list of games, and not somebody who follows this one: it is not counted among the
             *     spectators.
             */
            preview?: boolean;
            /** @description How far the client has seen it; absent: nothing yet. */
            since?: components["schemas"]["Cursor"];
        };
        /** @description A move with what is expected to follow it. */
        WeighedLine: {
            /**
             * Format: int64
             * @description The chance to win of the side to move, in thousandths: 0 is lost, 1000 won.
             */
            chance: number;
            /** @description The moves of both sides in turn, the advised one first. */
            line: components["schemas"]["MoveText"][];
        };
        /** @description A move and the player's chance to win after it. */
        WeighedMove: {
            /**
             * Format: int64
             * @description The chance to win after it, in thousandths: 0 is lost, 1000 won.
             */
            chance: number;
            /** @description From and to. */
            move: components["schemas"]["MoveText"];
        };
        /** @description The server's greeting. */
        Welcome: {
            /** @description Who the server takes the client for; null for a spectator without identity. */
            player: components["schemas"]["Player"] | null;
            /** @description The server's version. */
            server: string;
            /** @description The server's time. */
            server_time: components["schemas"]["Millis"];
        };
        /** @description Why something is done that may be done without a reason. */
        Why: {
            /** @description Kept in the audit log: at most 200 characters. */
            reason?: string;
        };
        /** @description `POST /api/games/{id}/withdraw`: the game's result shall not count for ratings. */
        Withdraw: {
            /** @description Why: 1 to 200 characters. */
            reason: string;
        };
        /** @description `POST /api/account/delete`. */
        Withdrawal: {
            /** @description The account's password. */
            password: components["schemas"]["Password"];
        };
        /** @description Something in a game that does not follow. */
        Wrong: {
            /** @description The event. */
            seq: components["schemas"]["Seq"];
            /** @description For people: what is wrong with it. */
            what: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Accept = components['schemas']['Accept'];
export type AcceptSeek = components['schemas']['AcceptSeek'];
export type AccountSettings = components['schemas']['AccountSettings'];
export type AddPushDevice = components['schemas']['AddPushDevice'];
export type Adjudicate = components['schemas']['Adjudicate'];
export type Analysis = components['schemas']['Analysis'];
export type AnalysisId = components['schemas']['AnalysisId'];
export type AnalysisLink = components['schemas']['AnalysisLink'];
export type AnalysisNode = components['schemas']['AnalysisNode'];
export type AnalysisShape = components['schemas']['AnalysisShape'];
export type AnalysisSummary = components['schemas']['AnalysisSummary'];
export type Announcements = components['schemas']['Announcements'];
export type Answer = components['schemas']['Answer'];
export type AnswerCreated = components['schemas']['AnswerCreated'];
export type AnswerDone = components['schemas']['AnswerDone'];
export type AnswerFrame = components['schemas']['AnswerFrame'];
export type AnswerGuest = components['schemas']['AnswerGuest'];
export type AnswerKept = components['schemas']['AnswerKept'];
export type AnswerLeftLobby = components['schemas']['AnswerLeftLobby'];
export type AnswerLeftPools = components['schemas']['AnswerLeftPools'];
export type AnswerLobby = components['schemas']['AnswerLobby'];
export type AnswerMissed = components['schemas']['AnswerMissed'];
export type AnswerOffer = components['schemas']['AnswerOffer'];
export type AnswerOwnGames = components['schemas']['AnswerOwnGames'];
export type AnswerPaired = components['schemas']['AnswerPaired'];
export type AnswerPong = components['schemas']['AnswerPong'];
export type AnswerSeek = components['schemas']['AnswerSeek'];
export type AnswerSnapshot = components['schemas']['AnswerSnapshot'];
export type AnswerUnwatched = components['schemas']['AnswerUnwatched'];
export type AnswerWelcome = components['schemas']['AnswerWelcome'];
export type ApiError = components['schemas']['ApiError'];
export type ApiToken = components['schemas']['ApiToken'];
export type AskRecoveryCodes = components['schemas']['AskRecoveryCodes'];
export type AskSeek = components['schemas']['AskSeek'];
export type AuditId = components['schemas']['AuditId'];
export type AuditLogEntry = components['schemas']['AuditLogEntry'];
export type AuditPage = components['schemas']['AuditPage'];
export type Ban = components['schemas']['Ban'];
export type BanReason = components['schemas']['BanReason'];
export type BannedMove = components['schemas']['BannedMove'];
export type Blocks = components['schemas']['Blocks'];
export type BySeatOptionPlayer = components['schemas']['BySeat_Option_Player'];
export type BySeatPlayer = components['schemas']['BySeat_Player'];
export type BySeatRatingChange = components['schemas']['BySeat_RatingChange'];
export type BySeatRevealedSetup = components['schemas']['BySeat_RevealedSetup'];
export type BySeatSeatPresence = components['schemas']['BySeat_SeatPresence'];
export type BySeatSideReview = components['schemas']['BySeat_SideReview'];
export type BySeatString = components['schemas']['BySeat_String'];
export type BySeatTimeLeft = components['schemas']['BySeat_TimeLeft'];
export type BySeatBool = components['schemas']['BySeat_bool'];
export type CancelSeek = components['schemas']['CancelSeek'];
export type Catalog = components['schemas']['Catalog'];
export type CatalogBoard = components['schemas']['CatalogBoard'];
export type CatalogGame = components['schemas']['CatalogGame'];
export type CatalogMark = components['schemas']['CatalogMark'];
export type CatalogOption = components['schemas']['CatalogOption'];
export type CatalogOptionBool = components['schemas']['CatalogOptionBool'];
export type CatalogOptionNumber = components['schemas']['CatalogOptionNumber'];
export type CatalogOptionWord = components['schemas']['CatalogOptionWord'];
export type CatalogPiece = components['schemas']['CatalogPiece'];
export type CatalogRuleSet = components['schemas']['CatalogRuleSet'];
export type CatalogWay = components['schemas']['CatalogWay'];
export type Channel = components['schemas']['Channel'];
export type ChannelNotice = components['schemas']['ChannelNotice'];
export type ChannelNow = components['schemas']['ChannelNow'];
export type Chat = components['schemas']['Chat'];
export type ChatLine = components['schemas']['ChatLine'];
export type ChatLog = components['schemas']['ChatLog'];
export type Clock = components['schemas']['Clock'];
export type ClockByoyomi = components['schemas']['ClockByoyomi'];
export type ClockFischer = components['schemas']['ClockFischer'];
export type ClockNone = components['schemas']['ClockNone'];
export type ClockPerMove = components['schemas']['ClockPerMove'];
export type ClockWord = components['schemas']['ClockWord'];
export type Clocks = components['schemas']['Clocks'];
export type CloseReport = components['schemas']['CloseReport'];
export type CommandId = components['schemas']['CommandId'];
export type Computer = components['schemas']['Computer'];
export type Computers = components['schemas']['Computers'];
export type ConnectionEvent = components['schemas']['ConnectionEvent'];
export type ConnectionEventKind = components['schemas']['ConnectionEventKind'];
export type Counts = components['schemas']['Counts'];
export type CreateGame = components['schemas']['CreateGame'];
export type Credentials = components['schemas']['Credentials'];
export type Current = components['schemas']['Current'];
export type Cursor = components['schemas']['Cursor'];
export type DailyPuzzle = components['schemas']['DailyPuzzle'];
export type Drill = components['schemas']['Drill'];
export type Drills = components['schemas']['Drills'];
export type EndReason = components['schemas']['EndReason'];
export type Ending = components['schemas']['Ending'];
export type EndingMove = components['schemas']['EndingMove'];
export type EndingValue = components['schemas']['EndingValue'];
export type Epoch = components['schemas']['Epoch'];
export type ErrorBody = components['schemas']['ErrorBody'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type EventFrame = components['schemas']['EventFrame'];
export type Events = components['schemas']['Events'];
export type ExportedGame = components['schemas']['ExportedGame'];
export type FacesWord = components['schemas']['FacesWord'];
export type Following = components['schemas']['Following'];
export type FoundPlayers = components['schemas']['FoundPlayers'];
export type GameCommand = components['schemas']['GameCommand'];
export type GameCommandAbort = components['schemas']['GameCommandAbort'];
export type GameCommandAcceptDraw = components['schemas']['GameCommandAcceptDraw'];
export type GameCommandAcceptTakeback = components['schemas']['GameCommandAcceptTakeback'];
export type GameCommandChat = components['schemas']['GameCommandChat'];
export type GameCommandClaimVictory = components['schemas']['GameCommandClaimVictory'];
export type GameCommandDecline = components['schemas']['GameCommandDecline'];
export type GameCommandDeclineDraw = components['schemas']['GameCommandDeclineDraw'];
export type GameCommandDeclineTakeback = components['schemas']['GameCommandDeclineTakeback'];
export type GameCommandJoin = components['schemas']['GameCommandJoin'];
export type GameCommandMove = components['schemas']['GameCommandMove'];
export type GameCommandOfferDraw = components['schemas']['GameCommandOfferDraw'];
export type GameCommandReady = components['schemas']['GameCommandReady'];
export type GameCommandRematch = components['schemas']['GameCommandRematch'];
export type GameCommandRequestTakeback = components['schemas']['GameCommandRequestTakeback'];
export type GameCommandResign = components['schemas']['GameCommandResign'];
export type GameEvent = components['schemas']['GameEvent'];
export type GameEventChat = components['schemas']['GameEventChat'];
export type GameEventClocksHeld = components['schemas']['GameEventClocksHeld'];
export type GameEventClocksReleased = components['schemas']['GameEventClocksReleased'];
export type GameEventCreated = components['schemas']['GameEventCreated'];
export type GameEventDrawDeclined = components['schemas']['GameEventDrawDeclined'];
export type GameEventDrawOffered = components['schemas']['GameEventDrawOffered'];
export type GameEventEnded = components['schemas']['GameEventEnded'];
export type GameEventJoined = components['schemas']['GameEventJoined'];
export type GameEventMoved = components['schemas']['GameEventMoved'];
export type GameEventRematchAgreed = components['schemas']['GameEventRematchAgreed'];
export type GameEventRematchOffered = components['schemas']['GameEventRematchOffered'];
export type GameEventRevealed = components['schemas']['GameEventRevealed'];
export type GameEventSetupBegan = components['schemas']['GameEventSetupBegan'];
export type GameEventSetupExtended = components['schemas']['GameEventSetupExtended'];
export type GameEventSetupReady = components['schemas']['GameEventSetupReady'];
export type GameEventStarted = components['schemas']['GameEventStarted'];
export type GameEventTakebackDeclined = components['schemas']['GameEventTakebackDeclined'];
export type GameEventTakebackRequested = components['schemas']['GameEventTakebackRequested'];
export type GameEventTakenBack = components['schemas']['GameEventTakenBack'];
export type GameEventWithheld = components['schemas']['GameEventWithheld'];
export type GameId = components['schemas']['GameId'];
export type GameNotice = components['schemas']['GameNotice'];
export type GameNoticeKind = components['schemas']['GameNoticeKind'];
export type GameNoticeKindDropped = components['schemas']['GameNoticeKindDropped'];
export type GameNoticeKindNotes = components['schemas']['GameNoticeKindNotes'];
export type GameNoticeKindPresence = components['schemas']['GameNoticeKindPresence'];
export type GameNoticeKindRated = components['schemas']['GameNoticeKindRated'];
export type GameNoticeKindSetUp = components['schemas']['GameNoticeKindSetUp'];
export type GameNoticeKindSpectatorChat = components['schemas']['GameNoticeKindSpectatorChat'];
export type GameNoticeKindStorageBack = components['schemas']['GameNoticeKindStorageBack'];
export type GameNoticeKindStorageDown = components['schemas']['GameNoticeKindStorageDown'];
export type GamePage = components['schemas']['GamePage'];
export type GameSummary = components['schemas']['GameSummary'];
export type GameView = components['schemas']['GameView'];
export type Guest = components['schemas']['Guest'];
export type HeadToHead = components['schemas']['HeadToHead'];
export type Hello = components['schemas']['Hello'];
export type Hint = components['schemas']['Hint'];
export type HintRequest = components['schemas']['HintRequest'];
export type HistoryKind = components['schemas']['HistoryKind'];
export type HistoryPoint = components['schemas']['HistoryPoint'];
export type Hold = components['schemas']['Hold'];
export type HoldReason = components['schemas']['HoldReason'];
export type InPool = components['schemas']['InPool'];
export type IssuedToken = components['schemas']['IssuedToken'];
export type JudgeRequest = components['schemas']['JudgeRequest'];
export type JudgeSetups = components['schemas']['JudgeSetups'];
export type JudgedMove = components['schemas']['JudgedMove'];
export type Judgement = components['schemas']['Judgement'];
export type KeptAttempt = components['schemas']['KeptAttempt'];
export type Leaderboard = components['schemas']['Leaderboard'];
export type Limit = components['schemas']['Limit'];
export type LiveGame = components['schemas']['LiveGame'];
export type LiveGames = components['schemas']['LiveGames'];
export type LiveState = components['schemas']['LiveState'];
export type Lobby = components['schemas']['Lobby'];
export type LobbyNotice = components['schemas']['LobbyNotice'];
export type LobbyNoticeKind = components['schemas']['LobbyNoticeKind'];
export type LobbyNoticeKindChallengeClosed = components['schemas']['LobbyNoticeKindChallengeClosed'];
export type LobbyNoticeKindChallenged = components['schemas']['LobbyNoticeKindChallenged'];
export type LobbyNoticeKindChanged = components['schemas']['LobbyNoticeKindChanged'];
export type LobbyNoticeKindPaired = components['schemas']['LobbyNoticeKindPaired'];
export type LobbyNoticeKindReset = components['schemas']['LobbyNoticeKindReset'];
export type LobbyNoticeKindSeekEnded = components['schemas']['LobbyNoticeKindSeekEnded'];
export type LoggedLine = components['schemas']['LoggedLine'];
export type LoggedSpectatorLine = components['schemas']['LoggedSpectatorLine'];
export type Maintenance = components['schemas']['Maintenance'];
export type Me = components['schemas']['Me'];
export type Met = components['schemas']['Met'];
export type Millis = components['schemas']['Millis'];
export type Move = components['schemas']['Move'];
export type MoveReview = components['schemas']['MoveReview'];
export type MoveText = components['schemas']['MoveText'];
export type Mute = components['schemas']['Mute'];
export type NewPassword = components['schemas']['NewPassword'];
export type NewReport = components['schemas']['NewReport'];
export type NewRole = components['schemas']['NewRole'];
export type NewToken = components['schemas']['NewToken'];
export type NotationWord = components['schemas']['NotationWord'];
export type Note = components['schemas']['Note'];
export type Nothing = components['schemas']['Nothing'];
export type Notice = components['schemas']['Notice'];
export type Offer = components['schemas']['Offer'];
export type OnlinePlayers = components['schemas']['OnlinePlayers'];
export type Opening = components['schemas']['Opening'];
export type OpeningMove = components['schemas']['OpeningMove'];
export type OpeningResults = components['schemas']['OpeningResults'];
export type Operation = components['schemas']['Operation'];
export type OptionValue = components['schemas']['OptionValue'];
export type Outcome = components['schemas']['Outcome'];
export type OverseenGame = components['schemas']['OverseenGame'];
export type OverseenMove = components['schemas']['OverseenMove'];
export type OverseenTurn = components['schemas']['OverseenTurn'];
export type OwnGame = components['schemas']['OwnGame'];
export type OwnStreamNotice = components['schemas']['OwnStreamNotice'];
export type OwnStreamNow = components['schemas']['OwnStreamNow'];
export type Password = components['schemas']['Password'];
export type PasswordChanged = components['schemas']['PasswordChanged'];
export type Perspective = components['schemas']['Perspective'];
export type Plain = components['schemas']['Plain'];
export type PlayedMove = components['schemas']['PlayedMove'];
export type Player = components['schemas']['Player'];
export type PlayerId = components['schemas']['PlayerId'];
export type PlayerNow = components['schemas']['PlayerNow'];
export type PlayerPresence = components['schemas']['PlayerPresence'];
export type PlayerStanding = components['schemas']['PlayerStanding'];
export type Ply = components['schemas']['Ply'];
export type Pool = components['schemas']['Pool'];
export type Pools = components['schemas']['Pools'];
export type Position = components['schemas']['Position'];
export type PositionAtPly = components['schemas']['PositionAtPly'];
export type PositionHint = components['schemas']['PositionHint'];
export type Positions = components['schemas']['Positions'];
export type PossibleAttack = components['schemas']['PossibleAttack'];
export type Presence = components['schemas']['Presence'];
export type PresenceShown = components['schemas']['PresenceShown'];
export type Profile = components['schemas']['Profile'];
export type PushDevice = components['schemas']['PushDevice'];
export type PushKey = components['schemas']['PushKey'];
export type PushKind = components['schemas']['PushKind'];
export type PushKinds = components['schemas']['PushKinds'];
export type PushMessage = components['schemas']['PushMessage'];
export type PushStatus = components['schemas']['PushStatus'];
export type PutNotes = components['schemas']['PutNotes'];
export type PutSetup = components['schemas']['PutSetup'];
export type PutUpNotice = components['schemas']['PutUpNotice'];
export type Puzzle = components['schemas']['Puzzle'];
export type PuzzleAim = components['schemas']['PuzzleAim'];
export type PuzzleAnswer = components['schemas']['PuzzleAnswer'];
export type PuzzleAttempt = components['schemas']['PuzzleAttempt'];
export type PuzzleId = components['schemas']['PuzzleId'];
export type PuzzleRating = components['schemas']['PuzzleRating'];
export type PuzzleResult = components['schemas']['PuzzleResult'];
export type PuzzleResults = components['schemas']['PuzzleResults'];
export type PuzzleVerdict = components['schemas']['PuzzleVerdict'];
export type QuickPair = components['schemas']['QuickPair'];
export type Rating = components['schemas']['Rating'];
export type RatingChange = components['schemas']['RatingChange'];
export type RatingHistory = components['schemas']['RatingHistory'];
export type RatingRange = components['schemas']['RatingRange'];
export type ReadRequest = components['schemas']['ReadRequest'];
export type Recover = components['schemas']['Recover'];
export type RecoveryCodes = components['schemas']['RecoveryCodes'];
export type RecoveryCodesLeft = components['schemas']['RecoveryCodesLeft'];
export type Removed = components['schemas']['Removed'];
export type Rename = components['schemas']['Rename'];
export type Renamed = components['schemas']['Renamed'];
export type Report = components['schemas']['Report'];
export type ReportId = components['schemas']['ReportId'];
export type ReportOutcome = components['schemas']['ReportOutcome'];
export type ReportPage = components['schemas']['ReportPage'];
export type ReportReason = components['schemas']['ReportReason'];
export type Request = components['schemas']['Request'];
export type RequestAbort = components['schemas']['RequestAbort'];
export type RequestAcceptDraw = components['schemas']['RequestAcceptDraw'];
export type RequestAcceptSeek = components['schemas']['RequestAcceptSeek'];
export type RequestAcceptTakeback = components['schemas']['RequestAcceptTakeback'];
export type RequestCancelSeek = components['schemas']['RequestCancelSeek'];
export type RequestChat = components['schemas']['RequestChat'];
export type RequestClaimVictory = components['schemas']['RequestClaimVictory'];
export type RequestCreateGame = components['schemas']['RequestCreateGame'];
export type RequestDecline = components['schemas']['RequestDecline'];
export type RequestDeclineDraw = components['schemas']['RequestDeclineDraw'];
export type RequestDeclineTakeback = components['schemas']['RequestDeclineTakeback'];
export type RequestEnterLobby = components['schemas']['RequestEnterLobby'];
export type RequestGuest = components['schemas']['RequestGuest'];
export type RequestHello = components['schemas']['RequestHello'];
export type RequestId = components['schemas']['RequestId'];
export type RequestJoin = components['schemas']['RequestJoin'];
export type RequestLeaveLobby = components['schemas']['RequestLeaveLobby'];
export type RequestLeavePools = components['schemas']['RequestLeavePools'];
export type RequestMove = components['schemas']['RequestMove'];
export type RequestNote = components['schemas']['RequestNote'];
export type RequestOfferDraw = components['schemas']['RequestOfferDraw'];
export type RequestOwnGames = components['schemas']['RequestOwnGames'];
export type RequestPing = components['schemas']['RequestPing'];
export type RequestQuickPair = components['schemas']['RequestQuickPair'];
export type RequestReady = components['schemas']['RequestReady'];
export type RequestRematch = components['schemas']['RequestRematch'];
export type RequestRequestTakeback = components['schemas']['RequestRequestTakeback'];
export type RequestResign = components['schemas']['RequestResign'];
export type RequestSeek = components['schemas']['RequestSeek'];
export type RequestSetUp = components['schemas']['RequestSetUp'];
export type RequestSpectatorChat = components['schemas']['RequestSpectatorChat'];
export type RequestUnwatch = components['schemas']['RequestUnwatch'];
export type RequestWatch = components['schemas']['RequestWatch'];
export type Requests = components['schemas']['Requests'];
export type ResultWord = components['schemas']['ResultWord'];
export type RevealedSetup = components['schemas']['RevealedSetup'];
export type Review = components['schemas']['Review'];
export type ReviewTry = components['schemas']['ReviewTry'];
export type ReviewedMove = components['schemas']['ReviewedMove'];
export type Role = components['schemas']['Role'];
export type RuleSetRating = components['schemas']['RuleSetRating'];
export type Sanction = components['schemas']['Sanction'];
export type SaveSettings = components['schemas']['SaveSettings'];
export type SaveSetup = components['schemas']['SaveSetup'];
export type SavedSetup = components['schemas']['SavedSetup'];
export type SavedSetups = components['schemas']['SavedSetups'];
export type SayToSpectators = components['schemas']['SayToSpectators'];
export type Scope = components['schemas']['Scope'];
export type Seat = components['schemas']['Seat'];
export type SeatChoice = components['schemas']['SeatChoice'];
export type SeatPositions = components['schemas']['SeatPositions'];
export type SeatPresence = components['schemas']['SeatPresence'];
export type Seek = components['schemas']['Seek'];
export type SeekId = components['schemas']['SeekId'];
export type SeekState = components['schemas']['SeekState'];
export type SeekStateGone = components['schemas']['SeekStateGone'];
export type SeekStateOpen = components['schemas']['SeekStateOpen'];
export type SeekStatePaired = components['schemas']['SeekStatePaired'];
export type Seq = components['schemas']['Seq'];
export type ServerMessage = components['schemas']['ServerMessage'];
export type ServerNotice = components['schemas']['ServerNotice'];
export type ServerNoticeKind = components['schemas']['ServerNoticeKind'];
export type ServerNoticeKindAnnouncements = components['schemas']['ServerNoticeKindAnnouncements'];
export type ServerNoticeKindOwnGame = components['schemas']['ServerNoticeKindOwnGame'];
export type ServerNoticeKindRestarting = components['schemas']['ServerNoticeKindRestarting'];
export type ServerNoticeKindSlowDown = components['schemas']['ServerNoticeKindSlowDown'];
export type Session = components['schemas']['Session'];
export type SessionList = components['schemas']['SessionList'];
export type SetUp = components['schemas']['SetUp'];
export type SettingValue = components['schemas']['SettingValue'];
export type SetupView = components['schemas']['SetupView'];
export type ShapeColour = components['schemas']['ShapeColour'];
export type SharedAnalyses = components['schemas']['SharedAnalyses'];
export type SharedAnalysis = components['schemas']['SharedAnalysis'];
export type SignedIn = components['schemas']['SignedIn'];
export type SpectatorChat = components['schemas']['SpectatorChat'];
export type SpectatorChatPage = components['schemas']['SpectatorChatPage'];
export type SpectatorDelay = components['schemas']['SpectatorDelay'];
export type SpectatorDelayMinutes = components['schemas']['SpectatorDelayMinutes'];
export type SpectatorDelayPlies = components['schemas']['SpectatorDelayPlies'];
export type SpectatorLine = components['schemas']['SpectatorLine'];
export type StartMaintenance = components['schemas']['StartMaintenance'];
export type Status = components['schemas']['Status'];
export type StreamPerspective = components['schemas']['StreamPerspective'];
export type Takebacks = components['schemas']['Takebacks'];
export type Tally = components['schemas']['Tally'];
export type TimeControl = components['schemas']['TimeControl'];
export type TimeLeft = components['schemas']['TimeLeft'];
export type Token = components['schemas']['Token'];
export type TokenList = components['schemas']['TokenList'];
export type Tv = components['schemas']['Tv'];
export type Unwatch = components['schemas']['Unwatch'];
export type Verdict = components['schemas']['Verdict'];
export type Verification = components['schemas']['Verification'];
export type Visibility = components['schemas']['Visibility'];
export type Watch = components['schemas']['Watch'];
export type WeighedLine = components['schemas']['WeighedLine'];
export type WeighedMove = components['schemas']['WeighedMove'];
export type Welcome = components['schemas']['Welcome'];
export type Why = components['schemas']['Why'];
export type Withdraw = components['schemas']['Withdraw'];
export type Withdrawal = components['schemas']['Withdrawal'];
export type Wrong = components['schemas']['Wrong'];
export type $defs = Record<string, never>;
export interface operations {
    listBlocks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the players */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Blocks"];
                };
            };
        };
    };
    blockPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the player */
                player: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the player is blocked */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    unblockPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the player */
                player: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the player is not blocked */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    becomeBot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the account is a bot account; sign in again */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Withdrawal"];
            };
        };
        responses: {
            /** @description deleted; the name is removed from its games */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listFollowing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the players */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Following"];
                };
            };
        };
    };
    followPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the player */
                player: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the player is followed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    unfollowPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the player */
                player: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the player is not followed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPassword"];
            };
        };
        responses: {
            /** @description signed in again; browsers also get a cookie */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordChanged"];
                };
            };
        };
    };
    getPresenceShown: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description whether they do */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresenceShown"];
                };
            };
        };
    };
    showPresence: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PresenceShown"];
            };
        };
        responses: {
            /** @description as the caller wishes */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getPushDevice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the device, if it was added */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushStatus"];
                };
            };
        };
    };
    addPushDevice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddPushDevice"];
            };
        };
        responses: {
            /** @description the device is told from now on */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    removePushDevice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description it is told of nothing */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    countRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description how many */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodesLeft"];
                };
            };
        };
    };
    makeRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AskRecoveryCodes"];
            };
        };
        responses: {
            /** @description the codes */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description all sessions */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description they have ended */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the session */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description it has ended */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the settings */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountSettings"];
                };
            };
        };
    };
    saveSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveSettings"];
            };
        };
        responses: {
            /** @description the settings as they are kept */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountSettings"];
                };
            };
        };
    };
    listTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description all tokens */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenList"];
                };
            };
        };
    };
    issueToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewToken"];
            };
        };
        responses: {
            /** @description the token */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedToken"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the token's id */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the token is revoked */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    removeAnalysis: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the analysis */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readAuditLog: {
        parameters: {
            query?: {
                /** @description What this player has done. */
                by?: components["schemas"]["PlayerId"];
                /** @description What was done to this player. */
                player?: components["schemas"]["PlayerId"];
                /** @description What was done to this game. */
                game?: components["schemas"]["GameId"];
                /** @description Only this. */
                operation?: components["schemas"]["Operation"];
                /** @description At or after this server time. */
                from?: components["schemas"]["Millis"];
                /** @description Before this server time. */
                until?: components["schemas"]["Millis"];
                /** @description Entries older than this one: the `before` of the last page. */
                before?: components["schemas"]["AuditId"];
                /** @description How many, 1 to 100; absent: 50. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a page of the audit log */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
        };
    };
    overseeGames: {
        parameters: {
            query?: {
                /** @description Games in this state. */
                status?: components["schemas"]["Status"];
                /** @description Games of this player. */
                player?: components["schemas"]["PlayerId"];
                /** @description Games of `player` against this one. */
                against?: components["schemas"]["PlayerId"];
                /** @description Games of this kind, such as `xiangqi`. */
                game?: string;
                /** @description Games of this rule set. */
                ruleset?: string;
                /** @description Games that ended so. */
                result?: components["schemas"]["ResultWord"];
                /** @description Games that ended for this reason. */
                reason?: components["schemas"]["EndReason"];
                /** @description Ended games of at least so many plies. */
                plies_from?: number;
                /** @description Ended games of fewer plies than this. */
                plies_until?: number;
                /** @description Games both of whose players had at least this rating when they sat down. */
                rating_from?: number;
                /** @description Games both of whose players had a rating below this one then. */
                rating_until?: number;
                /** @description Games that count for ratings; false: those that do not. */
                rated?: boolean;
                /** @description Games with this kind of clock. */
                clock?: components["schemas"]["ClockWord"];
                /**
                 * @description Ended games for everybody that have reached this position within their first 30 plies, some moments after their end; needs
                 *     `ruleset`.
                 */
                position?: string;
                /** @description Games opened at or after this server time. */
                from?: components["schemas"]["Millis"];
                /** @description Games opened before this server time. */
                until?: components["schemas"]["Millis"];
                /** @description Games older than this one: the `before` of the last page. */
                before?: components["schemas"]["GameId"];
                /** @description How many, 1 to 100; absent: 50. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a page of games */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GamePage"];
                };
            };
        };
    };
    overseeGame: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the game */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the game */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverseenGame"];
                };
            };
        };
    };
    readGameChat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the game */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the lines */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatLog"];
                };
            };
        };
    };
    startMaintenance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartMaintenance"];
            };
        };
        responses: {
            /** @description no new games can be started */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    endMaintenance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description games can be started */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    putUpNotice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutUpNotice"];
            };
        };
        responses: {
            /** @description the notice is shown to everybody */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    takeDownNotice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description there is no notice */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getPlayerStanding: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the player */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the player's role, bans, mutes and limits */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlayerStanding"];
                };
            };
        };
    };
    listAnalyses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description all of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedAnalyses"];
                };
            };
        };
    };
    shareAnalysis: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Analysis"];
            };
        };
        responses: {
            /** @description the link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnalysisLink"];
                };
            };
        };
    };
    getAnalysis: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the analysis */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the analysis */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedAnalysis"];
                };
            };
        };
    };
    deleteAnalysis: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the analysis */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getAnalysisPreview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the analysis */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the picture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
        };
    };
    getAnnouncements: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description what is announced */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Announcements"];
                };
            };
        };
    };
    getCatalog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the catalog */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Catalog"];
                };
            };
        };
    };
    listComputers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the computer players */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Computers"];
                };
            };
        };
    };
    listGames: {
        parameters: {
            query?: {
                /** @description Games in this state. */
                status?: components["schemas"]["Status"];
                /** @description Games of this player. */
                player?: components["schemas"]["PlayerId"];
                /** @description Games of `player` against this one. */
                against?: components["schemas"]["PlayerId"];
                /** @description Games of this kind, such as `xiangqi`. */
                game?: string;
                /** @description Games of this rule set. */
                ruleset?: string;
                /** @description Games that ended so. */
                result?: components["schemas"]["ResultWord"];
                /** @description Games that ended for this reason. */
                reason?: components["schemas"]["EndReason"];
                /** @description Ended games of at least so many plies. */
                plies_from?: number;
                /** @description Ended games of fewer plies than this. */
                plies_until?: number;
                /** @description Games both of whose players had at least this rating when they sat down. */
                rating_from?: number;
                /** @description Games both of whose players had a rating below this one then. */
                rating_until?: number;
                /** @description Games that count for ratings; false: those that do not. */
                rated?: boolean;
                /** @description Games with this kind of clock. */
                clock?: components["schemas"]["ClockWord"];
                /**
                 * @description Ended games for everybody that have reached this position within their first 30 plies, some moments after their end; needs
                 *     `ruleset`.
                 */
                position?: string;
                /** @description Games opened at or after this server time. */
                from?: components["schemas"]["Millis"];
                /** @description Games opened before this server time. */
                until?: components["schemas"]["Millis"];
                /** @description Games older than this one: the `before` of the last page. */
                before?: components["schemas"]["GameId"];
                /** @description How many, 1 to 100; absent: 50. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a page of games */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GamePage"];
                };
            };
        };
    };
    createGame: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateGame"];
            };
        };
        responses: {
            /** @description the game is stored */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswerCreated"];
                };
            };
        };
    };
    exportGames: {
        parameters: {
            query?: {
                /** @description Games in this state. */
                status?: components["schemas"]["Status"];
                /** @description Games of this player. */
                player?: components["schemas"]["PlayerId"];
                /** @description Games of `player` against this one. */
                against?: components["schemas"]["PlayerId"];
                /** @description Games of this kind, such as `xiangqi`. */
                game?: string;
                /** @description Games of this rule set. */
                ruleset?: string;
                /** @description Games that ended so. */
                result?: components["schemas"]["ResultWord"];
                /** @description Games that ended for this reason. */
                reason?: components["schemas"]["EndReason"];
                /** @description Ended games of at least so many plies. */
                plies_from?: number;
                /** @description Ended games of fewer plies than this. */
                plies_until?: number;
                /** @description Games both of whose players had at least this rating when they sat down. */
                rating_from?: number;
                /** @description Games both of whose players had a rating below this one then. */
                rating_until?: number;
                /** @description Games that count for ratings; false: those that do not. */
                rated?: boolean;
                /** @description Games with this kind of clock. */
                clock?: components["schemas"]["ClockWord"];
                /**
                 * @description Ended games for everybody that have reached this position within their first 30 plies, some moments after their end; needs
                 *     `ruleset`.
                 */
                position?: string;
                /** @description Games opened at or after this server time. */
                from?: components["schemas"]["Millis"];
                /** @description Games opened before this server time. */
                until?: components["schemas"]["Millis"];
                /** @description Games older than this one: the `before` of the last page. */
                before?: components["schemas"]["GameId"];
                /** @description How many, 1 to 100; absent: 50. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a game on each line */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
        };
    };
    exportGameTexts: {
        parameters: {
            query?: {
                /** @description Games in this state. */
                status?: components["schemas"]["Status"];
                /** @description Games of this player. */
                player?: components["schemas"]["PlayerId"];
                /** @description Games of `player` against this one. */
                against?: components["schemas"]["PlayerId"];
                /** @description Games of this kind, such as `xiangqi`. */
                game?: string;
                /** @description Games of this rule set. */
                ruleset?: string;
                /** @description Games that ended so. */
                result?: components["schemas"]["ResultWord"];
                /** @description Games that ended for this reason. */
                reason?: components["schemas"]["EndReason"];
                /** @description Ended games of at least so many plies. */
                plies_from?: number;
                /** @description Ended games of fewer plies than this. */
                plies_until?: number;
                /** @description Games both of whose players had at least this rating when they sat down. */
                rating_from?: number;
                /** @description Games both of whose players had a rating below this one then. */
                rating_until?: number;
                /** @description Games that count for ratings; false: those that do not. */
                rated?: boolean;
                /** @description Games with this kind of clock. */
                clock?: components["schemas"]["ClockWord"];
                /**
                 * @description Ended games for everybody that have reached this position within their first 30 plies, some moments after their end; needs
                 *     `ruleset`.
                 */
                position?: string;
                /** @description Games opened at or after this server time. */
                from?: components["schemas"]["Millis"];
                /** @description Games opened before this server time. */
                until?: components["schemas"]["Millis"];
                /** @description Games older than this one: the `before` of the last page. */
                before?: components["schemas"]["GameId"];
                /** @description How many, 1 to 100; absent: 50. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description games, an empty line after each */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    getGame: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the game */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the game */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GameView"];
                };
            };
        };
    };
    adjudicateGame: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the game */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Adjudicate"];
            };
        };
        responses: {
            /** @description its events are stored */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswerDone"];
                };
            };
        };
    };
    getGameAnimation: {
        parameters: {
            query?: {
                /** @description From the position after so many plies on; absent: from the start. */
                from?: components["schemas"]["Ply"];
                /** @description Up to the position after so many plies, at most 400 on; absent: to the last. */
                to?: components["schemas"]["Ply"];
                /** @description How long each position stands, 100 to 5,000 milliseconds; absent: 1,000. */
                speed?: number;
                /** @description Whether the second seat is at the bottom; absent: the first is. */
                turned?: boolean;
                /** @description As it was known to somebody while the game went on; absent: all that there was. */
                as?: components["schemas"]["Perspective"];
            };
            header?: never;
            path: {
                /** @description the game */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the picture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/gif": string;
                };
            };
        };
    };
    sendCommand: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the game */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GameCommand"];
            };
        };
        responses: {
            /** @description its events are stored */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswerDone"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only events after this number; absent: all. */
                since?: components["schemas"]["Seq"];
                /** @description How many at most, 1 to 5,000; absent: 5,000. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description the game */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Events"];
                };
            };
        };
    };
    listFens: {
        parameters: {
            query?: {
                /** @description As they were known to somebody while the game went on; once it is over. Absent: as you know them now. */
                as?: components["schemas"]["Perspective"];
                /** @description From the position after so many plies on; absent: from the start. */
                from?: components["schemas"]["Ply"];
                /** @description How many at most, 1 to 5,000; absent: 5,000. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description the game */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a position on each line */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    askHint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the game */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HintRequest"];
            };
        };
        responses: {
            /** @description the advice */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Hint"];
                };
            };
        };
    };
    putNotes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the game */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutNotes"];
            };
        };
        responses: {
            /** @description the notes are stored */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getPositionPicture: {
        parameters: {
            query?: {
                /** @description After so many plies; absent: the last position. */
                ply?: components["schemas"]["Ply"];
                /** @description As it was known to somebody while the game went on; once it is over. Absent: as you know it now. */
                as?: components["schemas"]["Perspective"];
                /** @description What stands on the pieces; absent: pictures, and ranks by digits. */
                pieces?: components["schemas"]["FacesWord"];
            };
            header?: never;
            path: {
                /** @description the game */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the picture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
        };
    };
    listPositions: {
        parameters: {
            query?: {
                /** @description As they were known to somebody while the game went on; once it is over. Absent: as you know them now. */
                as?: components["schemas"]["Perspective"];
                /** @description From the position after so many plies on; absent: from the start. */
                from?: components["schemas"]["Ply"];
                /** @description How many at most, 1 to 5,000; absent: 5,000. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description the game */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the positions, the start first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Positions"];
                };
            };
        };
    };
    getGamePreview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the game */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the picture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
        };
    };
    restoreResult: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the game */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description the result counts, or counted before */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getReview: {
        parameters: {
            query?: {
                /** @description Answer once more than so many moves are reviewed, or all of it is done, and after 10 seconds at the latest. Absent: at once. */
                after?: number;
            };
            header?: never;
            path: {
                /** @description the game */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the review */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Review"];
                };
            };
        };
    };
    beginReview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the game */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the review, or as much of it as is done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Review"];
                };
            };
        };
    };
    tryMove: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the game */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewTry"];
            };
        };
        responses: {
            /** @description how good it is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JudgedMove"];
                };
            };
        };
    };
    putSetup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the game */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutSetup"];
            };
        };
        responses: {
            /** @description the setup is stored */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listSpectatorChat: {
        parameters: {
            query?: {
                /** @description Lines with a lower number: the `before` of the last page. */
                before?: number;
                /** @description How many, 1 to 100; absent: 50. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description the game */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the lines, the oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpectatorChatPage"];
                };
            };
        };
    };
    sayToSpectators: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the game */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SayToSpectators"];
            };
        };
        responses: {
            /** @description it is stored */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    streamGame: {
        parameters: {
            query?: {
                /** @description How far the game was seen, `EPOCH.SEQ`; absent: not at all. */
                since?: string;
                /** @description As the caller's seat sees it; absent: as spectators do. */
                as?: components["schemas"]["StreamPerspective"];
            };
            header?: never;
            path: {
                /** @description the game */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a message on each line, or server-sent events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/event-stream": string;
                };
            };
            /** @description the game is over, and the reader has received every message */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getGameText: {
        parameters: {
            query?: {
                /** @description How moves of Xiangqi are written; absent, and in other games: as squares. */
                notation?: components["schemas"]["NotationWord"];
            };
            header?: never;
            path: {
                /** @description the game */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the game */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    verifyGame: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the game */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the result of the check */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verification"];
                };
            };
        };
    };
    withdrawResult: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the game */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Withdraw"];
            };
        };
        responses: {
            /** @description the result no longer counts, or did not count before */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createGuest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a new identity */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Guest"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description alive */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    getLeaderboard: {
        parameters: {
            query?: {
                /** @description Players after these: the `after` of the last page. */
                after?: string;
                /** @description How many, 1 to 100; absent: 50. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description such as xiangqi */
                game: string;
                /** @description such as standard */
                set: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a page of players, strongest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Leaderboard"];
                };
            };
        };
    };
    listLiveGames: {
        parameters: {
            query?: {
                /** @description Games of this kind, such as `xiangqi`. */
                game?: string;
                /** @description Games of this rule set. */
                ruleset?: string;
                /** @description How many, 1 to 100; absent: 50. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the first of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveGames"];
                };
            };
        };
    };
    getLobby: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the lobby */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lobby"];
                };
            };
        };
    };
    listPools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the pools */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pools"];
                };
            };
        };
    };
    joinPool: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuickPair"];
            };
        };
        responses: {
            /** @description the seek's status: open, or already paired if the command is repeated */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswerSeek"];
                };
            };
        };
    };
    leavePools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the pool places that were given up */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswerLeftPools"];
                };
            };
        };
    };
    createSeek: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AskSeek"];
            };
        };
        responses: {
            /** @description the seek's status: open, or already paired if the command is repeated */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswerSeek"];
                };
            };
        };
    };
    getSeek: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the seek */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description open, paired with the game, or gone */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswerSeek"];
                };
            };
        };
    };
    cancelSeek: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the seek */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the seek's status */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswerSeek"];
                };
            };
        };
    };
    acceptSeek: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the seek */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Accept"];
            };
        };
        responses: {
            /** @description the game */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswerPaired"];
                };
            };
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Credentials"];
            };
        };
        responses: {
            /** @description signed in; browsers also get a cookie */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description signed out; the cookie is taken away */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the caller */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
        };
    };
    streamMe: {
        parameters: {
            query?: {
                /** @description A server time up to which the caller has seen everything: games that have ended since come too; absent: none of those. */
                since?: components["schemas"]["Millis"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a message on each line, or server-sent events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/event-stream": string;
                };
            };
        };
    };
    getOpening: {
        parameters: {
            query: {
                /** @description The rule set. */
                ruleset: string;
                /** @description The position as text, whole or its first two fields; the plies that it counts make no difference, nor does in Luzhanqi what stands on the points. */
                fen?: string;
                /** @description The moves from the start to the position, with commas between them; not in Luzhanqi, where they do not tell it. */
                moves?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the counts; all 0 for a position that no game reached */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Opening"];
                };
            };
        };
    };
    findPlayer: {
        parameters: {
            query: {
                /** @description Its name, however the letters are cased. */
                name: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the player */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
        };
    };
    listOnlinePlayers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the players, at most 50; a few seconds old */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnlinePlayers"];
                };
            };
        };
    };
    searchPlayers: {
        parameters: {
            query: {
                /** @description The part, however its letters are cased; at most 100 characters. */
                part: string;
                /** @description How many players, 1 to 20; absent: 8. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the players; none if no name contains the part */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundPlayers"];
                };
            };
        };
    };
    getPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the player */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the player */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
        };
    };
    getHeadToHead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the player */
                id: string;
                /** @description the other player */
                other: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the results */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeadToHead"];
                };
            };
        };
    };
    banPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the player */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Ban"];
            };
        };
        responses: {
            /** @description the player is banned */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    unbanPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the player */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description the player is not banned */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    limitPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the player */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Limit"];
            };
        };
        responses: {
            /** @description the player is shadowbanned */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    unlimitPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the player */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description the shadowban is lifted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    mutePlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the player */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Mute"];
            };
        };
        responses: {
            /** @description the player can't chat */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    unmutePlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the player */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Why"];
            };
        };
        responses: {
            /** @description the player can chat */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    renamePlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the player */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Rename"];
            };
        };
        responses: {
            /** @description the name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Renamed"];
                };
            };
        };
    };
    getPresence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the player */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description where the player is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlayerPresence"];
                };
            };
        };
    };
    getRatingHistory: {
        parameters: {
            query: {
                /** @description The rule set. */
                ruleset: string;
                /** @description Changes with a lower number: the `before` of the last page. */
                before?: number;
                /** @description How many, 1 to 100; absent: 50. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description the player */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a page of changes; empty if the player has no rating there */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RatingHistory"];
                };
            };
        };
    };
    changeRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the player */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRole"];
            };
        };
        responses: {
            /** @description the account has the role */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    askPositionHint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JudgeRequest"];
            };
        };
        responses: {
            /** @description the advice */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PositionHint"];
                };
            };
        };
    };
    judgePosition: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JudgeRequest"];
            };
        };
        responses: {
            /** @description what the rules say */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Judgement"];
                };
            };
        };
    };
    readGameText: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReadRequest"];
            };
        };
        responses: {
            /** @description the game */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JudgeRequest"];
                };
            };
        };
    };
    getPreview: {
        parameters: {
            query?: {
                /** @description A rule set: how its games begin; absent: the house itself. */
                ruleset?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the picture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
        };
    };
    getPushKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the key, if messages are sent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushKey"];
                };
            };
        };
    };
    getDailyPuzzle: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the puzzle, and on how many days the caller has solved it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DailyPuzzle"];
                };
            };
        };
    };
    getDrills: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the drills */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Drills"];
                };
            };
        };
    };
    getNextPuzzle: {
        parameters: {
            query: {
                /** @description The rule set: `doushouqi/booklet`, `xiangqi/grunfeld` or `xiangqi/standard`. */
                ruleset: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the puzzle */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Puzzle"];
                };
            };
        };
    };
    getPuzzleResults: {
        parameters: {
            query?: {
                /** @description Those before this time; absent: the last. */
                before?: components["schemas"]["Millis"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the results */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PuzzleResults"];
                };
            };
        };
    };
    getPuzzle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the puzzle */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the puzzle */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Puzzle"];
                };
            };
        };
    };
    tryPuzzle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the puzzle */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PuzzleAttempt"];
            };
        };
        responses: {
            /** @description what the last move is worth */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PuzzleAnswer"];
                };
            };
        };
    };
    getPuzzlePreview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the puzzle */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the picture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description ready */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    recoverAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Recover"];
            };
        };
        responses: {
            /** @description signed in; browsers also get a cookie */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
        };
    };
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Credentials"];
            };
        };
        responses: {
            /** @description signed in; browsers also get a cookie */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
        };
    };
    listReports: {
        parameters: {
            query?: {
                /** @description Reports after this one: the `after` of the last page. */
                after?: components["schemas"]["ReportId"];
                /** @description How many, 1 to 100; absent: 50. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a page of reports */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportPage"];
                };
            };
        };
    };
    reportPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewReport"];
            };
        };
        responses: {
            /** @description the report is stored */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    closeReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the report */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CloseReport"];
            };
        };
        responses: {
            /** @description the report is closed */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listSetups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description all of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedSetups"];
                };
            };
        };
    };
    getSetup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the setup's name */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the setup */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedSetup"];
                };
            };
        };
    };
    saveSetup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the setup's name */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveSetup"];
            };
        };
        responses: {
            /** @description the setup is stored */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    deleteSetup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the setup's name */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getEnding: {
        parameters: {
            query: {
                /** @description The rule set: `doushouqi/ancientchess`, `doushouqi/booklet` or `doushouqi/tierschach`. */
                ruleset: string;
                /** @description The position as text, whole or its first two fields, with at most 4 animals; the plies that it counts make no difference. */
                position: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description what the tables say */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ending"];
                };
            };
        };
    };
    getTv: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the featured game of each kind */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tv"];
                };
            };
        };
    };
    streamTv: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description the kind of game, such as `xiangqi` */
                kind: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description a message on each line, or server-sent events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/event-stream": string;
                };
            };
        };
    };
}

export const SUBPROTOCOL = "qiguan.v1" as const;

export const LIMITS = {
  "ABSENCE_MS": 3600000,
  "ABSENCE_MS_LEAST": 5000,
  "ADDRESS_CHAT_BURST": 60,
  "ADDRESS_CHAT_REFILL_MS": 1000,
  "ANALYSES": 50,
  "ANALYSIS_NODES": 2000,
  "ANALYSIS_SHAPES": 40,
  "ANALYSIS_TITLE_CHARACTERS": 80,
  "ANIMATION_SPEED": 5000,
  "ANIMATION_SPEED_LEAST": 100,
  "ANNOUNCEMENT_CHARACTERS": 300,
  "BLOCKS_PER_PLAYER": 200,
  "BODY_BYTES": 65536,
  "CHALLENGES_TO_ONE": 3,
  "CHAT_BURST": 5,
  "CHAT_BURST_IN_ALL": 60,
  "CHAT_BYTES": 900,
  "CHAT_CHARACTERS": 300,
  "CHAT_REFILL_MS": 2000,
  "COMMENT_CHARACTERS": 2000,
  "COMPUTER_GAMES": 5,
  "COMPUTER_LEVELS": 8,
  "DELAY_MINUTES": 60,
  "DELAY_PLIES": 15,
  "DRAW_OFFERS": 10,
  "FOLLOWS_PER_PLAYER": 200,
  "FOUND_PLAYERS": 20,
  "HELLO_MS": 10000,
  "INCREMENT_MS": 180000,
  "INITIAL_MS": 10800000,
  "INITIAL_MS_LEAST": 1000,
  "JUDGED_MOVES": 2000,
  "LANGUAGE_CHARACTERS": 35,
  "LOOKED_UP_CHARACTERS": 100,
  "MAIN_MS": 10800000,
  "MESSAGE_BYTES": 8192,
  "MOVES_CHARACTERS": 1000,
  "MOVE_MS": 1209600000,
  "MOVE_MS_LEAST": 10000,
  "NAME_CHARACTERS": 20,
  "NAME_CHARACTERS_LEAST": 3,
  "NOTES_BYTES": 4000,
  "NOTICE_MINUTES": 10080,
  "ONLINE_PLAYERS": 50,
  "OUTBOX_BYTES": 262144,
  "OUTBOX_MESSAGES": 256,
  "OWN_GAMES": 50,
  "PAGE_EVENTS": 5000,
  "PAGE_GAMES": 100,
  "PAGE_POSITIONS": 5000,
  "PASSWORD_BYTES": 256,
  "PASSWORD_BYTES_LEAST": 8,
  "PERIODS": 100,
  "PERIOD_MS": 600000,
  "PERIOD_MS_LEAST": 1000,
  "PING_MS": 10000,
  "PLAYER_LINES": 500,
  "POSITION_CHARACTERS": 300,
  "PUSH_DEVICES": 10,
  "PUSH_ENDPOINT_BYTES": 1000,
  "READ_CHARACTERS": 20000,
  "REASON_CHARACTERS": 200,
  "RECOVERY_CODES": 8,
  "REPORTS_PER_DAY": 10,
  "REPORT_CHARACTERS": 1000,
  "RESUME_EVENTS": 256,
  "SETTINGS": 64,
  "SETTINGS_BYTES": 4000,
  "SETTING_CHARACTERS": 40,
  "SETUPS": 50,
  "SETUP_MS": 1209600000,
  "SETUP_MS_LEAST": 10000,
  "SETUP_NAME_CHARACTERS": 40,
  "SILENCE_MS": 18000,
  "SPECTATOR_LINES": 2000,
  "SPECTATOR_LINES_SHOWN": 100,
  "TAKEBACKS": 20,
  "TOKENS": 20,
  "TOKEN_DAYS": 3650,
  "TOKEN_NAME_CHARACTERS": 40,
  "UNFINISHED_BYTES": 65536,
  "WATCHED_GAMES": 64,
  "WRITE_MS": 5000
} as const;

export const CLOSE = {
  "BANNED": 4503,
  "NORMAL": 1000,
  "NOT_UTF8": 1007,
  "NO_HELLO": 4501,
  "POLICY": 1008,
  "PROTOCOL": 1002,
  "RESTART": 1012,
  "SIGNED_OUT": 4502,
  "SILENT": 4009,
  "SLOW": 4008,
  "TOO_BIG": 1009,
  "UNSUPPORTED": 1003
} as const;

export const ERROR_CODES = [
  "bad_request",
  "unknown_type",
  "bad_value",
  "unknown_ruleset",
  "bad_option",
  "bad_move",
  "bad_setup",
  "unauthenticated",
  "bad_token",
  "bad_credentials",
  "needs_account",
  "forbidden",
  "banned",
  "muted",
  "name_taken",
  "not_found",
  "not_a_player",
  "gone",
  "paused",
  "blocked",
  "already_seated",
  "not_started",
  "game_over",
  "game_running",
  "already_ready",
  "not_setting_up",
  "not_your_turn",
  "illegal_move",
  "banned_move",
  "stale",
  "ahead",
  "conflict",
  "offer_open",
  "too_late",
  "too_early",
  "rate_limited",
  "limit_reached",
  "maintenance",
  "busy",
  "not_stored",
  "parked",
  "elsewhere",
  "restarting",
  "bad_origin",
  "internal"
] as const;
