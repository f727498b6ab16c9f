import { type Application, handles, type Stage } from './cast.ts';

interface Federation {
  links: { id: string; status: string; verifiedBy?: string }[];
}

/** Two tags of two applications become one identity: the challenge goes to the other side alone. */
export async function tagsAreLinked(
  { guide, receiver }: Stage,
  { market, rides }: { market: Application; rides: Application },
): Promise<void> {
  guide.chapter('Market links its tag to that of Rides, which passes the challenge on');
  const { headers } = market;
  const path = `/api/v1/tags/${handles.till}/federation`;
  const json = { secondaryTag: handles.taxi, verificationMethod: 'OTP' };
  const started = await guide.call<{ data: Federation }>('POST', path, { headers, json, expect: 201 });
  const [link] = started.body.data.links;
  const challenge = await receiver.until(({ to, event }) => to === 'Rides' && event === 'FEDERATION_CHALLENGE');
  const { token } = (JSON.parse(challenge.body.toString()) as { data: { token: string } }).data;
  guide.tick('the code went to Rides, and is not in Market’s answer', !started.text.includes(token));
  const reverse = { secondaryTag: handles.till, verificationMethod: 'OTP' };
  const back = `/api/v1/tags/${handles.taxi}/federation`;
  await guide.call('POST', back, { headers: rides.headers, json: reverse, expect: 409 });
  const verified = await guide.call<{ data: { status: string } }>('POST', `${path}/${link?.id}/verify`, {
    headers,
    json: { token },
  });
  guide.tick('with the code the link is verified', verified.body.data.status === 'VERIFIED');
}
