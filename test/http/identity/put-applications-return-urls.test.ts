import { describe, expect, it } from 'vitest';
import { registrable } from '../../../src/modules/applications/return-urls.ts';
import { useSharedApp } from '../../support/app.ts';
import { newApplication, type TestApplication } from '../../support/application.ts';
import { auditOf } from '../../support/audit.ts';

const server = useSharedApp();
const url = '/api/v1/applications/return-urls';
const put = ({ headers }: Pick<TestApplication, 'headers'>, returnUrls: unknown) =>
  server.call('PUT', url, { headers, payload: { returnUrls } });
const see = async ({ headers }: TestApplication) => (await server.call('GET', url, { headers })).json().data.returnUrls;

describe('200', () => {
  it('registers these pages in place of those before, leaves others’ alone, and is in the audit log', async () => {
    const [shop, cabs] = [await newApplication(server, 'Shop'), await newApplication(server, 'Cabs')];
    const before = ['https://shop.example/linked', 'http://localhost:5173/done'];
    expect((await put(shop, [...before, ...before])).json().data).toEqual({ returnUrls: before });
    expect((await put(shop, ['https://SHOP.example:443/other'])).statusCode, 'read otherwise than written').toBe(400);
    expect((await put(shop, ['https://shop.example/other'])).statusCode).toBe(200);
    expect(await see(shop)).toEqual(['https://shop.example/other']);
    expect(await see(cabs)).toEqual([]);
    expect((await auditOf(server, shop.applicationId)).at(-1)).toMatchObject({
      actor: `application:${shop.applicationId}`,
      action: 'application.return-urls',
      before: { returnUrls: before },
      after: { returnUrls: ['https://shop.example/other'] },
    });
    expect((await put(shop, [])).statusCode).toBe(200);
    expect(await see(shop)).toEqual([]);
  });
});

describe('400', () => {
  it('for http on the own machine in live', () => {
    expect(() => registrable('live', ['http://localhost:5173/done'])).toThrow('must be an https URL');
    expect(registrable('live', ['https://localhost/done'])).toEqual(['https://localhost/done']);
  });
});
