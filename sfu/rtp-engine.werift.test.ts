import { expect, test } from 'vitest';
import { loadWeriftEngine } from './rtp-engine.werift.ts';

const events = {
  onState: () => undefined,
  onRtp: () => undefined,
  onFeedback: () => undefined,
  onData: () => undefined,
};

test('takes the DTLS server’s part where the offer leaves the choice, and so chooses the cipher', async () => {
  const engine = await loadWeriftEngine({ node_ip: '127.0.0.1' });
  const [client, server] = [engine.createConnection(events), engine.createConnection(events)];
  client.openDataChannel('_reliable', true, () => undefined);
  const offer = await client.createOffer(false);
  expect(offer).toContain('a=setup:actpass');
  const answer = await server.acceptOffer(offer);
  expect(answer).toContain('a=setup:passive');
  expect(answer).not.toContain('a=setup:active');
  await Promise.all([client.close(), server.close()]);
});
