import { loadConfig } from '../boot-database.ts';
import * as chapters from './tour/chapters.ts';
import { Guide } from './tour/guide.ts';
import { startReceiver } from './tour/receiver.ts';

/** Tells the whole story against the running server, for real, and ends with the totals. */
async function tour(): Promise<void> {
  const config = await loadConfig();
  const origin = `http://127.0.0.1:${config.PORT}`;
  const guide = new Guide(origin, console.log);
  const receiver = await startReceiver();
  const started = performance.now();
  try {
    console.log(`The tour of ${origin}`);
    const { acme, bolt } = await chapters.partnersJoin(guide, config.OPERATOR_TOKEN, receiver);
    const wallet = await chapters.customerIsMade(guide, acme, bolt);
    await chapters.customersOnboard(guide, acme);
    await chapters.customerLogsIn(guide, acme);
    await chapters.moneyMoves(guide, acme, wallet, receiver);
    await chapters.applicationResolves(guide);
  } finally {
    receiver.close();
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `\n✓ The whole story: ${guide.calls} calls, ${receiver.received.length} webhooks, ${guide.ticks} promises ticked, ${seconds} s`,
  );
}

tour().catch((error: unknown) => {
  const cause = error instanceof Error ? error : new Error(String(error));
  const isDown = (cause as { code?: string }).code === 'ECONNREFUSED';
  console.error(isDown ? '\nNo server answers: run "npm start" in another terminal first.' : `\n✗ ${cause.message}`);
  process.exitCode = 1;
});
