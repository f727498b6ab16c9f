import { beforeAll, describe, expect, it } from 'vitest';
import { type TestPartner, useSharedApp } from '../../support/app.ts';
import { newOperator } from '../../support/operators.ts';
import { MASTER_KEY } from '../../support/process.ts';
import { kycWallet } from '../../support/wallets.ts';
import { signedIn, type TestConsole, textOf } from './console.ts';

const server = useSharedApp();

let viewer: TestConsole;
let partner: TestPartner;
beforeAll(async () => {
  viewer = await signedIn(server, (await newOperator(server, 'viewer')).token);
  partner = await server.newPartner({ webhookUrl: 'http://127.0.0.1:9/hooks' });
});

const nameOf = async ({ id }: { id: string }): Promise<string> =>
  (await server.operate('GET', `/partners/${id}`)).json<{ name: string }>().name;
const shown = async (path: string): Promise<string> => textOf(await viewer.get(`/console${path}`));

describe('what a page names by its id', () => {
  it('is called by its name, and leads to it, in a list and on the page of a thing', async () => {
    const wallet = await kycWallet(server, partner);
    const link = `<a href="/console/partners/${partner.id}"><bdi title="${partner.id}">${await nameOf(partner)}</bdi></a>`;
    expect((await viewer.get('/console/wallets')).body).toContain(link);
    expect((await viewer.get(`/console/wallets/${wallet}`)).body).toContain(link);
  });

  it('is called so among others too', async () => {
    const all = [partner, await server.newPartner(), await server.newPartner(), await server.newPartner()];
    for (const one of all) await kycWallet(server, one);
    const page = await shown('/wallets');
    for (const one of all) expect(page).toContain(`${await nameOf(one)} `);
  });
});

describe('an amount', () => {
  it('has the sign of its currency where that is known, of what a wallet holds too, and none where it may be another', async () => {
    const [naira, points] = [await kycWallet(server, partner), await kycWallet(server, partner, 'FP')];
    for (const wallet of [naira, points]) {
      await server.operate('POST', `/wallets/${wallet}/liens`, { amount: 12.5, reason: 'court order' });
    }
    expect(await shown(`/wallets/${naira}/liens`)).toContain('₦12.50');
    expect(await shown(`/wallets/${points}/liens`)).toContain('12.50 FP');
    await server.operate('POST', '/terminals', {
      partnerId: partner.id,
      serialNumber: 'SN-MAMA',
      merchant: 'Mama Put',
    });
    expect(await shown('/terminals')).toContain('₦0.00');
  });
});

describe('a receiver', () => {
  it('says why nothing is sent to it, who stopped it and what becomes of what waits', async () => {
    await server.operate('POST', `/receivers/${partner.id}/pause`, { reason: 'they move house' });
    for (const page of [await shown('/receivers'), await shown(`/receivers/${partner.id}`)]) {
      expect(page).toMatch(/Paused by an operator, .+: they move house ?\. (Nothing waits|What waits goes out when)/);
    }
    await server.operate('POST', `/receivers/${partner.id}/resume`, {});
    expect(await shown(`/receivers/${partner.id}`)).toContain('What happens is sent at once.');
  });

  it('without an address says that its events are kept', async () => {
    const { id } = await server.newPartner();
    expect(await shown(`/receivers/${id}`)).toContain('Its events are kept until it gives an address.');
  });
});

describe('the settings', () => {
  it('stand by what they are about, with where each came from, and no secret among them', async () => {
    const page = await viewer.get('/console/settings');
    const text = textOf(page);
    expect(text).toMatch(/WEBHOOK_TIMEOUT_MS Milliseconds that .+? \d+ milliseconds (Environment|Default)/);
    expect(text).toMatch(/MASTER_KEY Root key: .+? set, and not shown Environment/);
    const subjects = [...page.body.matchAll(/<h2>(?:<bdi>)?([^<]+)/g)].map(([, title]) => title);
    expect(subjects).toEqual(
      expect.arrayContaining(['Set here', 'The process', 'Stores and secrets', 'Webhooks', 'Outside providers']),
    );
    expect(page.body).not.toContain(MASTER_KEY);
  });
});
