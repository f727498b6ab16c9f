import { requireApplication } from '#http/auth/application.ts';
import { noStore } from '#http/headers.ts';
import { honourIdempotencyKeys } from '#http/idempotency.ts';
import type { DepsOfEndpoints, ZodApp } from '#http/zod-app.ts';
import { deleteTags } from './delete-tags.ts';
import { deleteTagsFederation } from './delete-tags-federation.ts';
import { getTags } from './get-tags.ts';
import { getTagsClaims } from './get-tags-claims.ts';
import { getTagsClaimsAttestation } from './get-tags-claims-attestation.ts';
import { getTagsFederation } from './get-tags-federation.ts';
import { getTransactions } from './get-transactions.ts';
import { getTransactionsById } from './get-transactions-by-id.ts';
import { getTransactionsPending } from './get-transactions-pending.ts';
import { getWallet } from './get-wallet.ts';
import { postConsentApprove } from './post-consent-approve.ts';
import { postConsentReject } from './post-consent-reject.ts';
import { postTagsClaims } from './post-tags-claims.ts';
import { postTagsClaimsCancel } from './post-tags-claims-cancel.ts';
import { postTagsClaimsRevoke } from './post-tags-claims-revoke.ts';
import { postTagsFederation } from './post-tags-federation.ts';
import { postTagsFederationReject } from './post-tags-federation-reject.ts';
import { postTagsFederationVerify } from './post-tags-federation-verify.ts';
import { postTransactions } from './post-transactions.ts';
import { postTransactionsAccept } from './post-transactions-accept.ts';
import { postTransactionsCancel } from './post-transactions-cancel.ts';
import { postTransactionsReject } from './post-transactions-reject.ts';

const publicEndpoints = [getTags];
const protectedEndpoints = [
  deleteTags,
  getTagsClaims,
  getTagsClaimsAttestation,
  postTagsClaims,
  postTagsClaimsCancel,
  postTagsClaimsRevoke,
  postConsentApprove,
  postConsentReject,
  postTagsFederation,
  getTagsFederation,
  postTagsFederationVerify,
  postTagsFederationReject,
  deleteTagsFederation,
  getWallet,
  postTransactions,
  getTransactionsPending,
  getTransactions,
  getTransactionsById,
  postTransactionsAccept,
  postTransactionsReject,
  postTransactionsCancel,
];

type Deps = DepsOfEndpoints<typeof publicEndpoints> &
  DepsOfEndpoints<typeof protectedEndpoints> &
  Parameters<typeof requireApplication>[1] &
  Parameters<typeof honourIdempotencyKeys>[1];

/** The tag switch API: open to anybody, and behind an application token. */
export const switchPlugin = (deps: Deps) => async (app: ZodApp) => {
  for (const endpoint of publicEndpoints) endpoint(app, deps);
  await app.register(async (guarded: ZodApp) => {
    noStore(guarded);
    requireApplication(guarded, deps);
    honourIdempotencyKeys(guarded, deps);
    for (const endpoint of protectedEndpoints) endpoint(guarded, deps);
  });
};
