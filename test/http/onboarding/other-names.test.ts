import { describe, expect, it } from 'vitest';
import { payTagApplicationId } from '#modules/applications';
import { useApp } from '../../support/app.ts';
import { complete, createPayTag, newPerson, startReset, validatedSession } from '../../support/onboarding.ts';

const server = useApp();
const named = (otherName: string) => ({ ...newPerson(), otherName });
const shownAt = async (paytag: string) =>
  (await server.call('GET', `/api/v1/tags/${paytag}`)).json().data.canonicalOwner.displayName;

describe('another name', () => {
  it.each([
    ['that the register holds is shown in the name', 'Ngozi', 'Ada Ngozi Obi'],
    ['that it does not is kept, and shown to nobody', 'Unregistered', 'Ada Obi'],
    ['of another width is shown as ordinary letters', 'Ｎｇｏｚｉ', 'Ada Ngozi Obi'],
    ['keeps its accents, apostrophe and hyphen', 'Ńgọ́zi O’Neil-Ọbi', 'Ada Ńgọ́zi O’Neil-Ọbi Obi'.normalize('NFC')],
  ])('%s', async (_, otherName, shown) => {
    const partner = await server.newPartner();
    const byPartner = named(otherName);
    const created = (await createPayTag(server, partner, byPartner)).json();
    expect([created.PayTag.Name, created.Wallet.Name]).toEqual([shown, shown]);
    expect(await shownAt(byPartner.paytag)).toBe(shown);

    const themselves = named(otherName);
    const session = await validatedSession(server, partner, themselves);
    const { Name } = (await complete(server, partner, session, { paytag: themselves.paytag })).json();
    expect([Name, await shownAt(themselves.paytag)]).toEqual([shown, shown]);

    const { rows } = await server.owner.query<{ kept: string }>(
      'select other_name as kept from customers.customer order by created_at desc limit 2',
    );
    expect(new Set(rows.map(({ kept }) => kept))).toEqual(new Set([otherName.normalize('NFKC')]));
  });

  it('of a customer from before is shown once the register, asked for their contacts, confirms it', async () => {
    const partner = await server.newPartner();
    const ada = named('Ngozi');
    await createPayTag(server, partner, ada);
    const session = await validatedSession(server, partner, ada);
    await complete(server, partner, session, { paytag: ada.paytag });
    await server.owner.query(
      `with c as (update customers.customer set phone_proven_at = null, is_other_name_confirmed = false
                    where id = (select id from customers.customer order by created_at desc limit 1) returning id)
       update applications.subject set display_name = 'Ada Obi' from c where application_id = $1 and external_id = c.id::text`,
      [payTagApplicationId],
    );
    expect(await shownAt(ada.paytag)).toBe('Ada Obi');
    const { session: reset } = (await startReset(server, partner, ada.paytag)).json<{ session: string }>();
    await server.call('GET', `/v2/sso/${reset}/otp?channel=sms`, { headers: partner.headers });
    expect(await shownAt(ada.paytag)).toBe('Ada Ngozi Obi');
  });
});
