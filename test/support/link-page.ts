import type { TestApp } from './app.ts';
import { federate, linkEventNames, newEnd, seeFederation, type TagSide } from './federations.ts';
import { newCustomer, type Person } from './onboarding.ts';

/** A link that waits for the consent of a customer with a password. */
export interface WaitingLink {
  id: string;
  approvalUrl: string;
  /** The customer's PayTag. */
  tagString: string;
  primary: TagSide;
  person: Person;
}

/** Asks for another link to a customer's PayTag, from a tag of another application. */
export async function linkTo(server: TestApp, person: Person, name = 'Acme'): Promise<WaitingLink> {
  const primary = await newEnd(server, name);
  const asked = { secondaryTag: person.paytag, verificationMethod: 'CONSENT' };
  const started = await federate(server, primary, primary.tag, asked);
  const [{ id, approvalUrl }] = started.json<{ data: { links: [{ id: string; approvalUrl: string }] } }>().data.links;
  return { id, approvalUrl, tagString: person.paytag, primary, person };
}

export const waitingLink = async (server: TestApp, name?: string): Promise<WaitingLink> =>
  linkTo(server, await newCustomer(server, await server.newPartner()), name);

/** How the link stands for the application that started it, and what it was told of it. */
export async function linkAndEvents(server: TestApp, { primary, id }: WaitingLink) {
  const { links } = (await seeFederation(server, primary, primary.tag)).json<{
    data: { links: { status: string }[] };
  }>().data;
  return { link: links[0], events: await linkEventNames(server, primary, { id }) };
}
