import { Command, Option } from 'commander';
import { z } from 'zod';
import { createPartner } from '#modules/partners';
import { fundFloat, settleFloat } from '#modules/wallets';
import { amountIn, toMajor } from '#wire/money.ts';
import { reference, shownName, webUrl } from '#wire/text.ts';
import { ACTOR, parseWith, plainNumber, print } from './arguments.ts';
import { refuseAbove } from './refuse-above.ts';
import { withResources } from './with-resources.ts';

const floatCommands = [
  { name: 'fund', path: 'float', description: 'add to a partner’s float', move: fundFloat },
  {
    name: 'settle',
    path: 'settlement',
    description: 'take from a partner’s float what was paid out to it',
    move: settleFloat,
  },
];

/** `paytag partners …`: the operator's partner operations. */
export function partnersCommand(): Command {
  const partners = new Command('partners').description('partners and their floats');
  partners
    .command('create')
    .description('create a partner; its secrets are printed this once only')
    .requiredOption('--name <name>', 'name of the partner', parseWith(shownName(200)))
    .requiredOption('--redirect-url <url>', 'where a customer returns to after login', parseWith(webUrl))
    .option('--webhook-url <url>', 'where its webhooks go', parseWith(webUrl))
    .action(async (given: { name: string; redirectUrl: string; webhookUrl?: string }) =>
      print(await withResources((resources) => createPartner(resources, ACTOR, given))),
    );
  for (const { name, path, description, move } of floatCommands) {
    partners
      .command(name)
      .description(description)
      .argument('<partnerId>', 'the partner’s id', parseWith(z.uuid()))
      .requiredOption('--amount <naira>', 'in naira or points, at most two decimals', parseWith(amountIn, plainNumber))
      .requiredOption(
        '--reference <reference>',
        'unique name of this movement; sent twice, it moves money once',
        parseWith(reference),
      )
      .addOption(new Option('--currency <currency>').choices(['NGN', 'FP']).default('NGN'))
      .action(async (partnerId: string, given: Omit<Parameters<typeof move>[1], 'actor' | 'partnerId'>) => {
        const balance = await withResources((resources) => {
          refuseAbove(resources, given.amount, `POST /operator/v1/partners/${partnerId}/${path}`);
          return move(resources, { ...given, actor: ACTOR, partnerId });
        });
        print({ currency: given.currency, balance: toMajor(balance) });
      });
  }
  return partners;
}
