import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { newTerminal } from '../../support/terminals.ts';

const server = useApp();
const list = async (query: string) => (await server.operate('GET', `/terminals?${query}`)).json();

describe('200', () => {
  it('terminals of all partners or one, newest first, page by page', async () => {
    const [one, other] = [await server.newPartner(), await server.newPartner()];
    const [first, second] = [await newTerminal(server, one, { merchant: 'Mama Put' }), await newTerminal(server, one)];
    const third = await newTerminal(server, other);
    const page = await list('limit=2');
    expect(page).toMatchObject({ items: [{ serialNumber: third }, { serialNumber: second }], count: 3 });
    const rest = await list(`limit=2&cursor=${page.nextCursor}`);
    expect(rest.items).toMatchObject([{ serialNumber: first, merchant: 'Mama Put', partnerId: one.id, balance: 0 }]);
    expect(rest).not.toHaveProperty('nextCursor');
    expect((await list(`partnerId=${other.id}`)).items).toMatchObject([{ serialNumber: third }]);
  });
});
