import type { Page } from '#http/page.ts';
import type { ConsentPage } from '#modules/claims';
import { endPage } from '../approval/end-page.ts';

type Answered = Exclude<ConsentPage['state'], 'PENDING' | 'EXPIRED'>;

const outcomes: Record<Answered, { title: string; text: (asker: string, tag: string) => string }> = {
  APPROVED: {
    title: 'This request was approved',
    text: (asker, tag) => `${asker} has the approval for @${tag}. There is nothing more for you to do.`,
  },
  REJECTED: {
    title: 'This request was declined',
    text: (asker, tag) => `Nothing was agreed on @${tag}, and ${asker} has been told.`,
  },
  CANCELLED: {
    title: 'This request was taken back',
    text: (asker, tag) => `${asker} no longer asks, and nothing was agreed on @${tag}.`,
  },
  REVOKED: {
    title: 'This approval has ended',
    text: (asker, tag) => `It was given once, and ended since: @${tag} no longer stands for anybody at ${asker} by it.`,
  },
};

/** A request that has been answered, and how. */
export function outcomePage(state: Answered, { requestedByAppName, tagString }: ConsentPage): Page {
  const { title, text } = outcomes[state];
  return endPage(title, text(requestedByAppName, tagString));
}
