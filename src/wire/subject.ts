import { z } from 'zod';
import type { Subject } from '#modules/clients';
import { metadataOut } from './metadata.ts';
import { momentOut } from './moment.ts';
import { optional, text } from './text.ts';

/** Which of its subjects an application means: by our name for it, or by its own. */
export const subjectChoice = {
  subjectId: optional(z.uuid()),
  externalId: optional(text(200)).meta({ description: 'In place of subjectId' }),
};

export const subjectShape = z
  .object({
    id: z.uuid(),
    applicationId: z.uuid(),
    applicationName: z.string(),
    externalId: z.string().optional().meta({ description: 'Shown to its own application' }),
    displayName: z.string().optional(),
    email: z.string().optional().meta({ description: 'Shown to its own application' }),
    imageUrl: z.string().optional(),
    metadata: metadataOut.optional().meta({ description: 'Shown to its own application' }),
    createdAt: momentOut,
  })
  .meta({ id: 'Subject' });

/** A subject as its own application sees it. */
export const toSubject = ({ createdAt, ...subject }: Subject): z.input<typeof subjectShape> => ({
  ...subject,
  createdAt: createdAt.toISOString(),
});
