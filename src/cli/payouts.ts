import { Command, Option } from 'commander';
import { z } from 'zod';
import { getPayout, listPayouts, type PayoutState, payoutStates, verifyPayout } from '#modules/payouts';
import { reason, reference } from '#wire/text.ts';
import { toPayout } from '../routes/operator/shapes/payout.ts';
import { ACTOR, parseWith, print } from './arguments.ts';
import { withResources } from './with-resources.ts';

const LISTED = 100;

const id = parseWith(z.uuid());

interface Given {
  state?: PayoutState;
  partner?: string;
  wallet?: string;
  after?: string;
  contradicted: boolean;
}

/** `paytag payouts …`: the operator's payout operations that one operator may do alone. */
export function payoutsCommand(): Command {
  const payouts = new Command('payouts').description(
    'payouts to bank accounts. What has become of one of unknown end is said by two operators: POST /operator/v1/payouts/{id}/mark',
  );
  payouts
    .command('list')
    .description(`list payouts, newest first, ${LISTED} at once`)
    .addOption(new Option('--state <state>', 'e.g. UNKNOWN').choices(payoutStates))
    .option('--partner <id>', 'of this partner', id)
    .option('--wallet <reference>', 'of this wallet', parseWith(reference))
    .option('--contradicted', 'only those of which the provider said what cannot be true', false)
    .option('--after <id>', 'continue after this payout: `next` of an earlier answer', id)
    .action(async ({ partner: partnerId, after: cursor, ...given }: Given) => {
      const asked = { ...given, partnerId, cursor, limit: LISTED, offset: 0 };
      const { items, next } = await withResources((resources) => listPayouts(resources, asked));
      print({ items: items.map(toPayout), next });
    });
  payouts
    .command('show')
    .description('show a payout, and what its provider said of it')
    .argument('<id>', 'the payout’s id', id)
    .action(async (payout: string) =>
      print(toPayout(await withResources((resources) => getPayout(resources, payout)))),
    );
  payouts
    .command('verify')
    .description('ask the provider now what has become of a payout, and book it')
    .argument('<id>', 'the payout’s id', id)
    .option('--reason <reason>', 'why, for the audit log', parseWith(reason))
    .action(async (payout: string, given: { reason?: string }) => {
      const asked = { ...given, id: payout, actor: ACTOR };
      print(toPayout(await withResources((resources) => verifyPayout(resources, asked))));
    });
  return payouts;
}
