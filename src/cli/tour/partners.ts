import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ada, handles, mark, type Partner, type PartnerWallet, type Stage, withCredentials } from './cast.ts';

const run = promisify(execFile);
const PAYTAG = fileURLToPath(new URL('../paytag.ts', import.meta.url));

/** The operator brings two partners in, one by the API and one by the command line. */
export async function partnersJoin({ guide, receiver, operator }: Stage): Promise<{ acme: Partner; bolt: Partner }> {
  guide.chapter('The operator creates partners and funds a float');
  const { body: acme } = await guide.call<Omit<Partner, 'headers'>>('POST', '/operator/v1/partners', {
    headers: operator,
    json: {
      name: 'Acme Pay',
      redirectUrl: 'https://acme.example/callback?shop=1',
      webhookUrl: receiver.urlOf('acme'),
    },
    expect: 201,
  });
  await guide.call('POST', `/operator/v1/partners/${acme.id}/float`, {
    headers: operator,
    json: { amount: 100_000, reference: `float-${mark}` },
  });
  const args = ['partners', 'create', '--name', 'Bolt Pay', '--redirect-url', 'https://bolt.example/callback'];
  const { stdout } = await run(process.execPath, [PAYTAG, ...args]);
  const bolt = JSON.parse(stdout) as Omit<Partner, 'headers'>;
  guide.tick('the command line creates a partner with the same operation', bolt.clientId.startsWith('pc_'));
  return { acme: withCredentials(acme), bolt: withCredentials(bolt) };
}

/** A partner makes a customer; another one links her; a wallet without a PayTag is opened. */
export async function customerIsMade({ guide }: Stage, acme: Partner, bolt: Partner): Promise<PartnerWallet> {
  guide.chapter('Partners get a PayTag and wallets for their customers');
  const { headers } = acme;
  const { body: wallet } = await guide.call<PartnerWallet>('POST', '/v2/partner/paytag', {
    headers,
    json: { ...ada, phone: '0803 123 4567', email: 'ada@example.com', tag: `@${handles.ada}` },
  });
  guide.tick(
    `Ada has the PayTag ${handles.ada} and account number ${wallet.Wallet.Nuban}`,
    wallet.PayTag.Tag === handles.ada,
  );
  const linked = await guide.call<PartnerWallet>('POST', `/v2/partner/paytag/bvn/${ada.bvn}`, {
    headers: bolt.headers,
  });
  guide.tick('a second partner has a wallet of its own for her', linked.body.Reference !== wallet.Reference);
  await guide.call('GET', `/v2/partner/wallet/${wallet.Reference}`, { headers: bolt.headers, expect: 404 });
  guide.tick('and does not see the one she has at the first', true);
  const kyc = { firstName: 'Chidi', lastName: 'Okafor' };
  await guide.call('POST', '/v2/partner/wallet', { headers, json: { kyc } });
  return wallet;
}
