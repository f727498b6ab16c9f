import type { Page } from '#http/page.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { type ConsentPage, openConsentPage } from '#modules/claims';
import type { Opened } from '../approval/answering.ts';
import { type ApprovalPage, approvalPage, type FormDeps, lockedOutPage } from '../approval/approval-page.ts';
import { outcomePage } from './outcome-page.ts';
import { requestPage } from './request-page.ts';

/** The page of a consent request. */
export const consentPage = (deps: FormDeps & DepsOf<typeof openConsentPage>): ApprovalPage =>
  approvalPage(deps, { segment: 'consent', param: 'consentToken', open: openConsentPage, pageOf });

function pageOf(consent: ConsentPage, how: Opened): Page {
  const { state } = consent;
  if (state === 'EXPIRED') throw new Error('a consent request that is over is refused, not shown');
  if (state !== 'PENDING') return outcomePage(state, consent);
  return consent.attemptsLeft === 0 ? lockedOutPage() : requestPage(consent, how);
}
