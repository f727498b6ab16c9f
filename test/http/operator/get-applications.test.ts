import { describe, expect, it } from 'vitest';
import { payTagApplicationId } from '#modules/applications';
import { useApp } from '../../support/app.ts';
import { newApplication, operateApplication } from '../../support/application.ts';

const server = useApp({ APPLICATION_REGISTRATION: 'approval' });
const find = (query = '') => server.operate('GET', `/applications${query}`);

describe('200', () => {
  it('finds applications, newest first, in pages, without secrets, and never the built-in one', async () => {
    const [first, second] = [await newApplication(server, 'First'), await newApplication(server, 'Second')];
    const all = await find();
    expect(all.statusCode).toBe(200);
    expect(all.headers['cache-control']).toBe('no-store');
    expect(all.json()).toMatchObject({ count: 2, limit: 20, offset: 0 });
    const ids = all.json<{ items: { id: string }[] }>().items.map(({ id }) => id);
    expect(ids).toEqual([second.applicationId, first.applicationId]);
    expect(ids).not.toContain(payTagApplicationId);
    for (const secret of [first.client_secret, second.client_secret]) expect(all.body).not.toContain(secret);
    const page = (await find('?limit=1&offset=1')).json();
    expect(page).toMatchObject({ count: 2, limit: 1, offset: 1, items: [{ id: first.applicationId, name: 'First' }] });
    expect((await find('?limit=0')).json()).toEqual({ items: [], count: 2, limit: 0, offset: 0 });
    expect((await find('?limit=101')).json().limit).toBe(100);
  });

  it('finds by status', async () => {
    const { applicationId: id } = await newApplication(server, 'Approved');
    await operateApplication(server, id, 'approve');
    expect((await find('?status=ACTIVE')).json()).toMatchObject({ count: 1, items: [{ id, status: 'ACTIVE' }] });
    expect((await find('?status=SUSPENDED')).json()).toMatchObject({ count: 0, items: [] });
    const waiting = (await find('?status=PENDING&limit=100')).json();
    expect(waiting.items.map((one: { id: string }) => one.id)).not.toContain(id);
  });
});
