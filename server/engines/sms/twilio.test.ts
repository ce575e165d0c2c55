import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testSmsProvider } from '../../testing/contracts/sms.contract.ts';
import { createTwilioSms } from './twilio.ts';

type ReceivedRequest = { url: string; authorization: string; form: Record<string, string> };

/** Starts a server with the responses of Twilio to messages, which records the requests. */
async function startTwilio(): Promise<{ base_url: string; requests: ReceivedRequest[]; close(): void }> {
  const requests: ReceivedRequest[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    requests.push({ url: request.url ?? '', authorization: request.headers.authorization ?? '', form });
    // Twilio's test credentials report the number ending in 0001 as invalid; there is no response for 0009 here.
    if (form['To'] === '+15005550009') return;
    const refused = form['To'] === '+15005550001';
    response.writeHead(refused ? 400 : 201, { 'content-type': 'application/json' });
    response.end(JSON.stringify(refused ? { code: 21211, message: "Invalid 'To' Phone Number" } : { sid: 'SM1' }));
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('Twilio SMS', () => {
  const account = { account_sid: 'AC1', auth_token: 'a-secret' };

  testSmsProvider(async () => {
    const provider = await startTwilio();
    const options = { ...account, base_url: provider.base_url, from: '+15005550000' };
    return {
      sms: createTwilioSms(options),
      received: async (to) =>
        provider.requests.filter(({ form }) => form['To'] === to).map(({ form }) => form['Body'] ?? ''),
      refused: '+15005550001',
      with_short_timeout: createTwilioSms({ ...options, timeout_ms: 100 }),
      silent: '+15005550009',
      secrets: [account.auth_token],
      close: async () => provider.close(),
    };
  });

  let base_url: string;
  let requests: ReceivedRequest[];
  let close: () => void;
  beforeEach(async () => {
    ({ base_url, requests, close } = await startTwilio());
  });
  afterEach(() => close());
  const message = { id: 'sms_1', to: '+15005550006', text: 'Your code: 123456', links: [] };

  it('sends from a number or a messaging service', async () => {
    await createTwilioSms({ ...account, base_url, from: '+15005550000' }).send(message);
    await createTwilioSms({ ...account, base_url, from: 'MG2' }).send(message);
    const form = { To: '+15005550006', Body: 'Your code: 123456' };
    const url = '/2010-04-01/Accounts/AC1/Messages.json';
    const authorization = `Basic ${btoa('AC1:a-secret')}`;
    expect(requests).toEqual([
      { url, authorization, form: { ...form, From: '+15005550000' } },
      { url, authorization, form: { ...form, MessagingServiceSid: 'MG2' } },
    ]);
  });

  it('rejects with the error of Twilio, without token and text', async () => {
    const sms = createTwilioSms({ ...account, base_url, from: '+15005550000' });
    const refusal = await sms.send({ ...message, to: '+15005550001' }).catch((error: Error) => error.message);
    expect(refusal).toBe("Twilio refused a message: 400, code 21211, Invalid 'To' Phone Number");
  });
});
