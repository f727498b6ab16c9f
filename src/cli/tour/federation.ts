import { type Application, handles, type TourContext } from './context.ts';

/** Links the tags of two applications as one identity. The code goes to the other application alone. */
export async function linkTags(
  { tour, receiver }: TourContext,
  { market, rides }: { market: Application; rides: Application },
): Promise<void> {
  tour.chapter('Market links its tag to the tag of Rides, which passes the code on');
  const start = ({ calls }: Application, tag: string, secondaryTag: string) =>
    calls.post('/v1/tags/{tag}/federation', {
      params: { path: { tag } },
      body: { secondaryTag, verificationMethod: 'OTP' },
    });
  const started = await start(market, handles.till, handles.taxi);
  const linkId = started.links[0]?.id ?? '';
  const challenge = await receiver.until(({ to, event }) => to === 'Rides' && event === 'FEDERATION_CHALLENGE');
  const { token } = (JSON.parse(challenge.body.toString()) as { data: { token: string } }).data;
  tour.check(
    'the code is sent to Rides alone, and is not in Market’s answer',
    !JSON.stringify(started).includes(token),
  );
  await tour.refused(409, start(rides, handles.taxi, handles.till));
  const verified = await market.calls.post('/v1/tags/{tag}/federation/{linkId}/verify', {
    params: { path: { tag: handles.till, linkId } },
    body: { token },
  });
  tour.check('the code verifies the link', verified.status === 'VERIFIED');
}
