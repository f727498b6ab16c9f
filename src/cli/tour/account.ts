import { type Headers, handles, type Stage } from './cast.ts';

/** What else a customer's wallet has: a bank account, a statement, a QR code. */
export async function walletIsLookedAfter({ guide }: Stage, customer: Headers): Promise<void> {
  guide.chapter('Ada links her bank account, and fetches a statement and her QR code');
  const headers = customer;
  const account = { accountNumber: '0123456789', bankCode: '058' };
  const linked = await guide.call<{ accountName: string }>('POST', '/v2/sso/wallet/bank-account', {
    headers,
    json: account,
  });
  guide.tick(
    `the bank says that it is in the name of ${linked.body.accountName}`,
    /obi/i.test(linked.body.accountName),
  );
  const unknown = { ...account, accountNumber: '0123456781' };
  await guide.call('POST', '/v2/sso/wallet/bank-account', { headers, json: unknown, expect: 400 });

  const statement = await guide.call<{ url: string }>('POST', '/v2/sso/transaction/statement', { headers });
  const pdf = await guide.call('GET', statement.body.url);
  guide.tick('the link answers a PDF', pdf.text.startsWith('%PDF-'));
  const asCsv = await guide.call<{ url: string }>('POST', '/v2/sso/transaction/statement?format=csv', { headers });
  const csv = await guide.call('GET', asCsv.body.url);
  guide.tick('or CSV, which has the lunch in it', csv.text.includes('Lunch'));

  const qr = await guide.call('GET', '/v2/sso/qr', { headers });
  const isPng = Buffer.from(qr.text, 'base64').subarray(1, 4).toString() === 'PNG';
  guide.tick(`a PNG of the public link of ${handles.ada}`, isPng);
}
