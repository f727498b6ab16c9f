import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { PartnerSchemas } from 'paytag/client';
import { ada, asPartner, handles, type Partner, runId, type TourContext } from './context.ts';

const run = promisify(execFile);
const PAYTAG = fileURLToPath(new URL('../paytag.js', import.meta.url));

/** The operator creates two partners, one by the API and one by the command line. */
export async function createPartners({
  tour,
  receiver,
  operator,
}: TourContext): Promise<{ acme: Partner; bolt: Partner }> {
  tour.chapter('The operator creates partners and funds a float');
  const { body: acme } = await tour.call<Omit<Partner, 'paytag'>>('POST', '/operator/v1/partners', {
    headers: operator,
    json: {
      name: 'Acme Pay',
      redirectUrl: 'https://acme.example/callback?shop=1',
      webhookUrl: receiver.urlOf('acme'),
    },
    expect: 201,
  });
  await tour.call('POST', `/operator/v1/partners/${acme.id}/float`, {
    headers: operator,
    json: { amount: 100_000, reference: `float-${runId}` },
  });
  const args = ['partners', 'create', '--name', 'Bolt Pay', '--redirect-url', 'https://bolt.example/callback'];
  const { stdout } = await run(process.execPath, [PAYTAG, ...args, '--profile', 'local', '--json']);
  const bolt = JSON.parse(stdout) as Omit<Partner, 'paytag'>;
  tour.check('the command line creates a partner with the same operation', bolt.clientId.startsWith('pc_'));
  return { acme: asPartner(tour, acme), bolt: asPartner(tour, bolt) };
}

/** One partner creates a customer, another one gets a wallet for the same customer, and a wallet without PayTag is opened. */
export async function createCustomer(
  { tour }: TourContext,
  acme: Partner,
  bolt: Partner,
): Promise<PartnerSchemas['PartnerWallet']> {
  tour.chapter('Partners get a PayTag and wallets for their customers');
  const wallet = await acme.paytag.post('/partner/paytag', {
    body: { ...ada, phone: '0803 123 4567', email: 'ada@example.com', tag: `@${handles.ada}` },
  });
  tour.check(
    `Ada has the PayTag ${handles.ada} and account number ${wallet.Wallet.Nuban}`,
    wallet.PayTag?.Tag === handles.ada,
  );
  const linked = await bolt.paytag.post('/partner/paytag/bvn/{bvn}', { params: { path: { bvn: ada.bvn } } });
  tour.check('a second partner has its own wallet for Ada', linked.Reference !== wallet.Reference);
  const params = { path: { reference: wallet.Reference } };
  await tour.refused(404, bolt.paytag.get('/partner/wallet/{reference}', { params }));
  tour.check('and cannot see the wallet at the first partner', true);
  const kyc = { firstName: 'Chidi', lastName: 'Okafor' };
  await acme.paytag.post('/partner/wallet', { body: { kyc } });
  return wallet;
}
