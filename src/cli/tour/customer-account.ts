import { type Headers, handles, type TourContext } from './context.ts';

/** A customer's bank account, statement and QR code. */
export async function manageAccount({ tour }: TourContext, customer: Headers): Promise<void> {
  tour.chapter('Ada links a bank account and downloads a statement and a QR code');
  const headers = customer;
  const account = { accountNumber: '0123456789', bankCode: '058' };
  const linked = await tour.call<{ accountName: string }>('POST', '/v2/sso/wallet/bank-account', {
    headers,
    json: account,
  });
  tour.check(`the bank account is in the name of ${linked.body.accountName}`, /obi/i.test(linked.body.accountName));
  const unknown = { ...account, accountNumber: '0123456781' };
  await tour.call('POST', '/v2/sso/wallet/bank-account', { headers, json: unknown, expect: 400 });

  const statement = await tour.call<{ url: string }>('POST', '/v2/sso/transaction/statement', { headers });
  const pdf = await tour.call('GET', statement.body.url);
  tour.check('the statement is a PDF', pdf.text.startsWith('%PDF-'));
  const asCsv = await tour.call<{ url: string }>('POST', '/v2/sso/transaction/statement?format=csv', { headers });
  const csv = await tour.call('GET', asCsv.body.url);
  tour.check('as CSV, it lists the lunch', csv.text.includes('Lunch'));

  const qr = await tour.call('GET', '/v2/sso/qr', { headers });
  const isPng = Buffer.from(qr.text, 'base64').subarray(1, 4).toString() === 'PNG';
  tour.check(`the QR code of ${handles.ada} is a PNG`, isPng);
}
