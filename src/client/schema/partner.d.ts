// Written by `npm run client:types`.

export interface paths {
    "/partner/paytag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a customer with PayTag and wallet
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["createPayTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/paytag/bvn/{bvn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link the PayTag of a BVN to this partner
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["linkPayTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This partner's wallets, newest first
         * @description Needs the partner’s credentials.
         */
        get: operations["listWallets"];
        put?: never;
        /**
         * Open a wallet for a KYC profile
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["createWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/wallet/{reference}/credit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Credit a wallet from the float
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["creditWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/wallet/{reference}/debit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Debit a wallet into the float
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["debitWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/wallet/{reference}/payout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay a bank account out of a wallet
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["createPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/wallet/{reference}/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The account numbers that providers have assigned to a wallet, the oldest first
         * @description Needs the partner’s credentials.
         */
        get: operations["listAccounts"];
        put?: never;
        /**
         * Assign a bank account number to a wallet; a repeated call returns the same one
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["assignAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/terminal/splits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Splits of a terminal, newest first
         * @description Needs the partner’s credentials.
         */
        get: operations["listSplits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/terminal/split/{split}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A split of a terminal, by its reference
         * @description Needs the partner’s credentials.
         */
        get: operations["getSplit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/terminal/split": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a payment at a terminal, to be paid in instalments
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["createSplit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/terminal/split/{split}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a split of which nothing is paid
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["cancelSplit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/float": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What this partner keeps with us, in each currency
         * @description Needs the partner’s credentials.
         */
        get: operations["getFloat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/dispute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Disputes about wallets of this partner, newest first
         * @description Needs the partner’s credentials.
         */
        get: operations["listDisputes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/dispute/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A dispute about a wallet of this partner
         * @description Needs the partner’s credentials.
         */
        get: operations["getDispute"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/dispute/{id}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add evidence to an open dispute about a wallet of this partner
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["addDisputeEvidence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/day/{date}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A day in Africa/Lagos: what the float and all wallets together opened with, what moved, and what was left
         * @description Needs the partner’s credentials.
         */
        get: operations["getDay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/transaction/{reference}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A transaction of this partner by its own reference, or one of its wallets' by ours
         * @description Needs the partner’s credentials.
         */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/wallet/{reference}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What moved a wallet, newest first, with its balance before and after
         * @description Needs the partner’s credentials.
         */
        get: operations["listWalletTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/wallet/{reference}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A wallet of this partner
         * @description Needs the partner’s credentials.
         */
        get: operations["getWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/transaction/{reference}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a transaction back: what is left of it, or an amount
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["refundTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where this partner’s events go
         * @description Needs the partner’s credentials.
         */
        get: operations["getWebhook"];
        /**
         * Send this partner’s events elsewhere; without a URL they are kept until there is one
         * @description Needs the partner’s credentials.
         */
        put: operations["setWebhook"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/webhook/contact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Who is mailed when webhooks to this partner fail, wait or are paused
         * @description Needs the partner’s credentials.
         */
        put: operations["setWebhookContact"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/webhook/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event, webhook.test, as every event is sent
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["sendTestEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/webhook/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find webhook deliveries of this partner, newest first
         * @description Needs the partner’s credentials.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/webhook/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A webhook delivery of this partner with each of its attempts
         * @description Needs the partner’s credentials.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/webhook/deliveries/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver an event once more: a new delivery with attempts of its own
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["resendDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/webhook/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver the events of this partner’s deliveries that match once more
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["replayDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/webhook/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A link, good for an hour, to pages on which a person looks after this partner’s webhooks
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["createPortalLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/webhook/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send this partner nothing until it is resumed; its events are kept
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["pauseWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/webhook/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send this partner its events again, those kept meanwhile first
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["resumeWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/webhook/secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A new webhook secret, shown this once; the one before signs too for a while
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/webhook/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All webhook endpoints of this partner, the default one first
         * @description Needs the partner’s credentials.
         */
        get: operations["listEndpoints"];
        put?: never;
        /**
         * Have this partner’s events sent to another endpoint too; its secret is shown this once
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["createEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/webhook/endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A webhook endpoint of this partner, and how it is doing
         * @description Needs the partner’s credentials.
         */
        get: operations["getEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint; its deliveries stay, and pending ones become FAILED
         * @description Needs the partner’s credentials.
         */
        delete: operations["deleteEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change where a webhook endpoint is, what it is sent and how; what is left out stays
         * @description Needs the partner’s credentials.
         */
        patch: operations["changeEndpoint"];
        trace?: never;
    };
    "/partner/webhook/endpoints/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook endpoint nothing until it is resumed; its events are kept
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["pauseEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/webhook/endpoints/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook endpoint its events again, those kept meanwhile first
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["resumeEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/webhook/endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event, webhook.test, to one webhook endpoint
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["testEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partner/webhook/endpoints/{id}/secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A new secret of a webhook endpoint, shown this once; the one before signs too for a while
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["rotateEndpointSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/auth-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log a customer in: the redirect URL with an authorization code
         * @description Needs the partner’s credentials.
         */
        post: operations["createAuthCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Exchange an authorization code for the customer token
         * @description Needs the partner’s credentials.
         */
        get: operations["exchangeAuthCode"];
        put?: never;
        post?: never;
        /**
         * Log the customer out: whether their session had not ended before
         * @description Needs the partner’s credentials and the customer’s token. The token is refused from now on, and so are the links to statements that were asked for with it.
         */
        delete: operations["logOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/verify-tag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether a PayTag can be had
         * @description Needs the partner’s credentials.
         */
        get: operations["checkPayTag"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/create-tag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start the creation of a PayTag with BVN verification
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["startOnboarding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/{session}/otp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Send a one-time password
         * @description Needs the partner’s credentials.
         */
        get: operations["sendOtp"];
        put?: never;
        /**
         * Validate the one-time password that was sent last
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["validateOtp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/create-tag/{onboarding}/otp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Send a one-time password for a PayTag creation
         * @description Needs the partner’s credentials.
         */
        get: operations["sendOnboardingOtp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/create-tag/{session}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the PayTag, with a password, in a validated session
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["completeOnboarding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a creation session holds, and where it stands
         * @description Needs the partner’s credentials.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start the change of a forgotten password: the OTP operations take its session
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["startPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/password/{session}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the new password in a validated session; every session of the customer ends
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["completePasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/beneficiary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whom the customer has paid at this partner, those paid last first
         * @description Needs the partner’s credentials and the customer’s token.
         */
        get: operations["listBeneficiaries"];
        put?: never;
        post?: never;
        /**
         * Remove a beneficiary: whether there was one
         * @description Needs the partner’s credentials and the customer’s token.
         */
        delete: operations["removeBeneficiary"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/consent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the customer has agreed to on their PayTag, newest first
         * @description Needs the partner’s credentials and the customer’s token.
         */
        get: operations["listConsents"];
        put?: never;
        post?: never;
        /**
         * Take back what the customer has agreed to on their PayTag, for good
         * @description Needs the partner’s credentials and the customer’s token.
         */
        delete: operations["withdrawConsent"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/contact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the customer’s phone and e-mail address, and changes of them under way
         * @description Needs the partner’s credentials and the customer’s token.
         */
        get: operations["getContacts"];
        /**
         * Change the customer’s phone or e-mail address: a code goes to the new one
         * @description Needs the partner’s credentials and the customer’s token. POST /sso/{session}/otp takes the code; GET /sso/{session}/otp sends another. The proven contacts are notified then, and the new one is in force 24 hours later, in the sandbox at once. DELETE /sso/contact and a password reset stop it.
         */
        put: operations["changeContact"];
        post?: never;
        /**
         * Cancel the changes of the customer’s contacts that are not in force yet: whether there was one
         * @description Needs the partner’s credentials and the customer’s token.
         */
        delete: operations["cancelContactChanges"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The customer's wallet at this partner
         * @description Needs the partner’s credentials and the customer’s token.
         */
        get: operations["getCustomerWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/transaction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What moved the customer's wallet, newest first, with its balance before and after
         * @description Needs the partner’s credentials and the customer’s token.
         */
        get: operations["listCustomerTransactions"];
        put?: never;
        /**
         * Pay another PayTag, into its primary wallet
         * @description Needs the partner’s credentials and the customer’s token. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["createTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/transaction/statement/{reference}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A statement that was asked for with Prefer: respond-async
         * @description Needs the partner’s credentials and the customer’s token.
         */
        get: operations["getStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/wallet/limit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the customer may spend today, in Lagos, and what is left of it
         * @description Needs the partner’s credentials and the customer’s token.
         */
        get: operations["getDailyLimit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/qr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A QR code of the public link of the customer's PayTag
         * @description Needs the partner’s credentials and the customer’s token.
         */
        get: operations["getQrCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/payout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay out to the bank account that the customer linked
         * @description Needs the partner’s credentials and the customer’s token. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["createCustomerPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/transaction/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A link to a statement of the customer's wallet
         * @description Needs the partner’s credentials and the customer’s token. Under an `Idempotency-Key` it may be sent again safely. Anyone with the link can open it; it expires after 15 minutes, and with the session. At most 366 days. Every statement has a verification code, which `/statement/verify` checks. With `Prefer: respond-async` it is prepared in the background, and mailed if the customer has an address.
         */
        post: operations["createStatement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sso/wallet/bank-account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The bank account that the customer linked
         * @description Needs the partner’s credentials and the customer’s token.
         */
        get: operations["getBankAccount"];
        put?: never;
        /**
         * Link the customer’s bank account, once the bank says that it is theirs
         * @description Needs the partner’s credentials and the customer’s token. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["linkBankAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/hooks/{mode}/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A test receiver: answers 200, 500, too slowly, or 500 to the first two attempts of an event
         * @description Needs no credentials.
         */
        post: operations["receiveTestEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/wallet/{reference}/credit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Credit a wallet with test money, which needs no float
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["simulateWalletCredit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/wallet/{reference}/debit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Debit a wallet into the float
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["simulateWalletDebit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/payment/gateway": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay at the gateway, into a wallet or your float
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["simulateGatewayPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/payment/terminal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay at one of your terminals
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["simulateTerminalPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/payment/inbound": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a bank transfer to the account number of one of your wallets
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["simulateInboundTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/terminal/{terminal}/split/{split}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay an instalment of a split, or all that remains of it
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["simulateSplitPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/transaction/{reference}/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fail a transaction after the fact: all of it goes back, and it is Reversed
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["simulateFailure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/otp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the one-time password that was sent last in a session
         * @description Needs the partner’s credentials.
         */
        get: operations["getLastOtp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/time": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move time forward for your own records that expire, and for no other caller’s
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["markTimeForward"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which providers you have disturbed, and for how many more calls
         * @description Needs the partner’s credentials.
         */
        get: operations["listDisturbances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/providers/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Make the next answers of a provider fail, time out or come late, for your own calls only
         * @description Needs the partner’s credentials.
         */
        put: operations["disturbProvider"];
        post?: never;
        /**
         * Make a provider answer normally again
         * @description Needs the partner’s credentials.
         */
        delete: operations["calmProvider"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have an event sent to your own receiver as it really looks, though nothing happened
         * @description Needs the partner’s credentials. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["sendEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/hooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The URLs of your test receivers, and what they were sent
         * @description Needs the partner’s credentials.
         */
        get: operations["listReceivedRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/application/transaction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have a test sender offer money to one of your tags, for you to accept or reject
         * @description Needs an application token. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["simulateIncomingTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/application/wallet/credit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Credit your settlement wallet with test money
         * @description Needs an application token. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["simulateSettlementCredit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/application/time": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move time forward for your own records that expire, and for no other caller’s
         * @description Needs an application token. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["markTimeForwardForApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/application/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which providers you have disturbed, and for how many more calls
         * @description Needs an application token.
         */
        get: operations["listDisturbancesForApplication"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/application/providers/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Make the next answers of a provider fail, time out or come late, for your own calls only
         * @description Needs an application token.
         */
        put: operations["disturbProviderForApplication"];
        post?: never;
        /**
         * Make a provider answer normally again
         * @description Needs an application token.
         */
        delete: operations["calmProviderForApplication"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/application/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have an event sent to your own receiver as it really looks, though nothing happened
         * @description Needs an application token. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["sendEventForApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/application/hooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The URLs of your test receivers, and what they were sent
         * @description Needs an application token.
         */
        get: operations["listReceivedRequestsForApplication"];
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
        BankAccount: {
            accountNumber: string;
            bankCode: string;
            bankName: string;
            /** @description As the bank writes it */
            accountName: string;
            /** Format: date-time */
            linkedAt: string;
        };
        Beneficiary: {
            paytag: string;
            name: string;
            imageUrl?: string;
            /** Format: date-time */
            lastPaidAt: string;
        };
        ContactChange: {
            session: string;
            /** @enum {string} */
            status: "STARTED" | "VALIDATED" | "COMPLETED";
            /** @description By which an OTP can be sent */
            channels: ("sms" | "whatsapp" | "email")[];
            /** @description Masked */
            recipients: string[];
            validated: boolean;
            /** Format: date-time */
            expiresAt: string;
        };
        Contacts: {
            phone?: string;
            /** @description Codes and notices go there */
            phoneProven: boolean;
            email?: string;
            /** @description Codes, notices and statements go there */
            emailProven: boolean;
            /** @description Confirmed, and not in force yet */
            changes: {
                /** @enum {string} */
                contact: "phone" | "email";
                /** @description The new contact, masked */
                recipient: string;
                /** Format: date-time */
                inForceAt: string;
            }[];
        };
        CreationPayload: {
            session: string;
            /** @description The same value as session */
            onboarding: string;
            /** @enum {string} */
            status: "STARTED" | "VALIDATED" | "COMPLETED";
            /** @description By which an OTP can be sent */
            channels: ("sms" | "whatsapp" | "email")[];
            /** @description Masked */
            recipients: string[];
            validated: boolean;
            /** Format: date-time */
            expiresAt: string;
            /** @description Its last four digits */
            bvn: string;
            firstName: string;
            lastName: string;
            otherName?: string;
            dateOfBirth: string;
            paytag?: string;
        };
        CreationSession: {
            session: string;
            /** @description The same value as session */
            onboarding: string;
            /** @enum {string} */
            status: "STARTED" | "VALIDATED" | "COMPLETED";
            /** @description By which an OTP can be sent */
            channels: ("sms" | "whatsapp" | "email")[];
            /** @description Masked */
            recipients: string[];
            validated: boolean;
            /** Format: date-time */
            expiresAt: string;
        };
        CustomerConsent: {
            /** Format: uuid */
            id: string;
            /**
             * @description CLAIM: that their PayTag stands for somebody at the application. LINK: that it and a tag there are one person’s
             * @enum {string}
             */
            type: "CLAIM" | "LINK";
            paytag: string;
            /** @description Who asked */
            applicationName: string;
            /** @description Of a claim: for whom it asked */
            name?: string;
            /** @description Of a link: the other tag */
            linkedTo?: string;
            /** Format: date-time */
            approvedAt?: string;
        };
        CustomerWallet: {
            /** Format: int64 */
            ID: number;
            /** Format: date-time */
            CreatedAt: string;
            /** Format: date-time */
            UpdatedAt: string;
            /** @description Major units (naira, points) */
            TotalAmount: number;
            /** @description Major units (naira, points) */
            SuspendedAmount: number;
            /** @description Major units (naira, points) */
            BlockedAmount: number;
            /** @description Major units (naira, points) */
            AvailableAmount: number;
            /** @description Major units (naira, points) */
            Amount: number;
            /** @enum {string} */
            Currency: "NGN" | "FP";
            /** @enum {string} */
            Status: "Enabled" | "Blocked" | "PND" | "PNC";
            Nuban: string;
            /** @description As the partner gave it when the wallet was opened */
            Metadata?: {
                [key: string]: unknown;
            };
            Type?: {
                Name: string;
            };
            PayTag?: components["schemas"]["PayTag"];
            Name?: string;
            /** @description Major units (naira, points) */
            Balance: number;
        };
        DailyLimit: {
            /** @description Major units (naira, points) */
            Limit: number;
            /** @description Major units (naira, points) */
            Spent: number;
            /** @description Major units (naira, points) */
            Remaining: number;
        };
        Day: {
            /** Format: date */
            Date: string;
            /** @description False: the day is not over, and more may come */
            Closed: boolean;
            /** @description Opening and what moved come to closing */
            Ties: boolean;
            items: {
                /**
                 * @description WALLET: all wallets together. FEE, COMMISSION, STAMP_DUTY: what was charged
                 * @enum {string}
                 */
                Account: "FLOAT" | "WALLET" | "FEE" | "COMMISSION" | "STAMP_DUTY";
                /** @enum {string} */
                Currency: "NGN" | "FP";
                /**
                 * @description What transactions of this type moved; left out of all together
                 * @enum {string}
                 */
                Type?: "PARTNER_WALLET_CREDIT" | "PARTNER_WALLET_DEBIT" | "PARTNER_REFUND" | "REVERSAL" | "PARTNER_GATEWAY" | "PARTNER_TERMINAL" | "TRANSFER" | "INBOUND" | "PAYOUT" | "PAYOUT_CORRECTION" | "FLOAT_FUNDING" | "FLOAT_SETTLEMENT" | "APPLICATION_FUNDING" | "APPLICATION_SETTLEMENT" | "REMITTANCE" | "ADJUSTMENT" | "SWITCH";
                /** @description Major units (naira, points) */
                OpeningBalance?: number;
                /** @description Major units (naira, points) */
                In: number;
                /** @description Major units (naira, points) */
                Out: number;
                /** Format: int64 */
                Movements: number;
                /** @description Major units (naira, points) */
                ClosingBalance?: number;
            }[];
        };
        Dispute: {
            /** Format: uuid */
            ID: string;
            TransactionReference: string;
            /** @description Reference of the wallet that received the money */
            Wallet: string;
            /** @description What is disputed, and kept in the wallet until it is decided */
            Amount: number;
            /** @enum {string} */
            Currency: "NGN" | "FP";
            /**
             * @description EXPIRED: the time to answer is over, and the amount is kept until it is decided. WON: the wallet keeps the money. LOST: it went back
             * @enum {string}
             */
            State: "OPEN" | "EXPIRED" | "WON" | "LOST";
            Reason: string;
            /**
             * Format: date-time
             * @description Until then evidence can be added
             */
            RespondBy: string;
            Evidence: {
                /** @enum {string} */
                By: "OPERATOR" | "PARTNER";
                Text: string;
                Link?: string;
                /** Format: date-time */
                CreatedAt: string;
            }[];
            /** @description What went back because the dispute was lost */
            Refunded: number;
            /** @description Of what gave it back: a transaction of the wallet */
            RefundReference?: string;
            /** Format: date-time */
            CreatedAt: string;
            /** Format: date-time */
            ExpiredAt?: string;
            /** Format: date-time */
            DecidedAt?: string;
        };
        Failure: {
            /** @enum {boolean} */
            success: false;
            message: string;
            errorCode: string;
            errors: string[];
            /** Format: date-time */
            timestamp: string;
            requestId: string;
        };
        Float: {
            /** @enum {string} */
            Currency: "NGN" | "FP";
            /** @description What can be paid out: AvailableAmount */
            Balance: number;
            /** @description Major units (naira, points) */
            TotalAmount: number;
            /** @description Major units (naira, points) */
            SuspendedAmount: number;
            /** @description Major units (naira, points) */
            BlockedAmount: number;
            /** @description Major units (naira, points) */
            AvailableAmount: number;
        };
        OtpDispatch: {
            /**
             * @description The channel
             * @enum {string}
             */
            provider: "sms" | "whatsapp" | "email";
            reference: string;
            /** @description Masked */
            recipients: string[];
            validated: boolean;
        };
        PartnerWallet: {
            /** Format: int64 */
            ID: number;
            Reference: string;
            /** Format: date-time */
            RevokedAt: string | null;
            /** Format: date-time */
            CreatedAt: string;
            /** Format: date-time */
            UpdatedAt: string;
            PayTag?: components["schemas"]["PayTag"];
            Wallet: components["schemas"]["Wallet"];
            KycProfile?: {
                /**
                 * Format: int64
                 * @description Your own number of this person
                 */
                ID: number;
                Name: string;
            };
        };
        PasswordReset: {
            session: string;
            /** @enum {string} */
            status: "STARTED" | "VALIDATED" | "COMPLETED";
            validated: boolean;
            /** Format: date-time */
            expiresAt: string;
        };
        PayTag: {
            Tag?: string;
            Name?: string;
            Email?: string;
            Phone?: string;
            ImageUrl?: string;
        };
        /** @description With Prefer: respond-async */
        PendingStatement: {
            reference: string;
            /** @enum {string} */
            status: "Pending";
        };
        RequestedStatement: {
            reference: string;
            /** @enum {string} */
            status: "Pending" | "Ready" | "Failed";
            /** @enum {string} */
            format: "pdf" | "csv" | "html" | "xlsx";
            /** Format: date-time */
            from: string;
            /**
             * Format: date-time
             * @description Not included
             */
            to: string;
            /** Format: date-time */
            createdAt: string;
            /** @description When Failed: the error code of what it failed for, e.g. WALLET_NOT_FOUND where the wallet was revoked meanwhile; INTERNAL_ERROR where the reason is ours */
            failureReason?: string;
            /**
             * Format: date-time
             * @description When a mail server took over the link to it
             */
            mailedAt?: string;
            /**
             * Format: uri
             * @description When Ready: a new link each time
             */
            url?: string;
            /**
             * Format: date-time
             * @description Of the link: in 15 minutes, or with the session
             */
            expiresAt?: string;
        };
        Split: {
            /** @description Major units (naira, points) */
            Amount: number;
            Reference: string;
            /** @description Major units (naira, points) */
            TotalPaid: number;
            /** @description Major units (naira, points) */
            Remaining: number;
            /** @enum {string} */
            Status: "Pending" | "Paid" | "Cancelled" | "Expired";
            Title: string;
            Description?: string;
        };
        SplitList: {
            items: components["schemas"]["Split"][];
            /** Format: int64 */
            count: number;
            /** Format: int64 */
            limit: number;
            /** Format: int64 */
            offset: number;
            /** @description For the next page, as `cursor`; left out of the last */
            nextCursor?: string;
        };
        StatementLink: {
            /** Format: uri */
            url: string;
        };
        Transaction: {
            /** Format: int64 */
            ID: number;
            /** @enum {string} */
            Type: "PARTNER_WALLET_CREDIT" | "PARTNER_WALLET_DEBIT" | "PARTNER_REFUND" | "REVERSAL" | "PARTNER_GATEWAY" | "PARTNER_TERMINAL" | "TRANSFER" | "INBOUND" | "PAYOUT" | "PAYOUT_CORRECTION" | "FLOAT_FUNDING" | "FLOAT_SETTLEMENT" | "APPLICATION_FUNDING" | "APPLICATION_SETTLEMENT" | "REMITTANCE" | "ADJUSTMENT" | "SWITCH";
            /** @description Major units (naira, points) */
            Amount: number;
            /** @description What the payer pays on top. Of a gateway or terminal payment: a part of what is taken from the recipient */
            Fee: number;
            /** @description Major units (naira, points) */
            Commission: number;
            /** @description What the recipient gets: what is taken from it is Amount less Net */
            Net: number;
            /** @enum {string} */
            Currency: "NGN" | "FP";
            /** @enum {string} */
            Status: "Pending" | "Successful" | "Failed" | "Reversed";
            /** @description Of one that is Failed: the errorCode that it was declined with */
            FailureReason?: string;
            /**
             * @description While it is Pending: what keeps the money from where it is to go
             * @enum {string}
             */
            PendingReason?: "WALLET_BLOCKED" | "WALLET_PNC" | "WALLET_REVOKED" | "CURRENCY_MISMATCH" | "BALANCE_EXCEEDED" | "SPLIT_OVERPAYMENT" | "SPLIT_NOT_PAYABLE";
            Reference: string;
            ExternalReference?: string;
            Comment?: string;
            /** @description Where it is read: the bank account that a payout went to, or came back from */
            Payee?: {
                BankName: string;
                BankCode: string;
                /** @description Its last four digits */
                AccountNumber: string;
                AccountName: string;
            };
            /** @description Major units (naira, points) */
            OpeningBalance?: number;
            /** @description Major units (naira, points) */
            ClosingBalance?: number;
            /** Format: date-time */
            CreatedAt: string;
            /** Format: date-time */
            CompletedAt?: string;
            Metadata?: {
                [key: string]: unknown;
            };
        };
        Wallet: {
            /** Format: int64 */
            ID: number;
            /** Format: date-time */
            CreatedAt: string;
            /** Format: date-time */
            UpdatedAt: string;
            /** @description Major units (naira, points) */
            TotalAmount: number;
            /** @description Major units (naira, points) */
            SuspendedAmount: number;
            /** @description Major units (naira, points) */
            BlockedAmount: number;
            /** @description Major units (naira, points) */
            AvailableAmount: number;
            /** @description Major units (naira, points) */
            Amount: number;
            /** @enum {string} */
            Currency: "NGN" | "FP";
            /** @enum {string} */
            Status: "Enabled" | "Blocked" | "PND" | "PNC";
            Nuban: string;
            /** @description As the partner gave it when the wallet was opened */
            Metadata?: {
                [key: string]: unknown;
            };
            Type?: {
                Name: string;
            };
            PayTag?: components["schemas"]["PayTag"];
            Name?: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createPayTag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Letters, spaces, apostrophes, hyphens and periods */
                    firstName: string;
                    /** @description Letters, spaces, apostrophes, hyphens and periods */
                    lastName: string;
                    /** @description As a name; shown in the name if the register holds it for the BVN, in the sandbox any but Unregistered, and kept otherwise */
                    otherName?: string;
                    /** @description Takes codes and statements if the register holds it for the BVN, in the sandbox any but those at unregistered.example; another is kept and shown, and takes neither until it is proven */
                    email?: string;
                    /** @description A mobile number that the register holds for the BVN, of Nigeria where it names no country (also 00234… and tel:+234…); in the sandbox any but those ending in 0000 */
                    phone: string;
                    bvn: string;
                    /** @description YYYY-MM-DD or 1990/05/17, or day first: 17-05-1990, 17/05/1990, 17.05.1990, 17-May-1990. Of a date-time with an offset its day in Africa/Lagos, without one its date */
                    dateOfBirth?: string;
                    imageUrl?: string;
                    address?: string;
                    tag: string;
                    /** @description Shown as Wallet.Metadata */
                    metadata?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Done: Create a customer with PayTag and wallet */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PartnerWallet"];
                };
            };
        };
    };
    linkPayTag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                bvn: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: Link the PayTag of a BVN to this partner */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PartnerWallet"];
                };
            };
        };
    };
    listWallets: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description nextCursor of the previous page: continues after it; offset counts from there */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description This partner's wallets, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["PartnerWallet"][];
                        /** Format: int64 */
                        count: number;
                        /** Format: int64 */
                        limit: number;
                        /** Format: int64 */
                        offset: number;
                        /** @description For the next page, as `cursor`; left out of the last */
                        nextCursor?: string;
                        /**
                         * @description Where count is an estimate, of more than 10000; left out where it is exact
                         * @enum {boolean}
                         */
                        countIsExact?: false;
                    };
                };
            };
        };
    };
    createWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The names of a person */
                    kyc?: {
                        /** @description Letters, spaces, apostrophes, hyphens and periods */
                        firstName: string;
                        /** @description Letters, spaces, apostrophes, hyphens and periods */
                        lastName: string;
                        /** @description Letters, spaces, apostrophes, hyphens and periods */
                        otherName?: string;
                    };
                    /**
                     * Format: int64
                     * @description Your own number of this person, 1 or more
                     */
                    profileId?: number;
                    /**
                     * @default NGN
                     * @enum {string}
                     */
                    currency?: "NGN" | "FP";
                    /** @description Shown as Wallet.Metadata */
                    metadata?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Done: Open a wallet for a KYC profile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PartnerWallet"];
                };
            };
        };
    };
    creditWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                reference: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Major units (naira, points), at most two decimals */
                    amount: number;
                    reference: string;
                    externalReference?: string;
                    comment?: string;
                    metadata?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Done: Credit a wallet from the float */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    debitWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                reference: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Major units (naira, points), at most two decimals */
                    amount: number;
                    reference: string;
                    externalReference?: string;
                    comment?: string;
                    metadata?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Done: Debit a wallet into the float */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    createPayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                reference: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Major units (naira, points), at most two decimals */
                    amount: number;
                    reference: string;
                    accountNumber: string;
                    bankCode: string;
                    /** @description Whose the account is, where it is not the wallet’s owner’s: every word of it stands in the bank’s name */
                    accountName?: string;
                    comment?: string;
                };
            };
        };
        responses: {
            /** @description Done: Pay a bank account out of a wallet */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    listAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                reference: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account numbers that providers have assigned to a wallet, the oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            /** @description Money that is paid to it reaches the wallet */
                            AccountNumber: string;
                            BankName: string;
                            BankCode: string;
                            /** @description As the payer sees it */
                            AccountName: string;
                            Provider: string;
                            /** Format: date-time */
                            CreatedAt: string;
                        }[];
                        /** Format: int64 */
                        count: number;
                    };
                };
            };
        };
    };
    assignAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                reference: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: Assign a bank account number to a wallet; a repeated call returns the same one */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Money that is paid to it reaches the wallet */
                        AccountNumber: string;
                        BankName: string;
                        BankCode: string;
                        /** @description As the payer sees it */
                        AccountName: string;
                        Provider: string;
                        /** Format: date-time */
                        CreatedAt: string;
                    };
                };
            };
        };
    };
    listSplits: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description nextCursor of the previous page: continues after it; offset counts from there */
                cursor?: string;
            };
            header: {
                /** @description Serial number of the terminal */
                "x-terminal": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Splits of a terminal, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SplitList"];
                };
            };
        };
    };
    getSplit: {
        parameters: {
            query?: never;
            header: {
                /** @description Serial number of the terminal */
                "x-terminal": string;
            };
            path: {
                split: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A split of a terminal, by its reference */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Split"];
                };
            };
        };
    };
    createSplit: {
        parameters: {
            query?: never;
            header: {
                /** @description Serial number of the terminal */
                "x-terminal": string;
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Major units (naira, points), at most two decimals */
                    amount: number;
                    title: string;
                    description?: string;
                    reference?: string;
                    /** Format: date-time */
                    expiresAt?: string;
                };
            };
        };
        responses: {
            /** @description Done: Ask for a payment at a terminal, to be paid in instalments */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Split"];
                };
            };
        };
    };
    cancelSplit: {
        parameters: {
            query?: never;
            header: {
                /** @description Serial number of the terminal */
                "x-terminal": string;
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                split: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: Cancel a split of which nothing is paid */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Split"];
                };
            };
        };
    };
    getFloat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What this partner keeps with us, in each currency */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Float"][];
                    };
                };
            };
        };
    };
    listDisputes: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description nextCursor of the previous page: continues after it; offset counts from there */
                cursor?: string;
                state?: "OPEN" | "EXPIRED" | "WON" | "LOST";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Disputes about wallets of this partner, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Dispute"][];
                        /** Format: int64 */
                        count: number;
                        /** Format: int64 */
                        limit: number;
                        /** Format: int64 */
                        offset: number;
                        /** @description For the next page, as `cursor`; left out of the last */
                        nextCursor?: string;
                        /**
                         * @description Where count is an estimate, of more than 10000; left out where it is exact
                         * @enum {boolean}
                         */
                        countIsExact?: false;
                    };
                };
            };
        };
    };
    getDispute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A dispute about a wallet of this partner */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispute"];
                };
            };
        };
    };
    addDisputeEvidence: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    text: string;
                    /** @description Where there is more of it */
                    link?: string;
                };
            };
        };
        responses: {
            /** @description Done: Add evidence to an open dispute about a wallet of this partner */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dispute"];
                };
            };
        };
    };
    getDay: {
        parameters: {
            query?: {
                /** @description csv: a file with a row for each item */
                format?: "json" | "csv";
            };
            header?: never;
            path: {
                /** @description A day in Africa/Lagos */
                date: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The day */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Day"];
                    "text/csv": string;
                };
            };
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                reference: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A transaction of this partner by its own reference, or one of its wallets' by ours */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    listWalletTransactions: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description nextCursor of the previous page: continues after it; offset counts from there */
                cursor?: string;
            };
            header?: never;
            path: {
                reference: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What moved a wallet, newest first, with its balance before and after */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Transaction"][];
                        /** Format: int64 */
                        count: number;
                        /** Format: int64 */
                        limit: number;
                        /** Format: int64 */
                        offset: number;
                        /** @description For the next page, as `cursor`; left out of the last */
                        nextCursor?: string;
                        /**
                         * @description Where count is an estimate, of more than 10000; left out where it is exact
                         * @enum {boolean}
                         */
                        countIsExact?: false;
                    };
                };
            };
        };
    };
    getWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                reference: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A wallet of this partner */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PartnerWallet"];
                };
            };
        };
    };
    refundTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                reference: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reference: string;
                    /** @description Major units (naira, points), at most two decimals */
                    amount?: number;
                    comment?: string;
                };
            };
        };
        responses: {
            /** @description Done: Give a transaction back: what is left of it, or an amount */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where this partner’s events go */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Without it events are kept */
                        url?: string;
                        /** @enum {string} */
                        status: "ACTIVE" | "PAUSED";
                        /** Format: date-time */
                        pausedAt?: string;
                        /** @enum {string} */
                        pausedBy?: "OPERATOR" | "OWNER" | "SYSTEM";
                        pauseReason?: string;
                        /**
                         * Format: int64
                         * @description Pending deliveries, those being sent included
                         */
                        pending: number;
                        /**
                         * @description Where pending is an estimate, of more than 10000; left out where it is exact
                         * @enum {boolean}
                         */
                        pendingIsExact?: false;
                        /**
                         * Format: date-time
                         * @description When the first of them is or was due
                         */
                        oldestDueAt?: string;
                        secret: {
                            /** Format: date-time */
                            since: string;
                            /**
                             * Format: date-time
                             * @description Until then the secret before it signs too
                             */
                            previousUntil?: string;
                        };
                        /** @description The addresses and ranges that we send from; empty if they are not published */
                        sourceAddresses: string[];
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        updatedAt: string;
                    };
                };
            };
        };
    };
    setWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    url: string | null;
                };
            };
        };
        responses: {
            /** @description Done: Send this partner’s events elsewhere; without a URL they are kept until there is one */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Without it events are kept */
                        url?: string;
                        /** @enum {string} */
                        status: "ACTIVE" | "PAUSED";
                        /** Format: date-time */
                        pausedAt?: string;
                        /** @enum {string} */
                        pausedBy?: "OPERATOR" | "OWNER" | "SYSTEM";
                        pauseReason?: string;
                        /**
                         * Format: int64
                         * @description Pending deliveries, those being sent included
                         */
                        pending: number;
                        /**
                         * @description Where pending is an estimate, of more than 10000; left out where it is exact
                         * @enum {boolean}
                         */
                        pendingIsExact?: false;
                        /**
                         * Format: date-time
                         * @description When the first of them is or was due
                         */
                        oldestDueAt?: string;
                        secret: {
                            /** Format: date-time */
                            since: string;
                            /**
                             * Format: date-time
                             * @description Until then the secret before it signs too
                             */
                            previousUntil?: string;
                        };
                        /** @description The addresses and ranges that we send from; empty if they are not published */
                        sourceAddresses: string[];
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        updatedAt: string;
                    };
                };
            };
        };
    };
    setWebhookContact: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string | null;
                };
            };
        };
        responses: {
            /** @description Done: Who is mailed when webhooks to this partner fail, wait or are paused */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Without it no one is notified */
                        email?: string;
                    };
                };
            };
        };
    };
    sendTestEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: Send a test event, webhook.test, as every event is sent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        eventId: string;
                        /** @enum {string} */
                        event: "wallet.credited" | "wallet.debited" | "transaction.status" | "webhook.test" | "endpoint.paused" | "endpoint.recovered" | "delivery.failed" | "dispute.opened" | "dispute.expired" | "dispute.decided" | "payout.sent" | "payout.successful" | "payout.failed" | "payout.reversed" | "CONSENT_REQUESTED" | "CONSENT_CONFIRMED" | "CONSENT_APPROVED" | "CONSENT_REJECTED" | "CONSENT_CANCELLED" | "CONSENT_EXPIRED" | "CONSENT_REVOKED" | "FEDERATION_CHALLENGE" | "FEDERATION_VERIFIED" | "FEDERATION_REJECTED" | "FEDERATION_FAILED" | "FEDERATION_EXPIRED" | "FEDERATION_REVOKED" | "TRANSACTION_INITIATED" | "TRANSACTION_ACCEPTED" | "TRANSACTION_REJECTED" | "TRANSACTION_CANCELLED" | "TRANSACTION_EXPIRED";
                        reference: string;
                        /**
                         * Format: uuid
                         * @description The failed delivery whose event this one resends automatically, now that its receiver is healthy
                         */
                        replayOf?: string;
                        /** @enum {string} */
                        ownerKind: "PARTNER" | "APPLICATION";
                        /** Format: uuid */
                        ownerId: string;
                        /**
                         * Format: uuid
                         * @description The webhook endpoint it goes to
                         */
                        endpointId: string;
                        /** @enum {string} */
                        status: "PENDING" | "DELIVERED" | "FAILED";
                        attempts: {
                            /** Format: int64 */
                            number: number;
                            /** Format: date-time */
                            at: string;
                            /** @description Where it went, which may be elsewhere than where its receiver is now; left out of attempts before this was kept */
                            url?: string;
                            /** Format: int64 */
                            statusCode?: number;
                            /** Format: int64 */
                            durationMs?: number;
                            error?: string;
                            response?: string;
                        }[];
                        lastError?: string;
                        /** Format: date-time */
                        lastAttemptAt?: string;
                        /** Format: date-time */
                        deliveredAt?: string;
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        updatedAt: string;
                    };
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description nextCursor of the previous page: continues after it; offset counts from there */
                cursor?: string;
                /** @description Only those to this webhook endpoint */
                endpointId?: string;
                /** @description Name of the event, as wallet.credited */
                event?: string;
                /** @description What lastError says, as timeout; status 5xx means each such status */
                error?: string;
                /** @description It was made then or later */
                from?: string;
                /** @description It was made before */
                to?: string;
                status?: "PENDING" | "DELIVERED" | "FAILED";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Find webhook deliveries of this partner, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            eventId: string;
                            /** @enum {string} */
                            event: "wallet.credited" | "wallet.debited" | "transaction.status" | "webhook.test" | "endpoint.paused" | "endpoint.recovered" | "delivery.failed" | "dispute.opened" | "dispute.expired" | "dispute.decided" | "payout.sent" | "payout.successful" | "payout.failed" | "payout.reversed" | "CONSENT_REQUESTED" | "CONSENT_CONFIRMED" | "CONSENT_APPROVED" | "CONSENT_REJECTED" | "CONSENT_CANCELLED" | "CONSENT_EXPIRED" | "CONSENT_REVOKED" | "FEDERATION_CHALLENGE" | "FEDERATION_VERIFIED" | "FEDERATION_REJECTED" | "FEDERATION_FAILED" | "FEDERATION_EXPIRED" | "FEDERATION_REVOKED" | "TRANSACTION_INITIATED" | "TRANSACTION_ACCEPTED" | "TRANSACTION_REJECTED" | "TRANSACTION_CANCELLED" | "TRANSACTION_EXPIRED";
                            reference: string;
                            /**
                             * Format: uuid
                             * @description The failed delivery whose event this one resends automatically, now that its receiver is healthy
                             */
                            replayOf?: string;
                            /** @enum {string} */
                            ownerKind: "PARTNER" | "APPLICATION";
                            /** Format: uuid */
                            ownerId: string;
                            /**
                             * Format: uuid
                             * @description The webhook endpoint it goes to
                             */
                            endpointId: string;
                            /** @enum {string} */
                            status: "PENDING" | "DELIVERED" | "FAILED";
                            /** Format: int64 */
                            attempts: number;
                            lastError?: string;
                            /** Format: date-time */
                            lastAttemptAt?: string;
                            /** Format: date-time */
                            deliveredAt?: string;
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            updatedAt: string;
                        }[];
                        /** Format: int64 */
                        count: number;
                        /** Format: int64 */
                        limit: number;
                        /** Format: int64 */
                        offset: number;
                        /** @description For the next page, as `cursor`; left out of the last */
                        nextCursor?: string;
                        /**
                         * @description Where count is an estimate, of more than 10000; left out where it is exact
                         * @enum {boolean}
                         */
                        countIsExact?: false;
                    };
                };
            };
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A webhook delivery of this partner with each of its attempts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        eventId: string;
                        /** @enum {string} */
                        event: "wallet.credited" | "wallet.debited" | "transaction.status" | "webhook.test" | "endpoint.paused" | "endpoint.recovered" | "delivery.failed" | "dispute.opened" | "dispute.expired" | "dispute.decided" | "payout.sent" | "payout.successful" | "payout.failed" | "payout.reversed" | "CONSENT_REQUESTED" | "CONSENT_CONFIRMED" | "CONSENT_APPROVED" | "CONSENT_REJECTED" | "CONSENT_CANCELLED" | "CONSENT_EXPIRED" | "CONSENT_REVOKED" | "FEDERATION_CHALLENGE" | "FEDERATION_VERIFIED" | "FEDERATION_REJECTED" | "FEDERATION_FAILED" | "FEDERATION_EXPIRED" | "FEDERATION_REVOKED" | "TRANSACTION_INITIATED" | "TRANSACTION_ACCEPTED" | "TRANSACTION_REJECTED" | "TRANSACTION_CANCELLED" | "TRANSACTION_EXPIRED";
                        reference: string;
                        /**
                         * Format: uuid
                         * @description The failed delivery whose event this one resends automatically, now that its receiver is healthy
                         */
                        replayOf?: string;
                        /** @enum {string} */
                        ownerKind: "PARTNER" | "APPLICATION";
                        /** Format: uuid */
                        ownerId: string;
                        /**
                         * Format: uuid
                         * @description The webhook endpoint it goes to
                         */
                        endpointId: string;
                        /** @enum {string} */
                        status: "PENDING" | "DELIVERED" | "FAILED";
                        attempts: {
                            /** Format: int64 */
                            number: number;
                            /** Format: date-time */
                            at: string;
                            /** @description Where it went, which may be elsewhere than where its receiver is now; left out of attempts before this was kept */
                            url?: string;
                            /** Format: int64 */
                            statusCode?: number;
                            /** Format: int64 */
                            durationMs?: number;
                            error?: string;
                            response?: string;
                        }[];
                        lastError?: string;
                        /** Format: date-time */
                        lastAttemptAt?: string;
                        /** Format: date-time */
                        deliveredAt?: string;
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        updatedAt: string;
                    };
                };
            };
        };
    };
    resendDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: Deliver an event once more: a new delivery with attempts of its own */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        eventId: string;
                        /** @enum {string} */
                        event: "wallet.credited" | "wallet.debited" | "transaction.status" | "webhook.test" | "endpoint.paused" | "endpoint.recovered" | "delivery.failed" | "dispute.opened" | "dispute.expired" | "dispute.decided" | "payout.sent" | "payout.successful" | "payout.failed" | "payout.reversed" | "CONSENT_REQUESTED" | "CONSENT_CONFIRMED" | "CONSENT_APPROVED" | "CONSENT_REJECTED" | "CONSENT_CANCELLED" | "CONSENT_EXPIRED" | "CONSENT_REVOKED" | "FEDERATION_CHALLENGE" | "FEDERATION_VERIFIED" | "FEDERATION_REJECTED" | "FEDERATION_FAILED" | "FEDERATION_EXPIRED" | "FEDERATION_REVOKED" | "TRANSACTION_INITIATED" | "TRANSACTION_ACCEPTED" | "TRANSACTION_REJECTED" | "TRANSACTION_CANCELLED" | "TRANSACTION_EXPIRED";
                        reference: string;
                        /**
                         * Format: uuid
                         * @description The failed delivery whose event this one resends automatically, now that its receiver is healthy
                         */
                        replayOf?: string;
                        /** @enum {string} */
                        ownerKind: "PARTNER" | "APPLICATION";
                        /** Format: uuid */
                        ownerId: string;
                        /**
                         * Format: uuid
                         * @description The webhook endpoint it goes to
                         */
                        endpointId: string;
                        /** @enum {string} */
                        status: "PENDING" | "DELIVERED" | "FAILED";
                        attempts: {
                            /** Format: int64 */
                            number: number;
                            /** Format: date-time */
                            at: string;
                            /** @description Where it went, which may be elsewhere than where its receiver is now; left out of attempts before this was kept */
                            url?: string;
                            /** Format: int64 */
                            statusCode?: number;
                            /** Format: int64 */
                            durationMs?: number;
                            error?: string;
                            response?: string;
                        }[];
                        lastError?: string;
                        /** Format: date-time */
                        lastAttemptAt?: string;
                        /** Format: date-time */
                        deliveredAt?: string;
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        updatedAt: string;
                    };
                };
            };
        };
    };
    replayDeliveries: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Only those to this webhook endpoint
                     */
                    endpointId?: string;
                    /** @description Name of the event, as wallet.credited */
                    event?: string;
                    /** @description What lastError says, as timeout; status 5xx means each such status */
                    error?: string;
                    /**
                     * Format: date-time
                     * @description The event was written then or later
                     */
                    from?: string;
                    /**
                     * Format: date-time
                     * @description The event was written before
                     */
                    to?: string;
                    /** @enum {string} */
                    status?: "FAILED" | "DELIVERED";
                    /**
                     * Format: uuid
                     * @description Continues after this event: next of an earlier answer
                     */
                    after?: string;
                    /**
                     * @description Only says what would be replayed
                     * @default false
                     */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Done: Deliver the events of this partner’s deliveries that match once more */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        dryRun: boolean;
                        /**
                         * Format: int64
                         * @description Deliveries that match, whose event was not sent again since; 10000 at most
                         */
                        matched: number;
                        /**
                         * Format: int64
                         * @description New deliveries: at most 1000 in one call, one for each event
                         */
                        replayed: number;
                        /**
                         * Format: int64
                         * @description Those that match and were not replayed
                         */
                        left: number;
                        /** @description Ids of up to 20 that match, the oldest event first */
                        sample: string[];
                        /**
                         * Format: uuid
                         * @description Send it as after to continue, while some are left
                         */
                        next?: string;
                    };
                };
            };
        };
    };
    createPortalLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: A link, good for an hour, to pages on which a person looks after this partner’s webhooks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Anyone with the link sees this partner’s webhooks */
                        url: string;
                        /** Format: date-time */
                        expiresAt: string;
                    };
                };
            };
        };
    };
    pauseWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Done: Send this partner nothing until it is resumed; its events are kept */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Without it events are kept */
                        url?: string;
                        /** @enum {string} */
                        status: "ACTIVE" | "PAUSED";
                        /** Format: date-time */
                        pausedAt?: string;
                        /** @enum {string} */
                        pausedBy?: "OPERATOR" | "OWNER" | "SYSTEM";
                        pauseReason?: string;
                        /**
                         * Format: int64
                         * @description Pending deliveries, those being sent included
                         */
                        pending: number;
                        /**
                         * @description Where pending is an estimate, of more than 10000; left out where it is exact
                         * @enum {boolean}
                         */
                        pendingIsExact?: false;
                        /**
                         * Format: date-time
                         * @description When the first of them is or was due
                         */
                        oldestDueAt?: string;
                        secret: {
                            /** Format: date-time */
                            since: string;
                            /**
                             * Format: date-time
                             * @description Until then the secret before it signs too
                             */
                            previousUntil?: string;
                        };
                        /** @description The addresses and ranges that we send from; empty if they are not published */
                        sourceAddresses: string[];
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        updatedAt: string;
                    };
                };
            };
        };
    };
    resumeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: Send this partner its events again, those kept meanwhile first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Without it events are kept */
                        url?: string;
                        /** @enum {string} */
                        status: "ACTIVE" | "PAUSED";
                        /** Format: date-time */
                        pausedAt?: string;
                        /** @enum {string} */
                        pausedBy?: "OPERATOR" | "OWNER" | "SYSTEM";
                        pauseReason?: string;
                        /**
                         * Format: int64
                         * @description Pending deliveries, those being sent included
                         */
                        pending: number;
                        /**
                         * @description Where pending is an estimate, of more than 10000; left out where it is exact
                         * @enum {boolean}
                         */
                        pendingIsExact?: false;
                        /**
                         * Format: date-time
                         * @description When the first of them is or was due
                         */
                        oldestDueAt?: string;
                        secret: {
                            /** Format: date-time */
                            since: string;
                            /**
                             * Format: date-time
                             * @description Until then the secret before it signs too
                             */
                            previousUntil?: string;
                        };
                        /** @description The addresses and ranges that we send from; empty if they are not published */
                        sourceAddresses: string[];
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        updatedAt: string;
                    };
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description The previous secret stops signing at once, instead of signing with the new one for a while
                     * @default false
                     */
                    immediately?: boolean;
                };
            };
        };
        responses: {
            /** @description Done: A new webhook secret, shown this once; the one before signs too for a while */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhookSecret: string;
                        /**
                         * Format: date-time
                         * @description Until then the secret before it signs too
                         */
                        previousUntil?: string;
                    };
                };
            };
        };
    };
    listEndpoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All webhook endpoints of this partner, the default one first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            /** Format: uuid */
                            id: string;
                            /** @description It is the one that /v2/partner/webhook speaks of */
                            isDefault: boolean;
                            /** @description Without it events are kept */
                            url?: string;
                            description?: string;
                            /** @description Those it is sent; none: all of the contract */
                            events: string[];
                            /** @description Of the headers of its own */
                            headerNames: string[];
                            /**
                             * Format: int64
                             * @description Requests a second, at most
                             */
                            rate?: number;
                            ordered: boolean;
                            /** @enum {string} */
                            status: "ACTIVE" | "PAUSED";
                            /** Format: date-time */
                            pausedAt?: string;
                            /** @enum {string} */
                            pausedBy?: "OPERATOR" | "OWNER" | "SYSTEM";
                            pauseReason?: string;
                            /**
                             * Format: int64
                             * @description Pending deliveries, those being sent included
                             */
                            pending: number;
                            /**
                             * @description Where pending is an estimate, of more than 10000; left out where it is exact
                             * @enum {boolean}
                             */
                            pendingIsExact?: false;
                            /**
                             * Format: date-time
                             * @description When the first of them is or was due
                             */
                            oldestDueAt?: string;
                            secret: {
                                /** Format: date-time */
                                since: string;
                                /**
                                 * Format: date-time
                                 * @description Until then the secret before it signs too
                                 */
                                previousUntil?: string;
                            };
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            updatedAt: string;
                        }[];
                        /** Format: int64 */
                        count: number;
                    };
                };
            };
        };
    };
    createEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    url: string;
                    description?: string;
                    /** @description Those it is sent; none named: all, except those about endpoints, disputes and payouts: delivery.failed, endpoint.…, dispute.…, payout.… */
                    events?: ("transaction.status" | "wallet.credited" | "wallet.debited" | "delivery.failed" | "endpoint.paused" | "endpoint.recovered" | "dispute.opened" | "dispute.expired" | "dispute.decided" | "payout.sent" | "payout.successful" | "payout.failed" | "payout.reversed")[];
                    /** @description Sent with each request. They are kept encrypted, and only their names are shown */
                    headers?: {
                        [key: string]: string;
                    };
                    /**
                     * Format: int32
                     * @description Requests a second, at most; without one as many as it takes
                     */
                    rate?: number;
                    /** @description Of one wallet one event at a time, in order: each waits until the one before has ended */
                    ordered?: boolean;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @description It is the one that /v2/partner/webhook speaks of */
                        isDefault: boolean;
                        /** @description Without it events are kept */
                        url?: string;
                        description?: string;
                        /** @description Those it is sent; none: all of the contract */
                        events: string[];
                        /** @description Of the headers of its own */
                        headerNames: string[];
                        /**
                         * Format: int64
                         * @description Requests a second, at most
                         */
                        rate?: number;
                        ordered: boolean;
                        /** @enum {string} */
                        status: "ACTIVE" | "PAUSED";
                        /** Format: date-time */
                        pausedAt?: string;
                        /** @enum {string} */
                        pausedBy?: "OPERATOR" | "OWNER" | "SYSTEM";
                        pauseReason?: string;
                        /**
                         * Format: int64
                         * @description Pending deliveries, those being sent included
                         */
                        pending: number;
                        /**
                         * @description Where pending is an estimate, of more than 10000; left out where it is exact
                         * @enum {boolean}
                         */
                        pendingIsExact?: false;
                        /**
                         * Format: date-time
                         * @description When the first of them is or was due
                         */
                        oldestDueAt?: string;
                        secret: {
                            /** Format: date-time */
                            since: string;
                            /**
                             * Format: date-time
                             * @description Until then the secret before it signs too
                             */
                            previousUntil?: string;
                        };
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        updatedAt: string;
                        webhookSecret: string;
                    };
                };
            };
        };
    };
    getEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A webhook endpoint of this partner, and how it is doing */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @description It is the one that /v2/partner/webhook speaks of */
                        isDefault: boolean;
                        /** @description Without it events are kept */
                        url?: string;
                        description?: string;
                        /** @description Those it is sent; none: all of the contract */
                        events: string[];
                        /** @description Of the headers of its own */
                        headerNames: string[];
                        /**
                         * Format: int64
                         * @description Requests a second, at most
                         */
                        rate?: number;
                        ordered: boolean;
                        /** @enum {string} */
                        status: "ACTIVE" | "PAUSED";
                        /** Format: date-time */
                        pausedAt?: string;
                        /** @enum {string} */
                        pausedBy?: "OPERATOR" | "OWNER" | "SYSTEM";
                        pauseReason?: string;
                        /**
                         * Format: int64
                         * @description Pending deliveries, those being sent included
                         */
                        pending: number;
                        /**
                         * @description Where pending is an estimate, of more than 10000; left out where it is exact
                         * @enum {boolean}
                         */
                        pendingIsExact?: false;
                        /**
                         * Format: date-time
                         * @description When the first of them is or was due
                         */
                        oldestDueAt?: string;
                        secret: {
                            /** Format: date-time */
                            since: string;
                            /**
                             * Format: date-time
                             * @description Until then the secret before it signs too
                             */
                            previousUntil?: string;
                        };
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        updatedAt: string;
                    };
                };
            };
        };
    };
    deleteEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    url?: string;
                    description?: string | null;
                    /** @description Those it is sent; none named: all, except those about endpoints, disputes and payouts: delivery.failed, endpoint.…, dispute.…, payout.… */
                    events?: ("transaction.status" | "wallet.credited" | "wallet.debited" | "delivery.failed" | "endpoint.paused" | "endpoint.recovered" | "dispute.opened" | "dispute.expired" | "dispute.decided" | "payout.sent" | "payout.successful" | "payout.failed" | "payout.reversed")[] | null;
                    /** @description Sent with each request. They are kept encrypted, and only their names are shown */
                    headers?: {
                        [key: string]: string;
                    } | null;
                    /**
                     * Format: int32
                     * @description Requests a second, at most; without one as many as it takes
                     */
                    rate?: number | null;
                    /** @description Of one wallet one event at a time, in order: each waits until the one before has ended */
                    ordered?: boolean;
                };
            };
        };
        responses: {
            /** @description Done: Change where a webhook endpoint is, what it is sent and how; what is left out stays */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @description It is the one that /v2/partner/webhook speaks of */
                        isDefault: boolean;
                        /** @description Without it events are kept */
                        url?: string;
                        description?: string;
                        /** @description Those it is sent; none: all of the contract */
                        events: string[];
                        /** @description Of the headers of its own */
                        headerNames: string[];
                        /**
                         * Format: int64
                         * @description Requests a second, at most
                         */
                        rate?: number;
                        ordered: boolean;
                        /** @enum {string} */
                        status: "ACTIVE" | "PAUSED";
                        /** Format: date-time */
                        pausedAt?: string;
                        /** @enum {string} */
                        pausedBy?: "OPERATOR" | "OWNER" | "SYSTEM";
                        pauseReason?: string;
                        /**
                         * Format: int64
                         * @description Pending deliveries, those being sent included
                         */
                        pending: number;
                        /**
                         * @description Where pending is an estimate, of more than 10000; left out where it is exact
                         * @enum {boolean}
                         */
                        pendingIsExact?: false;
                        /**
                         * Format: date-time
                         * @description When the first of them is or was due
                         */
                        oldestDueAt?: string;
                        secret: {
                            /** Format: date-time */
                            since: string;
                            /**
                             * Format: date-time
                             * @description Until then the secret before it signs too
                             */
                            previousUntil?: string;
                        };
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        updatedAt: string;
                    };
                };
            };
        };
    };
    pauseEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Done: Send a webhook endpoint nothing until it is resumed; its events are kept */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @description It is the one that /v2/partner/webhook speaks of */
                        isDefault: boolean;
                        /** @description Without it events are kept */
                        url?: string;
                        description?: string;
                        /** @description Those it is sent; none: all of the contract */
                        events: string[];
                        /** @description Of the headers of its own */
                        headerNames: string[];
                        /**
                         * Format: int64
                         * @description Requests a second, at most
                         */
                        rate?: number;
                        ordered: boolean;
                        /** @enum {string} */
                        status: "ACTIVE" | "PAUSED";
                        /** Format: date-time */
                        pausedAt?: string;
                        /** @enum {string} */
                        pausedBy?: "OPERATOR" | "OWNER" | "SYSTEM";
                        pauseReason?: string;
                        /**
                         * Format: int64
                         * @description Pending deliveries, those being sent included
                         */
                        pending: number;
                        /**
                         * @description Where pending is an estimate, of more than 10000; left out where it is exact
                         * @enum {boolean}
                         */
                        pendingIsExact?: false;
                        /**
                         * Format: date-time
                         * @description When the first of them is or was due
                         */
                        oldestDueAt?: string;
                        secret: {
                            /** Format: date-time */
                            since: string;
                            /**
                             * Format: date-time
                             * @description Until then the secret before it signs too
                             */
                            previousUntil?: string;
                        };
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        updatedAt: string;
                    };
                };
            };
        };
    };
    resumeEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: Send a webhook endpoint its events again, those kept meanwhile first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @description It is the one that /v2/partner/webhook speaks of */
                        isDefault: boolean;
                        /** @description Without it events are kept */
                        url?: string;
                        description?: string;
                        /** @description Those it is sent; none: all of the contract */
                        events: string[];
                        /** @description Of the headers of its own */
                        headerNames: string[];
                        /**
                         * Format: int64
                         * @description Requests a second, at most
                         */
                        rate?: number;
                        ordered: boolean;
                        /** @enum {string} */
                        status: "ACTIVE" | "PAUSED";
                        /** Format: date-time */
                        pausedAt?: string;
                        /** @enum {string} */
                        pausedBy?: "OPERATOR" | "OWNER" | "SYSTEM";
                        pauseReason?: string;
                        /**
                         * Format: int64
                         * @description Pending deliveries, those being sent included
                         */
                        pending: number;
                        /**
                         * @description Where pending is an estimate, of more than 10000; left out where it is exact
                         * @enum {boolean}
                         */
                        pendingIsExact?: false;
                        /**
                         * Format: date-time
                         * @description When the first of them is or was due
                         */
                        oldestDueAt?: string;
                        secret: {
                            /** Format: date-time */
                            since: string;
                            /**
                             * Format: date-time
                             * @description Until then the secret before it signs too
                             */
                            previousUntil?: string;
                        };
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        updatedAt: string;
                    };
                };
            };
        };
    };
    testEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: Send a test event, webhook.test, to one webhook endpoint */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        eventId: string;
                        /** @enum {string} */
                        event: "wallet.credited" | "wallet.debited" | "transaction.status" | "webhook.test" | "endpoint.paused" | "endpoint.recovered" | "delivery.failed" | "dispute.opened" | "dispute.expired" | "dispute.decided" | "payout.sent" | "payout.successful" | "payout.failed" | "payout.reversed" | "CONSENT_REQUESTED" | "CONSENT_CONFIRMED" | "CONSENT_APPROVED" | "CONSENT_REJECTED" | "CONSENT_CANCELLED" | "CONSENT_EXPIRED" | "CONSENT_REVOKED" | "FEDERATION_CHALLENGE" | "FEDERATION_VERIFIED" | "FEDERATION_REJECTED" | "FEDERATION_FAILED" | "FEDERATION_EXPIRED" | "FEDERATION_REVOKED" | "TRANSACTION_INITIATED" | "TRANSACTION_ACCEPTED" | "TRANSACTION_REJECTED" | "TRANSACTION_CANCELLED" | "TRANSACTION_EXPIRED";
                        reference: string;
                        /**
                         * Format: uuid
                         * @description The failed delivery whose event this one resends automatically, now that its receiver is healthy
                         */
                        replayOf?: string;
                        /** @enum {string} */
                        ownerKind: "PARTNER" | "APPLICATION";
                        /** Format: uuid */
                        ownerId: string;
                        /**
                         * Format: uuid
                         * @description The webhook endpoint it goes to
                         */
                        endpointId: string;
                        /** @enum {string} */
                        status: "PENDING" | "DELIVERED" | "FAILED";
                        attempts: {
                            /** Format: int64 */
                            number: number;
                            /** Format: date-time */
                            at: string;
                            /** @description Where it went, which may be elsewhere than where its receiver is now; left out of attempts before this was kept */
                            url?: string;
                            /** Format: int64 */
                            statusCode?: number;
                            /** Format: int64 */
                            durationMs?: number;
                            error?: string;
                            response?: string;
                        }[];
                        lastError?: string;
                        /** Format: date-time */
                        lastAttemptAt?: string;
                        /** Format: date-time */
                        deliveredAt?: string;
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        updatedAt: string;
                    };
                };
            };
        };
    };
    rotateEndpointSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description The previous secret stops signing at once, instead of signing with the new one for a while
                     * @default false
                     */
                    immediately?: boolean;
                };
            };
        };
        responses: {
            /** @description Done: A new secret of a webhook endpoint, shown this once; the one before signs too for a while */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhookSecret: string;
                        /**
                         * Format: date-time
                         * @description Until then the secret before it signs too
                         */
                        previousUntil?: string;
                    };
                };
            };
        };
    };
    createAuthCode: {
        parameters: {
            query?: {
                /** @description Comes back in the redirect as it is */
                state?: string;
                /** @description S256 of the code_verifier that GET /sso/token must then show */
                code_challenge?: string;
                code_challenge_method?: "S256";
                scope?: "profile";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Comes back in the redirect as it is */
                    state?: string;
                    /** @description S256 of the code_verifier that GET /sso/token must then show */
                    code_challenge?: string;
                    /** @enum {string} */
                    code_challenge_method?: "S256";
                    paytag: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description The registered redirect URL with auth-code added, and state where one was given */
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
    exchangeAuthCode: {
        parameters: {
            query: {
                "auth-code": string;
                /** @description Where the login had a code_challenge */
                code_verifier?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer token, a JWT */
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
    logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: Log the customer out: whether their session had not ended before */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": boolean;
                };
            };
        };
    };
    checkPayTag: {
        parameters: {
            query: {
                paytag: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether a PayTag can be had */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        paytag: string;
                        available: boolean;
                    };
                };
            };
        };
    };
    startOnboarding: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    bvn: string;
                    /** @description Letters, spaces, apostrophes, hyphens and periods */
                    firstName: string;
                    /** @description Letters, spaces, apostrophes, hyphens and periods */
                    lastName: string;
                    /** @description As a name; shown in the name if the register holds it for the BVN, in the sandbox any but Unregistered, and kept otherwise */
                    otherName?: string;
                    /** @description YYYY-MM-DD or 1990/05/17, or day first: 17-05-1990, 17/05/1990, 17.05.1990, 17-May-1990. Of a date-time with an offset its day in Africa/Lagos, without one its date */
                    dateOfBirth: string;
                    /** @description A mobile number that the register holds for the BVN, of Nigeria where it names no country (also 00234… and tel:+234…); in the sandbox any but those ending in 0000 */
                    phone?: string;
                    /** @description Takes codes and statements if the register holds it for the BVN, in the sandbox any but those at unregistered.example; another is kept and shown, and takes neither until it is proven */
                    email?: string;
                    paytag?: string;
                };
            };
        };
        responses: {
            /** @description Done: Start the creation of a PayTag with BVN verification */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreationSession"];
                };
            };
        };
    };
    sendOtp: {
        parameters: {
            query?: {
                /** @description In any case; a parameter of another name with one of these values is taken as well */
                channel?: "sms" | "whatsapp" | "email";
            };
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Send a one-time password */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OtpDispatch"];
                };
            };
        };
    };
    validateOtp: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    otp: string;
                };
            };
        };
        responses: {
            /** @description Done: Validate the one-time password that was sent last */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OtpDispatch"];
                };
            };
        };
    };
    sendOnboardingOtp: {
        parameters: {
            query?: {
                /** @description In any case; a parameter of another name with one of these values is taken as well */
                channel?: "sms" | "whatsapp" | "email";
            };
            header?: never;
            path: {
                onboarding: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Send a one-time password for a PayTag creation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OtpDispatch"];
                };
            };
        };
    };
    completeOnboarding: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    paytag: string;
                    password: string;
                    /** @description Kept where none is proven, and not proven by it: it takes no codes */
                    email?: string;
                    imageUrl?: string;
                };
            };
        };
        responses: {
            /** @description Done: Create the PayTag, with a password, in a validated session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayTag"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query: {
                session: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a creation session holds, and where it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreationPayload"];
                };
            };
        };
    };
    startPasswordReset: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    paytag: string;
                };
            };
        };
        responses: {
            /** @description Done: Start the change of a forgotten password: the OTP operations take its session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordReset"];
                };
            };
        };
    };
    completePasswordReset: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                };
            };
        };
        responses: {
            /** @description Done: Set the new password in a validated session; every session of the customer ends */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordReset"];
                };
            };
        };
    };
    listBeneficiaries: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description nextCursor of the previous page: continues after it; offset counts from there */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whom the customer has paid at this partner, those paid last first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Beneficiary"][];
                        /** Format: int64 */
                        count: number;
                        /** Format: int64 */
                        limit: number;
                        /** Format: int64 */
                        offset: number;
                        /** @description For the next page, as `cursor`; left out of the last */
                        nextCursor?: string;
                        /**
                         * @description Where count is an estimate, of more than 10000; left out where it is exact
                         * @enum {boolean}
                         */
                        countIsExact?: false;
                    };
                };
            };
        };
    };
    removeBeneficiary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    paytag: string;
                };
            };
        };
        responses: {
            /** @description Done: Remove a beneficiary: whether there was one */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": boolean;
                };
            };
        };
    };
    listConsents: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description nextCursor of the previous page: continues after it; offset counts from there */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the customer has agreed to on their PayTag, newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["CustomerConsent"][];
                        /** Format: int64 */
                        count: number;
                        /** Format: int64 */
                        limit: number;
                        /** Format: int64 */
                        offset: number;
                        /** @description For the next page, as `cursor`; left out of the last */
                        nextCursor?: string;
                        /**
                         * @description Where count is an estimate, of more than 10000; left out where it is exact
                         * @enum {boolean}
                         */
                        countIsExact?: false;
                    };
                };
            };
        };
    };
    withdrawConsent: {
        parameters: {
            query: {
                /** @description As `GET /v2/sso/consent` names it */
                consentId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: Take back what the customer has agreed to on their PayTag, for good */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": boolean;
                };
            };
        };
    };
    getContacts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Show the customer’s phone and e-mail address, and changes of them under way */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Contacts"];
                };
            };
        };
    };
    changeContact: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The new phone; this or email */
                    phone?: string;
                    /** @description The new e-mail address; this or phone */
                    email?: string;
                };
            };
        };
        responses: {
            /** @description Done: Change the customer’s phone or e-mail address: a code goes to the new one */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactChange"];
                };
            };
        };
    };
    cancelContactChanges: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: Cancel the changes of the customer’s contacts that are not in force yet: whether there was one */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": boolean;
                };
            };
        };
    };
    getCustomerWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer's wallet at this partner */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerWallet"];
                };
            };
        };
    };
    listCustomerTransactions: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description nextCursor of the previous page: continues after it; offset counts from there */
                cursor?: string;
                /** @description Only the transfer that the customer gave this reference */
                reference?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What moved the customer's wallet, newest first, with its balance before and after */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Transaction"][];
                        /** Format: int64 */
                        count: number;
                        /** Format: int64 */
                        limit: number;
                        /** Format: int64 */
                        offset: number;
                        /** @description For the next page, as `cursor`; left out of the last */
                        nextCursor?: string;
                        /**
                         * @description Where count is an estimate, of more than 10000; left out where it is exact
                         * @enum {boolean}
                         */
                        countIsExact?: false;
                    };
                };
            };
        };
    };
    createTransfer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    paytag: string;
                    /** @description Major units (naira, points), at most two decimals */
                    amount: number;
                    reference: string;
                    comment?: string;
                };
            };
        };
        responses: {
            /** @description Done: Pay another PayTag, into its primary wallet */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    getStatement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                reference: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A statement that was asked for with Prefer: respond-async */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestedStatement"];
                };
            };
        };
    };
    getDailyLimit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the customer may spend today, in Lagos, and what is left of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DailyLimit"];
                };
            };
        };
    };
    getQrCode: {
        parameters: {
            query?: {
                /** @description An extension: `emv` answers EMVCo’s merchant-presented payload, for apps that draw and scan such codes */
                format?: "png" | "emv";
                /** @description An extension, with `format=emv`: the amount to be paid, in naira */
                amount?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Plain text; a JSON string where the client accepts only JSON */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                    "application/json": string;
                };
            };
        };
    };
    createCustomerPayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Major units (naira, points), at most two decimals */
                    amount: number;
                    reference: string;
                    comment?: string;
                };
            };
        };
        responses: {
            /** @description Done: Pay out to the bank account that the customer linked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    createStatement: {
        parameters: {
            query?: {
                /** @description First day, in Lagos, or moment; 30 days before the end without it */
                from?: string;
                /** @description Last day, in Lagos, or moment; now without it */
                to?: string;
                /** @description pdf without it */
                format?: "pdf" | "csv" | "html" | "xlsx";
            };
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: A link to a statement of the customer's wallet */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatementLink"];
                };
            };
            /** @description Accepted, and not done yet: see the status in the answer */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingStatement"];
                };
            };
        };
    };
    getBankAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bank account that the customer linked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BankAccount"];
                };
            };
        };
    };
    linkBankAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    accountNumber: string;
                    bankCode: string;
                };
            };
        };
        responses: {
            /** @description Done: Link the customer’s bank account, once the bank says that it is theirs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BankAccount"];
                };
            };
        };
    };
    receiveTestEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                mode: "200" | "500" | "slow" | "flaky";
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: A test receiver: answers 200, 500, too slowly, or 500 to the first two attempts of an event */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        received: true;
                        /** @enum {string} */
                        mode: "200" | "500" | "slow" | "flaky";
                    };
                };
            };
        };
    };
    simulateWalletCredit: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                reference: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Major units (naira, points), at most two decimals */
                    amount: number;
                    reference: string;
                    externalReference?: string;
                    comment?: string;
                    metadata?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Done: Credit a wallet with test money, which needs no float */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    simulateWalletDebit: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                reference: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Major units (naira, points), at most two decimals */
                    amount: number;
                    reference: string;
                    externalReference?: string;
                    comment?: string;
                    metadata?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Done: Debit a wallet into the float */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    simulateGatewayPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Major units (naira, points), at most two decimals */
                    amount: number;
                    reference: string;
                    /** @default {} */
                    sender?: {
                        name?: string;
                        paytag?: string;
                        type?: string;
                    };
                    comment?: string;
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description The wallet that it is for; without one, your float */
                    walletReference?: string;
                };
            };
        };
        responses: {
            /** @description Done: Pay at the gateway, into a wallet or your float */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    simulateTerminalPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Major units (naira, points), at most two decimals */
                    amount: number;
                    reference: string;
                    /** @default {} */
                    sender?: {
                        name?: string;
                        paytag?: string;
                        type?: string;
                    };
                    comment?: string;
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description Serial number of one of your terminals */
                    terminal: string;
                    /** @description Reference of the split of which it is an instalment */
                    split?: string;
                };
            };
        };
        responses: {
            /** @description Done: Pay at one of your terminals */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    simulateInboundTransfer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Major units (naira, points), at most two decimals */
                    amount: number;
                    reference: string;
                    /** @default {} */
                    sender?: {
                        name?: string;
                        paytag?: string;
                        type?: string;
                    };
                    comment?: string;
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description Account number of one of your wallets */
                    nuban: string;
                };
            };
        };
        responses: {
            /** @description Done: Send a bank transfer to the account number of one of your wallets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    simulateSplitPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                terminal: string;
                split: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Without one, all that remains */
                    amount?: number;
                    reference: string;
                    /** @default {} */
                    sender?: {
                        name?: string;
                        paytag?: string;
                        type?: string;
                    };
                    comment?: string;
                    metadata?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Done: Pay an instalment of a split, or all that remains of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    simulateFailure: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                reference: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: Fail a transaction after the fact: all of it goes back, and it is Reversed */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
        };
    };
    getLastOtp: {
        parameters: {
            query: {
                session: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read the one-time password that was sent last in a session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        otp: string;
                        /** @enum {string} */
                        channel: "sms" | "whatsapp" | "email";
                        /** @description Masked */
                        recipients: string[];
                        /** Format: date-time */
                        expiresAt: string;
                    };
                };
            };
        };
    };
    markTimeForward: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: int32
                     * @description How far; a year at most
                     */
                    seconds: number;
                };
            };
        };
        responses: {
            /** @description Done: Move time forward for your own records that expire, and for no other caller’s */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: int32
                         * @description How far; a year at most
                         */
                        seconds: number;
                        /** @description How many were brought forward, by what they are */
                        moved: {
                            /**
                             * Format: int64
                             * @description Creations, resets of a password and changes of a contact
                             */
                            onboardingSessions: number;
                            /**
                             * Format: int64
                             * @description Codes of these sessions that were sent and not given yet
                             */
                            otps: number;
                            /** Format: int64 */
                            authCodes: number;
                            /**
                             * Format: int64
                             * @description Their tokens are good so much shorter, and the links of statements too
                             */
                            customerSessions: number;
                            /**
                             * Format: int64
                             * @description How long they can be fetched
                             */
                            statements: number;
                            /** Format: int64 */
                            splits: number;
                            /**
                             * Format: int64
                             * @description Open ones, about wallets of yours
                             */
                            disputes: number;
                            /**
                             * Format: int64
                             * @description On their way, or to be looked at once more
                             */
                            payouts: number;
                        };
                    };
                };
            };
        };
    };
    listDisturbances: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Which providers you have disturbed, and for how many more calls */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        disturbed: {
                            /** @enum {string} */
                            provider: "bvn" | "bank" | "messaging" | "email";
                            /**
                             * @description fail: it is down. timeout: its answer does not come. slow: its answer is the usual one, after the delay
                             * @enum {string}
                             */
                            answer: "fail" | "timeout" | "slow";
                            /**
                             * Format: int64
                             * @description Milliseconds before it
                             */
                            delayMs: number;
                            /**
                             * Format: int64
                             * @description For how many more calls
                             */
                            timesLeft: number;
                        }[];
                    };
                };
            };
        };
    };
    disturbProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: "bvn" | "bank" | "messaging" | "email";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description fail: it is down. timeout: its answer does not come. slow: its answer is the usual one, after the delay
                     * @enum {string}
                     */
                    answer: "fail" | "timeout" | "slow";
                    /**
                     * Format: int32
                     * @description For so many calls; without it, the next one
                     */
                    times?: number;
                    /**
                     * Format: int32
                     * @description Milliseconds before the answer, or before it is given up; without it 1000, and 0 to fail
                     */
                    delayMs?: number;
                };
            };
        };
        responses: {
            /** @description Done: Make the next answers of a provider fail, time out or come late, for your own calls only */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        provider: "bvn" | "bank" | "messaging" | "email";
                        /**
                         * @description fail: it is down. timeout: its answer does not come. slow: its answer is the usual one, after the delay
                         * @enum {string}
                         */
                        answer: "fail" | "timeout" | "slow";
                        /**
                         * Format: int64
                         * @description Milliseconds before it
                         */
                        delayMs: number;
                        /**
                         * Format: int64
                         * @description For how many more calls
                         */
                        timesLeft: number;
                    };
                };
            };
        };
    };
    calmProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: "bvn" | "bank" | "messaging" | "email";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: Make a provider answer normally again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description False: it was not disturbed */
                        cleared: boolean;
                    };
                };
            };
        };
    };
    sendEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    event: "wallet.credited" | "wallet.debited" | "transaction.status" | "endpoint.paused" | "endpoint.recovered" | "delivery.failed" | "dispute.opened" | "dispute.expired" | "dispute.decided" | "payout.sent" | "payout.successful" | "payout.failed" | "payout.reversed" | "webhook.test";
                };
            };
        };
        responses: {
            /** @description Done: Have an event sent to your own receiver as it really looks, though nothing happened */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        eventId: string;
                        /** @enum {string} */
                        event: "wallet.credited" | "wallet.debited" | "transaction.status" | "webhook.test" | "endpoint.paused" | "endpoint.recovered" | "delivery.failed" | "dispute.opened" | "dispute.expired" | "dispute.decided" | "payout.sent" | "payout.successful" | "payout.failed" | "payout.reversed" | "CONSENT_REQUESTED" | "CONSENT_CONFIRMED" | "CONSENT_APPROVED" | "CONSENT_REJECTED" | "CONSENT_CANCELLED" | "CONSENT_EXPIRED" | "CONSENT_REVOKED" | "FEDERATION_CHALLENGE" | "FEDERATION_VERIFIED" | "FEDERATION_REJECTED" | "FEDERATION_FAILED" | "FEDERATION_EXPIRED" | "FEDERATION_REVOKED" | "TRANSACTION_INITIATED" | "TRANSACTION_ACCEPTED" | "TRANSACTION_REJECTED" | "TRANSACTION_CANCELLED" | "TRANSACTION_EXPIRED";
                        reference: string;
                        /**
                         * Format: uuid
                         * @description The failed delivery whose event this one resends automatically, now that its receiver is healthy
                         */
                        replayOf?: string;
                        /** @enum {string} */
                        ownerKind: "PARTNER" | "APPLICATION";
                        /** Format: uuid */
                        ownerId: string;
                        /**
                         * Format: uuid
                         * @description The webhook endpoint it goes to
                         */
                        endpointId: string;
                        /** @enum {string} */
                        status: "PENDING" | "DELIVERED" | "FAILED";
                        attempts: {
                            /** Format: int64 */
                            number: number;
                            /** Format: date-time */
                            at: string;
                            /** @description Where it went, which may be elsewhere than where its receiver is now; left out of attempts before this was kept */
                            url?: string;
                            /** Format: int64 */
                            statusCode?: number;
                            /** Format: int64 */
                            durationMs?: number;
                            error?: string;
                            response?: string;
                        }[];
                        lastError?: string;
                        /** Format: date-time */
                        lastAttemptAt?: string;
                        /** Format: date-time */
                        deliveredAt?: string;
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        updatedAt: string;
                    };
                };
            };
        };
    };
    listReceivedRequests: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The URLs of your test receivers, and what they were sent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Webhook URLs of yours, by how they answer; anyone with a URL can send to it */
                        urls: {
                            /** Format: uri */
                            200: string;
                            /** Format: uri */
                            slow: string;
                            /** Format: uri */
                            flaky: string;
                        };
                        /** @description The last 100, the latest first */
                        requests: {
                            /** @enum {string} */
                            mode: "200" | "500" | "slow" | "flaky";
                            /**
                             * Format: int64
                             * @description What it was answered
                             */
                            status: number;
                            /** @description Those that webhooks have */
                            headers: {
                                [key: string]: string;
                            };
                            /** @description As it came */
                            body: string;
                            /** Format: date-time */
                            receivedAt: string;
                        }[];
                    };
                };
            };
        };
    };
    simulateIncomingTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A tag of yours */
                    receiverTag: string;
                    /** @description Major units (naira, points), at most two decimals */
                    amount: number;
                    /**
                     * @default NGN
                     * @enum {string}
                     */
                    currency?: "NGN" | "FP";
                    reference: string;
                    narration?: string;
                    /**
                     * Format: date-time
                     * @description At most 30 days ahead; 72 hours when it is not sent
                     */
                    expiresAt?: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        reference: string;
                        senderTag: string;
                        senderAppName: string;
                        /** Format: uuid */
                        senderAppId: string;
                        receiverTag: string;
                        receiverAppName: string;
                        /** Format: uuid */
                        receiverAppId: string;
                        /** @description Major units (naira, points) */
                        amount: number;
                        /** @enum {string} */
                        currency: "NGN" | "FP";
                        /** @enum {string} */
                        status: "AWAITING_ACCEPTANCE" | "ACCEPTED" | "REJECTED" | "CANCELLED" | "EXPIRED" | "DECLINED";
                        narration?: string;
                        /** Format: date-time */
                        expiresAt: string;
                        /** Format: date-time */
                        acceptedAt?: string;
                        /** Format: date-time */
                        rejectedAt?: string;
                        rejectionReason?: string;
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        updatedAt: string;
                        /** @description On top of the amount, borne by the sender */
                        fee: number;
                    };
                };
            };
        };
    };
    simulateSettlementCredit: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Major units (naira, points), at most two decimals */
                    amount: number;
                    /**
                     * @default NGN
                     * @enum {string}
                     */
                    currency?: "NGN" | "FP";
                    reference: string;
                };
            };
        };
        responses: {
            /** @description The wallet as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        currency: "NGN" | "FP";
                        /** @description Major units (naira, points) */
                        totalAmount: number;
                        /** @description Major units (naira, points) */
                        suspendedAmount: number;
                        /** @description Major units (naira, points) */
                        blockedAmount: number;
                        /** @description Major units (naira, points) */
                        availableAmount: number;
                    };
                };
            };
        };
    };
    markTimeForwardForApplication: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: int32
                     * @description How far; a year at most
                     */
                    seconds: number;
                };
            };
        };
        responses: {
            /** @description Done: Move time forward for your own records that expire, and for no other caller’s */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: int32
                         * @description How far; a year at most
                         */
                        seconds: number;
                        /** @description How many were brought forward, by what they are */
                        moved: {
                            /** Format: int64 */
                            claims: number;
                            /** Format: int64 */
                            links: number;
                            /**
                             * Format: int64
                             * @description With which owners of tags prove themselves for these
                             */
                            ownerCodes: number;
                            /** Format: int64 */
                            transactions: number;
                        };
                    };
                };
            };
        };
    };
    listDisturbancesForApplication: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Which providers you have disturbed, and for how many more calls */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        disturbed: {
                            /** @enum {string} */
                            provider: "bvn" | "bank" | "messaging" | "email";
                            /**
                             * @description fail: it is down. timeout: its answer does not come. slow: its answer is the usual one, after the delay
                             * @enum {string}
                             */
                            answer: "fail" | "timeout" | "slow";
                            /**
                             * Format: int64
                             * @description Milliseconds before it
                             */
                            delayMs: number;
                            /**
                             * Format: int64
                             * @description For how many more calls
                             */
                            timesLeft: number;
                        }[];
                    };
                };
            };
        };
    };
    disturbProviderForApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: "bvn" | "bank" | "messaging" | "email";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description fail: it is down. timeout: its answer does not come. slow: its answer is the usual one, after the delay
                     * @enum {string}
                     */
                    answer: "fail" | "timeout" | "slow";
                    /**
                     * Format: int32
                     * @description For so many calls; without it, the next one
                     */
                    times?: number;
                    /**
                     * Format: int32
                     * @description Milliseconds before the answer, or before it is given up; without it 1000, and 0 to fail
                     */
                    delayMs?: number;
                };
            };
        };
        responses: {
            /** @description Done: Make the next answers of a provider fail, time out or come late, for your own calls only */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        provider: "bvn" | "bank" | "messaging" | "email";
                        /**
                         * @description fail: it is down. timeout: its answer does not come. slow: its answer is the usual one, after the delay
                         * @enum {string}
                         */
                        answer: "fail" | "timeout" | "slow";
                        /**
                         * Format: int64
                         * @description Milliseconds before it
                         */
                        delayMs: number;
                        /**
                         * Format: int64
                         * @description For how many more calls
                         */
                        timesLeft: number;
                    };
                };
            };
        };
    };
    calmProviderForApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: "bvn" | "bank" | "messaging" | "email";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: Make a provider answer normally again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description False: it was not disturbed */
                        cleared: boolean;
                    };
                };
            };
        };
    };
    sendEventForApplication: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    event: "CONSENT_REQUESTED" | "CONSENT_CONFIRMED" | "CONSENT_APPROVED" | "CONSENT_REJECTED" | "CONSENT_CANCELLED" | "CONSENT_EXPIRED" | "CONSENT_REVOKED" | "FEDERATION_CHALLENGE" | "FEDERATION_VERIFIED" | "FEDERATION_REJECTED" | "FEDERATION_FAILED" | "FEDERATION_EXPIRED" | "FEDERATION_REVOKED" | "TRANSACTION_INITIATED" | "TRANSACTION_ACCEPTED" | "TRANSACTION_REJECTED" | "TRANSACTION_CANCELLED" | "TRANSACTION_EXPIRED" | "webhook.test";
                };
            };
        };
        responses: {
            /** @description Done: Have an event sent to your own receiver as it really looks, though nothing happened */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        eventId: string;
                        /** @enum {string} */
                        event: "wallet.credited" | "wallet.debited" | "transaction.status" | "webhook.test" | "endpoint.paused" | "endpoint.recovered" | "delivery.failed" | "dispute.opened" | "dispute.expired" | "dispute.decided" | "payout.sent" | "payout.successful" | "payout.failed" | "payout.reversed" | "CONSENT_REQUESTED" | "CONSENT_CONFIRMED" | "CONSENT_APPROVED" | "CONSENT_REJECTED" | "CONSENT_CANCELLED" | "CONSENT_EXPIRED" | "CONSENT_REVOKED" | "FEDERATION_CHALLENGE" | "FEDERATION_VERIFIED" | "FEDERATION_REJECTED" | "FEDERATION_FAILED" | "FEDERATION_EXPIRED" | "FEDERATION_REVOKED" | "TRANSACTION_INITIATED" | "TRANSACTION_ACCEPTED" | "TRANSACTION_REJECTED" | "TRANSACTION_CANCELLED" | "TRANSACTION_EXPIRED";
                        reference: string;
                        /**
                         * Format: uuid
                         * @description The failed delivery whose event this one resends automatically, now that its receiver is healthy
                         */
                        replayOf?: string;
                        /** @enum {string} */
                        ownerKind: "PARTNER" | "APPLICATION";
                        /** Format: uuid */
                        ownerId: string;
                        /**
                         * Format: uuid
                         * @description The webhook endpoint it goes to
                         */
                        endpointId: string;
                        /** @enum {string} */
                        status: "PENDING" | "DELIVERED" | "FAILED";
                        attempts: {
                            /** Format: int64 */
                            number: number;
                            /** Format: date-time */
                            at: string;
                            /** @description Where it went, which may be elsewhere than where its receiver is now; left out of attempts before this was kept */
                            url?: string;
                            /** Format: int64 */
                            statusCode?: number;
                            /** Format: int64 */
                            durationMs?: number;
                            error?: string;
                            response?: string;
                        }[];
                        lastError?: string;
                        /** Format: date-time */
                        lastAttemptAt?: string;
                        /** Format: date-time */
                        deliveredAt?: string;
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        updatedAt: string;
                    };
                };
            };
        };
    };
    listReceivedRequestsForApplication: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The URLs of your test receivers, and what they were sent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Webhook URLs of yours, by how they answer; anyone with a URL can send to it */
                        urls: {
                            /** Format: uri */
                            200: string;
                            /** Format: uri */
                            slow: string;
                            /** Format: uri */
                            flaky: string;
                        };
                        /** @description The last 100, the latest first */
                        requests: {
                            /** @enum {string} */
                            mode: "200" | "500" | "slow" | "flaky";
                            /**
                             * Format: int64
                             * @description What it was answered
                             */
                            status: number;
                            /** @description Those that webhooks have */
                            headers: {
                                [key: string]: string;
                            };
                            /** @description As it came */
                            body: string;
                            /** Format: date-time */
                            receivedAt: string;
                        }[];
                    };
                };
            };
        };
    };
}
