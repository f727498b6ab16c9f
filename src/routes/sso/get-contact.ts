import { z } from 'zod';
import { partnerAndCustomer } from '#http/openapi-meta.ts';
import type { ZodApp } from '#http/zod-app.ts';
import type { DepsOf } from '#lib/deps-of.ts';
import { getContacts } from '#modules/accounts';
import { momentOut } from '#wire/moment.ts';

const contactsShape = z
  .object({
    phone: z.string().optional(),
    phoneProven: z.boolean().meta({ description: 'Codes and notices go there' }),
    email: z.string().optional(),
    emailProven: z.boolean().meta({ description: 'Codes, notices and statements go there' }),
    changes: z
      .array(
        z.object({
          contact: z.enum(['phone', 'email']),
          recipient: z.string().meta({ description: 'The new contact, masked', example: '+234*******67' }),
          inForceAt: momentOut,
        }),
      )
      .meta({ description: 'Confirmed, and not in force yet' }),
  })
  .meta({ id: 'Contacts' });

export function getContact(app: ZodApp, deps: DepsOf<typeof getContacts>): void {
  app.get(
    '/contact',
    {
      schema: {
        tags: ['Contacts', 'Extension'],
        operationId: 'getContacts',
        summary: 'Show the customer’s phone and e-mail address, and changes of them under way',
        security: partnerAndCustomer,
        response: { 200: contactsShape },
      },
    },
    async (request) => {
      const { changes, ...contacts } = await getContacts(deps, request.customerId);
      return {
        ...contacts,
        changes: changes.map(({ inForceAt, ...change }) => ({ ...change, inForceAt: inForceAt.toISOString() })),
      };
    },
  );
}
