import { bookInbox } from '#modules/collections';
import { sendPayouts } from '#modules/payouts';
import { maintain, maintainEachMinute } from '../../../../src/worker/maintenance.ts';
import type { TestApp } from '../../../support/app.ts';

/** Does something, and what follows from it, and asks the books whether they hold: named `what` when they do not. */
export type Step = <Done>(what: string, work: () => Promise<Done>) => Promise<Done>;

/** Something that is begun and brought to its end, on a server whose books other stories have filled. */
export type Story = (server: TestApp, step: Step) => Promise<void>;

/** A time after which what is asked of providers is due again. */
const AGAIN_MS = 5_000;

/** What the workers of a server do once something has happened: all but delivering, the checks and what goes by the day. */
export async function settle({ clock, resources }: TestApp): Promise<void> {
  clock.advance(AGAIN_MS);
  await sendPayouts(resources);
  await bookInbox(resources);
  await maintain(resources);
  await maintainEachMinute(resources);
}
