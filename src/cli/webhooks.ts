import { Command, Option } from 'commander';
import { z } from 'zod';
import { pauseReceiver, replayDeliveries, resumeReceiver } from '#modules/webhooks';
import { momentIn } from '#wire/moment.ts';
import { toReplay } from '#wire/replay.ts';
import { reason, text } from '#wire/text.ts';
import { toReceiver } from '../routes/operator/shapes/receiver.ts';
import { ACTOR, print, readAs } from './arguments.ts';
import { withResources } from './with-resources.ts';

type Given = Omit<Parameters<typeof replayDeliveries>[1], 'actor' | 'partnerId' | 'applicationId'> & {
  partner?: string;
  application?: string;
};

const ownerId = readAs(z.uuid());
const WHY = 'why, for the audit log';

/** `paytag webhooks …`: the operator's webhook operations. */
export function webhooksCommand(): Command {
  const webhooks = new Command('webhooks').description('what is told to whom');
  webhooks
    .command('replay')
    .description('deliver the events of the deliveries that match once more; without an owner, of all receivers')
    .addOption(new Option('--partner <id>', 'of this partner').argParser(ownerId).conflicts('application'))
    .option('--application <id>', 'of this application', ownerId)
    .addOption(new Option('--status <status>').choices(['FAILED', 'DELIVERED']).default('FAILED'))
    .option('--event <name>', 'as wallet.credited', readAs(text(100)))
    .option('--error <error>', 'as timeout or status 5xx', readAs(text(100)))
    .option('--from <moment>', 'events written then or later, as 2026-01-31T08:00:00Z', readAs(momentIn))
    .option('--to <moment>', 'events written before', readAs(momentIn))
    .option('--after <eventId>', 'go on behind this event: next of an earlier answer', readAs(z.uuid()))
    .option('--dry-run', 'only say what would be replayed', false)
    .option('--reason <reason>', WHY, readAs(reason))
    .action(async ({ partner: partnerId, application: applicationId, ...given }: Given) => {
      const asked = { ...given, partnerId, applicationId, actor: ACTOR };
      print(toReplay(await withResources((resources) => replayDeliveries(resources, asked))));
    });
  webhooks
    .command('pause')
    .description('send nothing to a receiver until it is resumed; its events are kept')
    .argument('<ownerId>', 'the partner’s or application’s id', ownerId)
    .requiredOption('--reason <reason>', WHY, readAs(reason))
    .action(async (owner: string, given: { reason: string }) => {
      const change = { ...given, ownerId: owner, actor: ACTOR, by: 'OPERATOR' } as const;
      print(toReceiver(await withResources((resources) => pauseReceiver(resources, change))));
    });
  webhooks
    .command('resume')
    .description('send to a receiver again, what was kept first')
    .argument('<ownerId>', 'the partner’s or application’s id', ownerId)
    .option('--reason <reason>', WHY, readAs(reason))
    .action(async (owner: string, given: { reason?: string }) => {
      const change = { ...given, ownerId: owner, actor: ACTOR, by: 'OPERATOR' } as const;
      print(toReceiver(await withResources((resources) => resumeReceiver(resources, change))));
    });
  return webhooks;
}
