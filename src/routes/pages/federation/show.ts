import type { Page } from '#http/page.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { type LinkRequest, openLinkRequest } from '#modules/federations';
import type { Opened } from '../approval/answering.ts';
import { type ApprovalPage, approvalPage, type FormDeps, lockedOutPage } from '../approval/approval-page.ts';
import { linkOutcomePage } from './outcome-page.ts';
import { linkRequestPage } from './request-page.ts';

/** The page of a link that asks for a customer's consent. */
export const linkPage = (deps: FormDeps & DepsOf<typeof openLinkRequest>): ApprovalPage =>
  approvalPage(deps, { segment: 'federation', param: 'approvalToken', open: openLinkRequest, pageOf });

function pageOf(request: LinkRequest, how: Opened): Page {
  const { status, attemptsLeft } = request;
  if (status === 'FAILED') return lockedOutPage();
  if (status !== 'PENDING') return linkOutcomePage(status, request);
  return attemptsLeft === 0 ? lockedOutPage() : linkRequestPage(request, how);
}
