import { Command, Option } from 'commander';
import { z } from 'zod';
import { pauseReceiver, replayDeliveries, resumeReceiver } from '#modules/webhooks';
import { momentIn } from '#wire/moment.ts';
import { toReplay } from '#wire/replay.ts';
import { reason, text } from '#wire/text.ts';
import { toReceiver } from '../routes/operator/shapes/receiver.ts';
import { ACTOR, parseWith, print } from './arguments.ts';
import { withResources } from './with-resources.ts';

type Given = Omit<Parameters<typeof replayDeliveries>[1], 'actor' | 'partnerId' | 'applicationId'> & {
  partner?: string;
  application?: string;
};

const ownerId = parseWith(z.uuid());
const WHY = 'why, for the audit log';

/** `paytag webhooks …`: the operator's webhook operations. */
export function webhooksCommand(): Command {
  const webhooks = new Command('webhooks').description('webhook deliveries, and the receivers they go to');
  webhooks
    .command('replay')
    .description(
      'deliver the events of matching deliveries once more; without partner or application, of all receivers',
    )
    .addOption(new Option('--partner <id>', 'of this partner').argParser(ownerId).conflicts('application'))
    .option('--application <id>', 'of this application', ownerId)
    .addOption(new Option('--status <status>').choices(['FAILED', 'DELIVERED']).default('FAILED'))
    .option('--event <name>', 'e.g. wallet.credited', parseWith(text(100)))
    .option('--error <error>', 'e.g. timeout or status 5xx', parseWith(text(100)))
    .option('--from <time>', 'events written then or later, e.g. 2026-01-31T08:00:00Z', parseWith(momentIn))
    .option('--to <time>', 'events written before', parseWith(momentIn))
    .option('--after <eventId>', 'continue after this event: `next` of an earlier answer', parseWith(z.uuid()))
    .option('--dry-run', 'only print what would be replayed', false)
    .option('--reason <reason>', WHY, parseWith(reason))
    .action(async ({ partner: partnerId, application: applicationId, ...given }: Given) => {
      const asked = { ...given, partnerId, applicationId, actor: ACTOR };
      print(toReplay(await withResources((resources) => replayDeliveries(resources, asked))));
    });
  webhooks
    .command('pause')
    .description('send nothing to a receiver until it is resumed; its events are kept')
    .argument('<ownerId>', 'the partner’s or application’s id', ownerId)
    .requiredOption('--reason <reason>', WHY, parseWith(reason))
    .action(async (owner: string, given: { reason: string }) => {
      const change = { ...given, ownerId: owner, actor: ACTOR, by: 'OPERATOR' } as const;
      print(toReceiver(await withResources((resources) => pauseReceiver(resources, change))));
    });
  webhooks
    .command('resume')
    .description('send to a receiver again, beginning with what was kept')
    .argument('<ownerId>', 'the partner’s or application’s id', ownerId)
    .option('--reason <reason>', WHY, parseWith(reason))
    .action(async (owner: string, given: { reason?: string }) => {
      const change = { ...given, ownerId: owner, actor: ACTOR, by: 'OPERATOR' } as const;
      print(toReceiver(await withResources((resources) => resumeReceiver(resources, change))));
    });
  return webhooks;
}
