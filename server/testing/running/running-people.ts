/** Accounts of a service that runs in a separate process, registered by its API. */
import { expect } from 'vitest';
import { createAsterism, type Asterism, type RealtimeStream, type StreamGrant } from '../../../sdk/index.ts';
import { createWav } from '../samples/media.ts';
import type { Service } from './running-service.ts';

export type RunningPerson = { username: string; id: string; token: string; session_id: string; sdk: Asterism };

export const password = 'a warm copper lantern';

/** Registers an account, verifies its mobile number, and creates a client for it. */
export async function signUp(
  service: Pick<Service, 'call' | 'codeFor' | 'url'>,
  username: string,
  mobile_number: string,
): Promise<RunningPerson> {
  const email = `${username}@example.org`;
  const registration = await service.call('POST /auth/register', { body: { username, password, email } });
  expect(registration.status).toBe(201);
  const code = await service.codeFor(email);
  const signed_in = await service.call('POST /auth/register/verify', {
    body: { registration_id: registration.body.registration_id, code },
  });
  expect(signed_in.status).toBe(201);
  const { token, session_id, user } = signed_in.body;
  await service.call('PUT /me/mobile', { token, body: { mobile_number } });
  expect((await service.call('POST /me/mobile/codes', { token, body: {} })).status).toBe(202);
  const verified = await service.call('POST /me/mobile/verify', {
    token,
    body: { code: await service.codeFor(mobile_number) },
  });
  expect(verified.status).toBe(200);
  const sdk = createAsterism({ base_url: `${service.url}/v1` });
  return { username, id: user.id, token, session_id, sdk };
}

/** The reply to an account's request, which has to succeed. */
export async function requestAs(
  service: Pick<Service, 'call'>,
  { token }: { token: string },
  route: string,
  body?: unknown,
) {
  const answer = await service.call(route, { token, body });
  expect([200, 201, 204], `${route}: ${JSON.stringify(answer.body)}`).toContain(answer.status);
  return answer.body;
}

/** Opens a thread between two people, which its recipient accepts. @returns its identifier */
export async function openAcceptedThread(
  service: Pick<Service, 'call'>,
  from: RunningPerson,
  to: RunningPerson,
): Promise<string> {
  const { id } = await requestAs(service, from, 'POST /dm/threads', { user_id: to.id });
  await requestAs(service, from, `POST /dm/threads/${id}/chat`, { body: 'May I write?' });
  await requestAs(service, to, `POST /dm/threads/${id}/accept`, {});
  return id;
}

/** Uploads a new recording as a file of an account. @param key its idempotency key */
export async function uploadWav(
  service: Pick<Service, 'url'>,
  { token }: { token: string },
  key: string,
): Promise<{ status: number; body: unknown }> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(createWav())]), 'voice.wav');
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key };
  const answer = await fetch(`${service.url}/v1/files`, { method: 'POST', headers, body: form });
  return { status: answer.status, body: await answer.json() };
}

/** Requests a realtime grant, as the SDK's stream requires. */
export async function requestStreamGrant(service: Pick<Service, 'call'>, token: string): Promise<StreamGrant> {
  const { status, body } = await service.call('POST /realtime/grant', { token, body: {} });
  if (status !== 200) throw new Error(`no grant: ${status}`);
  return body;
}

/** Collects the texts of direct messages in the order of a stream's events. */
export function collectDirectMessages(stream: RealtimeStream): string[] {
  const texts: string[] = [];
  stream.on('dm.message', ({ data }) => texts.push(data.message.body));
  return texts;
}
