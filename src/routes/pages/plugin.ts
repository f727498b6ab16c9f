import formbody from '@fastify/formbody';
import { noStore } from '#http/response-headers.ts';
import type { DepsOfEndpoints, ZodApp } from '#http/zod-app.ts';
import { getConsent } from './get-consent.ts';
import { getFederation } from './get-federation.ts';
import { getP } from './get-p.ts';
import { getPQrPng } from './get-p-qr-png.ts';
import { getPages } from './get-pages.ts';
import { getStatementVerify } from './get-statement-verify.ts';
import { getStatements } from './get-statements.ts';
import { postConsent } from './post-consent.ts';
import { postConsentCode } from './post-consent-code.ts';
import { postFederation } from './post-federation.ts';
import { postFederationCode } from './post-federation-code.ts';

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
    formApp.removeContentTypeParser('application/json');
    await formApp.register(formbody); // a page's forms are forms and nothing else
    for (const endpoint of forms) endpoint(formApp, deps);
  });
};
