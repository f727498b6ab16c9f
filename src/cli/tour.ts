import { loadConfig } from '../config/load-config.ts';
import { walletIsLookedAfter } from './tour/account.ts';
import { applicationsJoin, consentIsGiven } from './tour/applications.ts';
import { allIsProved } from './tour/books.ts';
import { tagsAreLinked } from './tour/federation.ts';
import { Guide } from './tour/guide.ts';
import { customerLogsIn, customersOnboard, passwordIsForgotten } from './tour/login.ts';
import { customerPays, moneyIsGivenBack, walletIsPaid } from './tour/money.ts';
import { offerIsAccepted } from './tour/offers.ts';
import { customerIsMade, partnersJoin } from './tour/partners.ts';
import { startReceiver } from './tour/receiver.ts';
import { terminalIsPaid } from './tour/terminal.ts';
import { webhooksAreLookedAfter } from './tour/webhooks.ts';

/** Tells the whole story against the running server, for real, and ends with the totals. */
async function tour(): Promise<void> {
  const config = await loadConfig();
  const origin = `http://127.0.0.1:${config.port}`;
  const guide = new Guide(origin, console.log);
  const receiver = await startReceiver();
  const stage = { guide, receiver, operator: { authorization: `Bearer ${config.operatorToken}` } };
  const started = performance.now();
  try {
    console.log(`The tour of ${origin}`);
    const { acme, bolt } = await partnersJoin(stage);
    const wallet = await customerIsMade(stage, acme, bolt);
    await customersOnboard(stage, acme);
    const before = await customerLogsIn(stage, acme);
    const customer = await passwordIsForgotten(stage, acme, before);
    await walletIsPaid(stage, acme, wallet);
    await moneyIsGivenBack(stage, acme);
    await customerPays(stage, customer);
    await terminalIsPaid(stage, acme);
    await walletIsLookedAfter(stage, customer);
    await webhooksAreLookedAfter(stage, acme);
    const applications = await applicationsJoin(stage);
    await consentIsGiven(stage, applications);
    await tagsAreLinked(stage, applications);
    await offerIsAccepted(stage, applications);
    await allIsProved(stage, { acme, ...applications });
  } finally {
    receiver.close();
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `\n✓ The whole story: ${guide.chapters} chapters, ${guide.calls} calls, ${receiver.received.length} webhooks, ${guide.ticks} promises ticked, ${seconds} s`,
  );
}

tour().catch((error: unknown) => {
  const cause = error instanceof Error ? error : new Error(String(error));
  const isDown = (cause as { code?: string }).code === 'ECONNREFUSED';
  console.error(isDown ? '\nNo server answers: run "npm start" in another terminal first.' : `\n✗ ${cause.message}`);
  process.exitCode = 1;
});
