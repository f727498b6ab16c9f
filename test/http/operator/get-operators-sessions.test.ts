import { describe, expect, it } from 'vitest';
import { useApp } from '../../support/app.ts';
import { consoleSession } from '../../support/live-sessions.ts';
import { newOperator } from '../../support/operators.ts';
import { OPERATOR_TOKEN } from '../../support/process.ts';

const server = useApp();
const list = async (query = '') => (await server.operate('GET', `/operators/sessions?${query}`)).json();

describe('200', () => {
  it('who is signed in now, newest first, root too; not who was disabled, whose token is new or whose time is over', async () => {
    const [ada, bola] = [await newOperator(server, 'viewer'), await newOperator(server, 'support')];
    const root = { id: '', token: OPERATOR_TOKEN };
    for (const who of [ada, root, bola]) {
      await consoleSession(server, who);
      server.clock.advance(1000);
    }
    const { items, count } = await list();
    expect(count).toBe(3);
    expect(items).toMatchObject([
      { operatorId: bola.id, operatorName: bola.name, role: 'support' },
      { operatorId: 'root', operatorName: 'root', role: 'admin' },
      { operatorId: ada.id, operatorName: ada.name, role: 'viewer' },
    ]);
    const first = await list('limit=2');
    expect((await list(`limit=2&cursor=${first.nextCursor}`)).items).toEqual([items[2]]);
    expect((await list(`operatorId=${ada.id}`)).items).toEqual([items[2]]);

    await server.operate('POST', `/operators/${ada.id}/disable`, { reason: 'has left' });
    await server.operate('POST', `/operators/${bola.id}/rotate`, {});
    expect((await list()).items).toEqual([items[1]]);
    server.clock.advance(8 * 3_600_000);
    expect((await list()).items).toEqual([]);
  });
});
