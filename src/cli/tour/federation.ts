import { type Application, type Enveloped, handles, type TourContext } from './context.ts';

interface Federation {
  links: { id: string; status: string; verifiedBy?: string }[];
}

/** Links the tags of two applications as one identity. The code goes to the other application alone. */
export async function linkTags(
  { tour, receiver }: TourContext,
  { market, rides }: { market: Application; rides: Application },
): Promise<void> {
  tour.chapter('Market links its tag to the tag of Rides, which passes the code on');
  const { headers } = market;
  const path = `/api/v1/tags/${handles.till}/federation`;
  const json = { secondaryTag: handles.taxi, verificationMethod: 'OTP' };
  const started = await tour.call<Enveloped<Federation>>('POST', path, { headers, json });
  const [link] = started.body.data.links;
  const challenge = await receiver.until(({ to, event }) => to === 'Rides' && event === 'FEDERATION_CHALLENGE');
  const { token } = (JSON.parse(challenge.body.toString()) as { data: { token: string } }).data;
  tour.check('the code is sent to Rides alone, and is not in Market’s answer', !started.text.includes(token));
  const reverse = { secondaryTag: handles.till, verificationMethod: 'OTP' };
  const back = `/api/v1/tags/${handles.taxi}/federation`;
  await tour.call('POST', back, { headers: rides.headers, json: reverse, expect: 409 });
  const verified = await tour.call<Enveloped<{ status: string }>>('POST', `${path}/${link?.id}/verify`, {
    headers,
    json: { token },
  });
  tour.check('the code verifies the link', verified.body.data.status === 'VERIFIED');
}
