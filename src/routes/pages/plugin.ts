import { readForms } from '#http/bodies.ts';

import { noStore } from '#http/headers.ts';
import type { DepsOfEndpoints, ZodApp } from '#http/zod-app.ts';
import { getConsent } from './get-consent.ts';
import { getFederation } from './get-federation.ts';
import { getHandover } from './get-handover.ts';
import { getP } from './get-p.ts';
import { getPQrPng } from './get-p-qr-png.ts';
import { getPages } from './get-pages.ts';
import { getStatementVerify } from './get-statement-verify.ts';
import { getStatements } from './get-statements.ts';
import { getWebhooks } from './get-webhooks.ts';
import { getWebhooksDeliveries } from './get-webhooks-deliveries.ts';
import { getWebhooksEndpoints } from './get-webhooks-endpoints.ts';
import { getWebhooksOpen } from './get-webhooks-open.ts';
import { getWebhooksVerify } from './get-webhooks-verify.ts';
import { postConsent } from './post-consent.ts';
import { postConsentCode } from './post-consent-code.ts';
import { postFederation } from './post-federation.ts';
import { postFederationCode } from './post-federation-code.ts';
import { postHandover } from './post-handover.ts';
import { postWebhooksClose } from './post-webhooks-close.ts';
import { postWebhooksDeliveriesResend } from './post-webhooks-deliveries-resend.ts';
import { postWebhooksEndpointsTest } from './post-webhooks-endpoints-test.ts';
import { postWebhooksOpen } from './post-webhooks-open.ts';

const publicPages = [getPages, getP, getPQrPng, getStatements, getStatementVerify];

/** What people open in a browser: what this server is, whose a PayTag is, a statement by its link, and whether a paper is ours. */
export const publicPagesPlugin = (deps: DepsOfEndpoints<typeof publicPages>) => async (app: ZodApp) => {
  noStore(app);
  for (const endpoint of publicPages) endpoint(app, deps);
};

const pages = [getConsent, getFederation];
const forms = [postConsent, postConsentCode, postFederation, postFederationCode];

type ApprovalDeps = DepsOfEndpoints<typeof pages> & DepsOfEndpoints<typeof forms>;

/** The pages on which somebody approves what an application asks of them, among the paths of the switch. */
export const approvalPagesPlugin = (deps: ApprovalDeps) => async (app: ZodApp) => {
  noStore(app);
  for (const endpoint of pages) endpoint(app, deps);
  await app.register(async (formApp: ZodApp) => {
    readOnlyForms(formApp);
    for (const endpoint of forms) endpoint(formApp, deps);
  });
};

const portalPages = [
  getHandover,
  getWebhooks,
  getWebhooksDeliveries,
  getWebhooksEndpoints,
  getWebhooksOpen,
  getWebhooksVerify,
];
const portalForms = [
  postHandover,
  postWebhooksOpen,
  postWebhooksClose,
  postWebhooksDeliveriesResend,
  postWebhooksEndpointsTest,
];

type PortalDeps = DepsOfEndpoints<typeof portalPages> & DepsOfEndpoints<typeof portalForms>;

/** The pages on which a person looks after the webhooks of a partner, by a link that the partner asked for; and what the link of a letter opens. */
export const portalPlugin = (deps: PortalDeps) => async (app: ZodApp) => {
  noStore(app);
  for (const endpoint of portalPages) endpoint(app, deps);
  await app.register(async (formApp: ZodApp) => {
    readOnlyForms(formApp);
    for (const endpoint of portalForms) endpoint(formApp, deps);
  });
};

/** A page's forms are forms and nothing else. */
function readOnlyForms(app: ZodApp): void {
  app.removeContentTypeParser('application/json');
  readForms(app);
}
