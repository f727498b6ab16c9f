import type { TestApp, TestPartner } from '../../support/app.ts';
import { newSide, type Side } from '../../support/switch.ts';
import { newSplit, newTerminal } from '../../support/terminals.ts';
import { kycWallet, type LoggedIn, loggedIn, logInAt, moveMoney, pay } from '../../support/wallets.ts';

/** Those who move money, and through whom. What they have changes under the requests that name it. */
export interface World {
  /** Where all wallets are but one, and another partner, where bola has her second wallet. */
  partner: TestPartner;
  other: TestPartner;
  /** Pays; her token and her wallet are those of her last login. */
  ada: LoggedIn;
  /** Is paid, into her primary wallet. */
  bola: LoggedIn;
  bolasNuban: string;
  /** Of a KYC profile. */
  wallet: string;
  nuban: string;
  terminal: string;
  split: string;
  acme: Side;
  market: Side;
  /** Our reference of a transfer of ada's, which the operator can refund. */
  transfer: string;
  /** The offer of acme's that waits for market, once it was made. */
  offer?: string;
}

/** A new world, with money in it. The partner's movements `in` and `out` can be refunded, `aside` reversed. */
export async function newWorld(server: TestApp): Promise<World> {
  const [partner, other] = [await server.newPartner({ float: 100_000 }), await server.newPartner()];
  const [ada, bola] = [await loggedIn(server, partner, 5_000), await loggedIn(server, partner)];
  await logInAt(server, other, bola);
  const wallet = await kycWallet(server, partner);
  await moveMoney(server, partner, wallet, 'credit', { amount: 2_000, reference: 'in' });
  await moveMoney(server, partner, wallet, 'debit', { amount: 1_000, reference: 'out' });
  await moveMoney(server, partner, wallet, 'credit', { amount: 5, reference: 'aside' });
  const sent = await pay(server, ada, { paytag: bola.paytag, amount: 500, reference: 'before' });
  const terminal = await newTerminal(server, partner);
  const hers = await server.call('GET', '/v2/sso/wallet', { headers: bola.headers });
  const shown = await server.call('GET', `/v2/partner/wallet/${wallet}`, { headers: partner.headers });
  return {
    partner,
    other,
    ada,
    bola,
    bolasNuban: hers.json<{ Nuban: string }>().Nuban,
    wallet,
    nuban: shown.json<{ Wallet: { Nuban: string } }>().Wallet.Nuban,
    terminal,
    split: await newSplit(server, terminal, 300),
    acme: await newSide(server, 'Acme', { webhookUrl: 'http://127.0.0.1:9/acme' }),
    market: await newSide(server, 'Market'),
    transfer: sent.json<{ Reference: string }>().Reference,
  };
}
