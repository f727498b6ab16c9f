import type { PayTagCustomer } from 'paytag/client';
import { handles, type TourContext } from './context.ts';

/** A customer's bank account, statement and QR code. */
export async function manageAccount({ tour }: TourContext, customer: PayTagCustomer): Promise<void> {
  tour.chapter('Ada links a bank account and downloads a statement and a QR code');
  const account = { accountNumber: '0123456789', bankCode: '058' };
  const { accountName } = await customer.post('/sso/wallet/bank-account', { body: account });
  tour.check(`the bank account is in the name of ${accountName}`, /obi/i.test(accountName));
  const unknown = { ...account, accountNumber: '0123456781' };
  await tour.refused(400, customer.post('/sso/wallet/bank-account', { body: unknown }));

  const statement = async (format: 'pdf' | 'csv') => {
    const answer = await customer.post('/sso/transaction/statement', { params: { query: { format } } });
    if (!('url' in answer)) throw new Error('the statement is not made at once');
    return (await tour.call('GET', answer.url)).text;
  };
  tour.check('the statement is a PDF', (await statement('pdf')).startsWith('%PDF-'));
  tour.check('as CSV, it lists the lunch', (await statement('csv')).includes('Lunch'));

  const qr = await customer.get('/sso/qr');
  const isPng = Buffer.from(qr, 'base64').subarray(1, 4).toString() === 'PNG';
  tour.check(`the QR code of ${handles.ada} is a PNG`, isPng);
}
