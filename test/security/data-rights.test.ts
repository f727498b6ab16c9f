import { expect, it } from 'vitest';
import { useSharedApp } from '../support/app.ts';
import { actOn, customerIdOf, findCustomers } from '../support/customers.ts';
import { PASSWORD } from '../support/onboarding.ts';
import { loggedIn } from '../support/wallets.ts';

const server = useSharedApp();

/** What an export must not hold of anything: digests, hashes, sealed bytes and secrets. */
const FORBIDDEN = /digest|hash|sealed|secret|token"|otp|index"|\$argon2|"type":"Buffer"/i;

it('V14.2.4: an export has no secret, nothing a secret is recognised by, and nobody else', async () => {
  const partner = await server.newPartner({ float: 50 });
  const ada = await loggedIn(server, partner, 20);
  const bola = await loggedIn(server, partner, 20);
  await findCustomers(server, { phone: ada.phone });
  const text = (await actOn(server, await customerIdOf(server, ada.paytag), 'export')).body;
  const secrets = [PASSWORD, ada.headers['authorization'] ?? '', partner.apiKey, partner.clientId];
  for (const hidden of [...secrets, bola.bvn, bola.phone, bola.wallet]) expect(text).not.toContain(hidden);
  expect(FORBIDDEN.exec(text.replaceAll('tokenIssuedAt', ''))).toBeNull();
  for (const value of [ada.bvn, ada.email, ada.dateOfBirth]) expect(server.logged).not.toContain(value);
});
