// Written by `npm run client:types`.

export interface paths {
    "/v1/tags/{tag}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Resolve a tag to its public profile and ownership; its owner’s application sees all of it
         * @description Needs no credentials; an application token shows its owner more. A token that is expired, not ours or of a suspended application gets what anybody gets, and `WWW-Authenticate: Bearer error="invalid_token"`.
         */
        get: operations["resolveTag"];
        put?: never;
        post?: never;
        /**
         * Close a tag of a subject of yours, for good; no one can have it for ninety days
         * @description Needs an application token.
         */
        delete: operations["closeTag"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tags/{tag}/claims": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The claims on a tag: all of them for its owner’s application, your own for any other
         * @description Needs an application token. Newest first, 1,000 at most. Where more follow, message says so and the header `Link` leads on: `<?cursor=…>; rel="next"` (RFC 8288), relative to this address. The last page has none.
         */
        get: operations["listClaims"];
        put?: never;
        /**
         * Ask the owner of a tag that a subject of yours may be reached under it
         * @description Needs an application token. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["createClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tags/{tag}/claims/{claimId}/attestation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A fresh attestation of an approved claim of yours
         * @description Needs an application token.
         */
        get: operations["getAttestation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tags/{tag}/claims/{claimId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take back a claim of yours that is pending
         * @description Needs an application token. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["cancelClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tags/{tag}/claims/{claimId}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End an approved claim, from either side
         * @description Needs an application token. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["revokeClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/consent/{consentToken}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a consent request: answers the attestation for the application that asked
         * @description Needs an application token. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["approveConsent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/consent/{consentToken}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a consent request
         * @description Needs an application token. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["rejectConsent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tags/{tag}/federation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is linked to a tag: all of it for its owner’s application, links to tags of yours for any other
         * @description Needs an application token.
         */
        get: operations["getFederation"];
        put?: never;
        /**
         * Start linking another tag to one of yours: its side alone is sent the challenge
         * @description Needs an application token. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["createLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tags/{tag}/federation/{linkId}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a pending link: OTP and ATTESTATION by the side that started it, CONSENT by the other
         * @description Needs an application token. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["verifyLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tags/{tag}/federation/{linkId}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a pending link to a tag of yours
         * @description Needs an application token. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["rejectLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tags/{tag}/federation/{linkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a verified link, from either side, or take back a pending one of yours
         * @description Needs an application token.
         */
        delete: operations["revokeLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The settlement wallet of the calling application
         * @description Needs an application token.
         */
        get: operations["getSettlementWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The transaction to which the calling application gave this reference, declined or not
         * @description Needs an application token.
         */
        get: operations["findTransactions"];
        put?: never;
        /**
         * Offer money of the calling application to another tag
         * @description Needs an application token. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["createTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is addressed to the calling application and waits for its decision
         * @description Needs an application token. totalElements is exact. While more than 10,000 wait they are sorted by createdAt, and then id, alone: another sort is 400.
         */
        get: operations["listPendingTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A transaction that the calling application sends or receives
         * @description Needs an application token.
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
    "/v1/transactions/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept what was offered: it is settled at once
         * @description Needs an application token. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["acceptTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse what was offered: the sender has it back
         * @description Needs an application token. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["rejectTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take an offer back
         * @description Needs an application token. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["cancelTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/applications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register an application
         * @description Needs no credentials.
         */
        post: operations["registerApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange client credentials for an application token
         * @description Needs no credentials.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/applications/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where this application’s events go
         * @description Needs an application token.
         */
        get: operations["getWebhook"];
        /**
         * Send this application’s events elsewhere; without a URL they are kept until there is one
         * @description Needs an application token.
         */
        put: operations["setWebhook"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/applications/return-urls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The pages of this application to which the approval pages lead back
         * @description Needs an application token.
         */
        get: operations["getReturnUrls"];
        /**
         * Register the pages of this application to which the approval pages may lead back
         * @description Needs an application token.
         */
        put: operations["setReturnUrls"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/applications/secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a new client secret; the one before is taken too for a day
         * @description Needs an application token. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["rotateClientSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subjects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a subject: somebody who can own tags and have claims on them
         * @description Needs an application token. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["createSubject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a tag, owned by a subject of yours
         * @description Needs an application token. Under an `Idempotency-Key` it may be sent again safely.
         */
        post: operations["createTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/consent/{consentToken}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who asks for consent, for what, and until when; for a browser the page to answer on
         * @description Needs no credentials.
         */
        get: operations["getConsent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/federation/{approvalToken}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who asks to link a customer’s PayTag, to which tag, and until when; for a browser the page to answer on
         * @description Needs no credentials.
         */
        get: operations["getLinkRequest"];
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
        Application: {
            /** Format: uuid */
            applicationId: string;
            applicationName: string;
            /** @description The part after the @ of its qualified addresses */
            namespace: string;
            /** @enum {string} */
            status: "ACTIVE" | "PENDING" | "SUSPENDED";
            client_id: string;
            /** @description Shown this once */
            client_secret: string;
            webhookUrl?: string;
            /** @description Keys webhook-signature (Standard Webhooks); shown this once */
            webhookSecret: string;
            /** Format: date-time */
            createdAt: string;
        };
        Claim: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            tagId: string;
            tagString: string;
            /** Format: uuid */
            subjectId: string;
            /** @description Shown to the two sides */
            subjectExternalId?: string;
            /** Format: uuid */
            requestedByAppId: string;
            requestedByAppName: string;
            /** @enum {string} */
            state: "PENDING" | "APPROVED" | "REJECTED" | "CANCELLED" | "EXPIRED" | "REVOKED";
            /** Format: date-time */
            requestedAt: string;
            /** Format: date-time */
            approvedAt?: string;
            /** Format: date-time */
            revokedAt?: string;
            /** @description While PENDING */
            consentToken?: string;
            /** @description While PENDING: where the tag’s owner consents in person */
            approvalUrl?: string;
            /**
             * Format: date-time
             * @description Shown to the two sides
             */
            tokenExpiresAt?: string;
        };
        ConsentAttestation: {
            /** @description A JWT (ES256, typ consent-attestation+jwt) for the requesting application, verifiable by JWKS */
            token: string;
            /**
             * Format: int64
             * @description Seconds since 1970
             */
            expiresAt: number;
            tag: string;
            subjectId: string;
            consentId: string;
        };
        ConsentRequest: {
            /** Format: uuid */
            consentId: string;
            tagString: string;
            qualifiedAddress: string;
            /** Format: uuid */
            requestedByAppId: string;
            requestedByAppName: string;
            requestedByAppImageUrl?: string;
            /** @description For whom it asks */
            subjectDisplayName?: string;
            /** @enum {string} */
            state: "PENDING" | "APPROVED" | "REJECTED" | "CANCELLED" | "EXPIRED" | "REVOKED";
            /** Format: date-time */
            ownerConfirmedAt?: string;
            /** Format: date-time */
            requestedAt: string;
            /** Format: date-time */
            tokenExpiresAt: string;
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
        Federation: {
            /** Format: uuid */
            id: string;
            primaryTag: string;
            /** @description Newest first */
            links: components["schemas"]["Link"][];
            /** Format: date-time */
            createdAt: string;
        };
        Link: {
            /** Format: uuid */
            id: string;
            linkedTag: string;
            /** @enum {string} */
            status: "PENDING" | "VERIFIED" | "REJECTED" | "FAILED" | "EXPIRED" | "REVOKED";
            /** @description How and by whom */
            verifiedBy?: string;
            /** @description While a customer’s consent is PENDING: where they give it in person */
            approvalUrl?: string;
            /** Format: date-time */
            createdAt: string;
        };
        LinkRequest: {
            /** Format: uuid */
            linkId: string;
            /** Format: uuid */
            requestedByAppId: string;
            requestedByAppName: string;
            primaryTag: string;
            primaryAddress: string;
            /** @description The customer’s PayTag */
            tagString: string;
            qualifiedAddress: string;
            /** @enum {string} */
            status: "PENDING" | "VERIFIED" | "REJECTED" | "FAILED" | "EXPIRED" | "REVOKED";
            /** Format: date-time */
            requestedAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        ReturnUrls: {
            returnUrls: string[];
        };
        SettlementWallet: {
            /** Format: int64 */
            id: number;
            /** @enum {string} */
            currency: "NGN" | "FP";
            /** @description Major units (naira, points) */
            totalAmount: number;
            /** @description Held for transactions that wait for acceptance */
            suspendedAmount: number;
            /** @description Major units (naira, points) */
            blockedAmount: number;
            /** @description Major units (naira, points) */
            availableAmount: number;
            /** @description Major units (naira, points) */
            amount: number;
            /** @enum {string} */
            status: "Enabled" | "Blocked" | "PND" | "PNC";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Sort: {
            /** @enum {string} */
            direction: "ASC" | "DESC";
            /** @enum {string} */
            nullHandling: "NATIVE";
            ascending: boolean;
            property: string;
            ignoreCase: boolean;
        };
        Subject: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            applicationId: string;
            applicationName: string;
            /** @description Shown to its own application */
            externalId?: string;
            displayName?: string;
            /** @description Shown to its own application */
            email?: string;
            imageUrl?: string;
            /** @description Shown to its own application */
            metadata?: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
        };
        SwitchTransaction: {
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
            /**
             * @description DECLINED: refused when it was asked for. Only the sender sees such a one
             * @enum {string}
             */
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
            /** @description Of a DECLINED one: the errorCode that it was declined with */
            failureReason?: string;
            /** @description The notifications of it to the calling application */
            webhooks: components["schemas"]["WebhookDelivery"][];
        };
        Tag: {
            /** Format: uuid */
            id: string;
            tagString: string;
            qualifiedAddress: string;
            /** @enum {string} */
            status: "ACTIVE" | "SUSPENDED";
            canonicalOwner?: components["schemas"]["Subject"];
            /** Format: uuid */
            createdByAppId: string;
            createdByAppName: string;
            /** @description Those the owner consented to, newest first; for the owner’s application also the pending ones */
            activeClaims: components["schemas"]["Claim"][];
            /** Format: date-time */
            createdAt: string;
        };
        WebhookDelivery: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            transactionId: string;
            transactionReference: string;
            /** Format: uuid */
            applicationId: string;
            applicationName: string;
            /**
             * @description As which side the application was notified
             * @enum {string}
             */
            direction: "SENDER" | "RECEIVER";
            targetUrl?: string;
            /** @enum {string} */
            eventType: "TRANSACTION_INITIATED" | "TRANSACTION_ACCEPTED" | "TRANSACTION_REJECTED" | "TRANSACTION_CANCELLED" | "TRANSACTION_EXPIRED";
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
        };
        WebhookDeliveryInput: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            transactionId: string;
            transactionReference: string;
            /** Format: uuid */
            applicationId: string;
            applicationName: string;
            /**
             * @description As which side the application was notified
             * @enum {string}
             */
            direction: "SENDER" | "RECEIVER";
            targetUrl?: string;
            /** @enum {string} */
            eventType: "TRANSACTION_INITIATED" | "TRANSACTION_ACCEPTED" | "TRANSACTION_REJECTED" | "TRANSACTION_CANCELLED" | "TRANSACTION_EXPIRED";
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
    resolveTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tag: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Resolve a tag to its public profile and ownership; its owner’s application sees all of it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["Tag"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    closeTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tag: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: Close a tag of a subject of yours, for good; no one can have it for ninety days */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: Record<string, never> | null;
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    listClaims: {
        parameters: {
            query?: {
                /** @description From the header Link of the previous page: continues after it */
                cursor?: string;
                /** @description Without it, and at most, 1000 */
                limit?: number;
            };
            header?: never;
            path: {
                tag: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The claims on a tag: all of them for its owner’s application, your own for any other */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["Claim"][];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    createClaim: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                tag: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    subjectId?: string;
                    /** @description In place of subjectId */
                    externalId?: string;
                    /** @description Where the page at approvalUrl leads after the answer: a page that you registered (PUT /v1/applications/return-urls), with a query of your own if you like. The outcome is added to the query; confirm it through the API */
                    returnUrl?: string;
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
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["Claim"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    getAttestation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tag: string;
                claimId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A fresh attestation of an approved claim of yours */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["ConsentAttestation"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    cancelClaim: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                tag: string;
                claimId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: Take back a claim of yours that is pending */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["Claim"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    revokeClaim: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                tag: string;
                claimId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: End an approved claim, from either side */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["Claim"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    approveConsent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                consentToken: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: Approve a consent request: answers the attestation for the application that asked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["ConsentAttestation"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    rejectConsent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                consentToken: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: Reject a consent request */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["Claim"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    getFederation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tag: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is linked to a tag: all of it for its owner’s application, links to tags of yours for any other */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["Federation"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    createLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                tag: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    secondaryTag: string;
                    /**
                     * @description OTP, CONSENT or ATTESTATION, in either case; SMS, EMAIL, SMS_OTP and EMAIL_OTP mean OTP
                     * @enum {string}
                     */
                    verificationMethod: "OTP" | "CONSENT" | "ATTESTATION" | "SMS" | "EMAIL" | "SMS_OTP" | "EMAIL_OTP";
                    /** @description Where the page at approvalUrl leads after the answer: a page that you registered (PUT /v1/applications/return-urls), with a query of your own if you like. The outcome is added to the query; confirm it through the API */
                    returnUrl?: string;
                };
            };
        };
        responses: {
            /** @description Done: Start linking another tag to one of yours: its side alone is sent the challenge */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["Federation"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    verifyLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                tag: string;
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description The code, or the attestation; none for CONSENT */
                    token?: string;
                };
            };
        };
        responses: {
            /** @description Done: Verify a pending link: OTP and ATTESTATION by the side that started it, CONSENT by the other */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["Link"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    rejectLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repeated request answer as the first did, for 24 hours, however its path is written. Another body or query under the same key is 409 */
                "idempotency-key"?: string;
            };
            path: {
                tag: string;
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: Reject a pending link to a tag of yours */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["Link"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    revokeLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tag: string;
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done: End a verified link, from either side, or take back a pending one of yours */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["Link"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    getSettlementWallet: {
        parameters: {
            query?: {
                currency?: "NGN" | "FP";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settlement wallet of the calling application */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["SettlementWallet"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    findTransactions: {
        parameters: {
            query: {
                reference: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description None where the reference was not used, else one */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["SwitchTransaction"][];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    createTransaction: {
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
                    senderTag: string;
                    receiverTag: string;
                    /** @description Major units (naira, points), at most two decimals */
                    amount: number;
                    /** @enum {string} */
                    currency: "NGN" | "FP";
                    reference?: string;
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
            /** @description As it is now that it was made; the same for a repeated one */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["SwitchTransaction"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    listPendingTransactions: {
        parameters: {
            query?: {
                /** @description From 0; what is no such number counts as 0 */
                page?: number;
                /** @description At most 2000; what is no number above 0 counts as 20 */
                size?: number;
                /** @description property,asc|desc, with several properties and several times: id, reference, senderTag, senderAppName, senderAppId, receiverTag, receiverAppName, receiverAppId, amount, currency, status, narration, expiresAt, acceptedAt, rejectedAt, rejectionReason, createdAt, updatedAt, fee. Then ,ignorecase */
                sort?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is addressed to the calling application and waits for its decision */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: {
                            /** Format: int64 */
                            totalPages: number;
                            /** Format: int64 */
                            totalElements: number;
                            /** Format: int64 */
                            size: number;
                            /** Format: int64 */
                            number: number;
                            /** Format: int64 */
                            numberOfElements: number;
                            first: boolean;
                            last: boolean;
                            empty: boolean;
                            content: components["schemas"]["SwitchTransaction"][];
                            sort: components["schemas"]["Sort"][];
                            pageable: {
                                /** Format: int64 */
                                offset: number;
                                sort: components["schemas"]["Sort"][];
                                /** Format: int64 */
                                pageNumber: number;
                                /** Format: int64 */
                                pageSize: number;
                                /** @enum {boolean} */
                                unpaged: false;
                                /** @enum {boolean} */
                                paged: true;
                            };
                        };
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    getTransaction: {
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
            /** @description A transaction that the calling application sends or receives */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["SwitchTransaction"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    acceptTransaction: {
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
            /** @description Done: Accept what was offered: it is settled at once */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["SwitchTransaction"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    rejectTransaction: {
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
                    rejectionReason: string;
                };
            };
        };
        responses: {
            /** @description Done: Refuse what was offered: the sender has it back */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["SwitchTransaction"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    cancelTransaction: {
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
            /** @description Done: Take an offer back */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["SwitchTransaction"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    registerApplication: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    applicationName: string;
                    email?: string;
                    imageUrl?: string;
                    webhookUrl?: string;
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
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["Application"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description client_id and client_secret, unless they are sent by HTTP Basic */
        requestBody: {
            content: {
                "application/json": {
                    client_id?: string;
                    client_secret?: string;
                    /**
                     * @description May be left out
                     * @enum {string}
                     */
                    grant_type?: "client_credentials";
                    /** @description There are none: leave it out */
                    scope?: string;
                } & {
                    [key: string]: unknown;
                };
                "application/x-www-form-urlencoded": {
                    client_id?: string;
                    client_secret?: string;
                    /**
                     * @description May be left out
                     * @enum {string}
                     */
                    grant_type?: "client_credentials";
                    /** @description There are none: leave it out */
                    scope?: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done: Exchange client credentials for an application token */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description A JWT */
                        access_token: string;
                        /** @enum {string} */
                        token_type: "Bearer";
                        /**
                         * Format: int64
                         * @description Seconds
                         */
                        expires_in: number;
                    };
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
            /** @description Where this application’s events go */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: {
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
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
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
            /** @description Done: Send this application’s events elsewhere; without a URL they are kept until there is one */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: {
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
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    getReturnUrls: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pages of this application to which the approval pages lead back */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["ReturnUrls"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    setReturnUrls: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description https, without query and fragment; outside live http is good for localhost. All together: those that are left out are forgotten */
                    returnUrls: string[];
                };
            };
        };
        responses: {
            /** @description Done: Register the pages of this application to which the approval pages may lead back */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["ReturnUrls"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    rotateClientSecret: {
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
                    /** @description The secret so far: a token alone changes no secret */
                    client_secret: string;
                    /**
                     * @description The previous secret stops at once, instead of staying valid with the new one for a day
                     * @default false
                     */
                    immediately?: boolean;
                };
            };
        };
        responses: {
            /** @description Done: Get a new client secret; the one before is taken too for a day */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: {
                            client_id: string;
                            /** @description Shown this once */
                            client_secret: string;
                            /**
                             * Format: date-time
                             * @description Until then the secret before it is taken too
                             */
                            previousUntil?: string;
                        };
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    createSubject: {
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
                    /** @description Your own name for it, unique among your subjects */
                    externalId: string;
                    displayName?: string;
                    email?: string;
                    imageUrl?: string;
                    metadata?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description It was there already, with this content */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["Subject"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["Subject"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    createTag: {
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
                    tagString: string;
                    /** Format: uuid */
                    subjectId?: string;
                    /** @description In place of subjectId */
                    externalId?: string;
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
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["Tag"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
        };
    };
    getConsent: {
        parameters: {
            query?: {
                /** @description `code`: the page asks for the code that was sent */
                with?: string;
            };
            header?: never;
            path: {
                consentToken: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The consent request */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["ConsentRequest"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                    "text/html": string;
                };
            };
        };
    };
    getLinkRequest: {
        parameters: {
            query?: {
                /** @description `code`: the page asks for the code that was sent */
                with?: string;
            };
            header?: never;
            path: {
                approvalToken: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        message: string;
                        /** @enum {string} */
                        errorCode: "";
                        data: components["schemas"]["LinkRequest"];
                        errors: string[];
                        /** Format: date-time */
                        timestamp: string;
                    };
                    "text/html": string;
                };
            };
        };
    };
}
