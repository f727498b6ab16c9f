import { Command, Option } from 'commander';
import { revokeWalletAndSessions } from '#modules/sessions';
import { changeWallet, getWalletForOperator } from '#modules/wallets';
import { limitIn } from '#wire/money.ts';
import { reason } from '#wire/text.ts';
import { tier } from '#wire/wallet.ts';
import { toWallet } from '../routes/operator/shapes/wallet.ts';
import { ACTOR, parseWith, plainNumber, print } from './arguments.ts';
import { withResources } from './with-resources.ts';

type Given = Omit<Parameters<typeof changeWallet>[1], 'actor' | 'reference' | 'dailyLimit' | 'isAdmin'> & {
  dailyLimit?: ReturnType<typeof readLimit>;
};

/** In place of an amount: the daily limit of the wallet's tier. */
const TIER = 'tier';

/** `paytag wallets …`: the operator's wallet operations. */
export function walletsCommand(): Command {
  const wallets = new Command('wallets').description('wallets of all partners');
  wallets
    .command('show')
    .description('show a wallet with its rules and liens')
    .argument('<reference>', 'the wallet’s reference')
    .action(async (reference: string) => {
      print(toWallet(await withResources((resources) => getWalletForOperator(resources, resources.db, reference))));
    });
  wallets
    .command('set')
    .description('change the rules of a wallet; what is not given stays as it is')
    .argument('<reference>', 'the wallet’s reference')
    .addOption(new Option('--status <status>').choices(['Enabled', 'Blocked', 'PND', 'PNC']))
    .option('--daily-limit <naira>', 'in naira, at most two decimals; "tier" for the limit of the tier', readLimit)
    .option('--tier <tier>', 'tier of daily limits: 1, 2 or 3', parseWith(tier, plainNumber))
    .requiredOption('--reason <reason>', 'why, for the audit log', parseWith(reason))
    .action(async (reference: string, { dailyLimit: limit, ...given }: Given) => {
      const change = { ...given, dailyLimit: limit === TIER ? null : limit, actor: ACTOR, reference, isAdmin: true };
      print(toWallet(await withResources((resources) => changeWallet(resources, change))));
    });
  wallets
    .command('revoke')
    .description('revoke an empty wallet for good, and its customer’s tokens at that partner')
    .argument('<reference>', 'the wallet’s reference')
    .requiredOption('--reason <reason>', 'why, for the audit log', parseWith(reason))
    .action(async (reference: string, given: { reason: string }) => {
      const revocation = { ...given, actor: ACTOR, reference };
      print(toWallet(await withResources((resources) => revokeWalletAndSessions(resources, revocation))));
    });
  return wallets;
}

const readLimit = (given: string) => (given === TIER ? TIER : parseWith(limitIn, plainNumber)(given));
