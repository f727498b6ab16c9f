import { Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { createPartner } from '#modules/partners';
import { fundFloat } from '#modules/wallets';
import { amountIn, toMajor } from '../http/amount.ts';
import { reference, text, webUrl } from '../http/text.ts';
import { withResources } from './with-resources.ts';

const ACTOR = 'cli';

const print = (answer: unknown): void => console.log(JSON.stringify(answer, null, 2));

/** `paytag partners …`: the operator's partner operations. */
export function partnersCommand(): Command {
  const partners = new Command('partners').description('partners and their floats');
  partners
    .command('create')
    .description('create a partner; its secrets are printed this once')
    .requiredOption('--name <name>', 'what it is called', readAs(text(200)))
    .requiredOption('--redirect-url <url>', 'where a customer’s login returns to', readAs(webUrl))
    .option('--webhook-url <url>', 'where events go', readAs(webUrl))
    .action(async (given: { name: string; redirectUrl: string; webhookUrl?: string }) =>
      print(await withResources((resources) => createPartner(resources, ACTOR, given))),
    );
  partners
    .command('fund')
    .description('add to a partner’s float')
    .argument('<partnerId>', 'the partner’s id', readAs(z.uuid()))
    .requiredOption('--amount <naira>', 'major units, at most two decimals', readAs(amountIn, plainNumber))
    .requiredOption('--reference <reference>', 'names this funding, for ever', readAs(reference))
    .addOption(new Option('--currency <currency>').choices(['NGN', 'FP']).default('NGN'))
    .action(async (partnerId: string, given: Omit<Parameters<typeof fundFloat>[1], 'actor' | 'partnerId'>) => {
      const balance = await withResources((resources) => fundFloat(resources, { ...given, actor: ACTOR, partnerId }));
      print({ currency: given.currency, balance: toMajor(balance) });
    });
  return partners;
}

/** A number as plain decimal text: nothing else that JavaScript would take for one, and nothing it would round. */
const plainNumber = (given: string): number => (/^\d{1,13}(\.\d{1,2})?$/.test(given) ? Number(given) : Number.NaN);

/** An argument read by the shape that the operator API reads it with. */
const readAs =
  <Shape extends z.ZodType>(shape: Shape, raw: (given: string) => unknown = (given) => given) =>
  (given: string): z.output<Shape> => {
    const read = shape.safeParse(raw(given));
    if (!read.success) throw new InvalidArgumentError(read.error.issues[0]?.message ?? 'is not valid');
    return read.data;
  };
