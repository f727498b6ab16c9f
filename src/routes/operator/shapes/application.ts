import { z } from 'zod';
import { type ApplicationForOperator, applicationStatuses } from '#modules/clients';
import { momentOut } from '#wire/moment.ts';
import { credential, personal } from '#wire/personal.ts';

export const applicationStatus = z.enum(applicationStatuses);

export const applicationShape = z.object({
  id: z.uuid(),
  name: z.string(),
  namespace: z.string(),
  clientId: credential(z.string()),
  email: personal(z.string(), 'email').optional(),
  imageUrl: z.string().optional(),
  status: applicationStatus,
  previousSecretUntil: momentOut.optional(),
  createdAt: momentOut,
});

/** An application, without its secret. */
export const toApplication = (application: ApplicationForOperator): z.input<typeof applicationShape> => ({
  ...application,
  previousSecretUntil: application.previousSecretUntil?.toISOString(),
  createdAt: application.createdAt.toISOString(),
});
