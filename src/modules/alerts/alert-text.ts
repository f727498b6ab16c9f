import type { UntoldEpisode } from '#modules/webhooks';

/** Who is told, by whom, and where they read on. */
export interface AlertFacts {
  ownerName: string;
  /** Of the institution. */
  from: string;
  guideUrl: string;
  /** How their webhooks are looked after. */
  howTo: string;
}

const counted = (failed: number): string =>
  failed === 1 ? 'an event' : failed >= 1_000 ? 'a thousand events or more' : `${Math.max(failed, 1)} events`;

/** What happened to an owner's webhooks, since when, and what to do. No URL and no event is quoted: they may be secrets. */
export function alertText(
  { kind, beganAt, detail, host, failed }: UntoldEpisode,
  { ownerName, from, guideUrl, howTo }: AlertFacts,
): { subject: string; text: string } {
  const at = host === undefined ? 'your webhook URL' : `your server at ${host}`;
  const told = {
    FAILING: {
      subject: 'Your webhooks fail',
      what: `The last deliveries to ${at} have failed. We give it a break and try again by ourselves, at growing intervals; what waits loses no attempt.`,
      todo: 'Look at what your server answers. Nothing else is to be done: what waits goes out when it answers 200 or 201 again.',
    },
    PAUSED: {
      subject: 'Your webhooks are paused',
      what: `Nothing is sent to ${at} until it is resumed; your events are kept. The reason: ${detail ?? 'none was given'}.`,
      todo: 'When your server is well, resume it, or ask us where an operator has paused it.',
    },
    FAILED: {
      subject: 'Webhooks were not delivered',
      what: `Of ${counted(failed)} the last of five attempts at ${at} has failed.`,
      todo: 'Look at what your server answered, and resend what is not sent again by itself.',
    },
    BACKLOG: {
      subject: 'Your webhooks are more than an hour late',
      what: `Deliveries to ${at} have been waiting for more than an hour.`,
      todo: 'See that your server answers within ten seconds, and more of them at once.',
    },
  }[kind];
  const text = [
    `${ownerName}:`,
    told.what,
    `Since: ${beganAt.toISOString()}`,
    `What to do: ${told.todo}`,
    howTo,
    `The guide: ${guideUrl}`,
    `You are told once of each such time. ${from}`,
  ].join('\n\n');
  return { subject: `${from}: ${told.subject}`, text };
}
