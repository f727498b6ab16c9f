import type { Page } from '#http/page.ts';
import type { LinkRequest } from '#modules/federations';
import { endPage } from '../approval/end-page.ts';

type Answered = Exclude<LinkRequest['status'], 'PENDING' | 'FAILED'>;

const outcomes: Record<Answered, { title: string; text: (asker: string, tags: string) => string }> = {
  VERIFIED: {
    title: 'The two tags are linked',
    text: (asker, tags) => `${tags} are linked, and ${asker} has been told. There is nothing more for you to do.`,
  },
  REJECTED: {
    title: 'This request was declined',
    text: (asker, tags) => `${tags} are not linked, and ${asker} has been told.`,
  },
  REVOKED: {
    title: 'This request has ended',
    text: (asker, tags) => `${asker} took it back, or the link has ended since: ${tags} are not linked.`,
  },
};

/** A link that has been answered, and how. */
export function linkOutcomePage(status: Answered, request: LinkRequest): Page {
  const { title, text } = outcomes[status];
  return endPage(title, text(request.requestedByAppName, `@${request.tagString} and ${request.primaryAddress}`));
}
