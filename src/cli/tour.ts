import { loadCommandConfig } from '../config/load-config.ts';
import { serverOf } from './server-of.ts';
import { logInCustomer, manageAccount, onboardCustomers, resetPassword } from './tour/customer-chapters.ts';
import {
  createCustomer,
  createPartners,
  creditAndDebit,
  manageWebhooks,
  payAtTerminal,
  payByPayTag,
  refundDebit,
} from './tour/partner-chapters.ts';
import { checkEverything, giveConsent, linkTags, offerMoney, registerApplications } from './tour/switch-chapters.ts';
import { startReceiver, Tour } from './tour/tools.ts';

/** Goes through the whole story against the running server, one chapter after another, and prints the totals. */
async function main(): Promise<void> {
  const config = await loadCommandConfig();
  const server = await serverOf(config);
  const tour = new Tour(server, console.log);
  const receiver = await startReceiver();
  const context = { tour, receiver, operator: { authorization: `Bearer ${config.operatorToken}` } };
  const started = performance.now();
  try {
    console.log(`The tour of ${server.url}`);
    const { acme, bolt } = await createPartners(context);
    const wallet = await createCustomer(context, acme, bolt);
    await onboardCustomers(context, acme);
    const before = await logInCustomer(context, acme);
    const customer = await resetPassword(context, acme, before);
    await creditAndDebit(context, acme, wallet);
    await refundDebit(context, acme);
    await payByPayTag(context, customer);
    await payAtTerminal(context, acme);
    await manageAccount(context, customer);
    await manageWebhooks(context, acme);
    const applications = await registerApplications(context);
    await giveConsent(context, applications);
    await linkTags(context, applications);
    await offerMoney(context, applications);
    await checkEverything(context, { acme, ...applications });
  } finally {
    receiver.close();
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `\n✓ The whole story: ${tour.chapters} chapters, ${tour.calls} calls, ${receiver.received.length} webhooks, ${tour.checks} checks passed, ${seconds} s`,
  );
}

main().catch((error: unknown) => {
  const cause = error instanceof Error ? error : new Error(String(error));
  const { cause: reason = cause } = cause;
  const isDown = reason instanceof Error && 'code' in reason && reason.code === 'ECONNREFUSED';
  console.error(
    isDown
      ? `\nNo server answers (${reason.message}): run "npm start" in another terminal first, or give its PORT.`
      : `\n✗ ${cause.message}`,
  );
  process.exitCode = 1;
});
