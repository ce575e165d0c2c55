/** Requests to LiveKit's API, by Twirp (https://twitchtv.github.io/twirp/docs/spec_v7.html), whose answers are limited. */
import type { RoomServiceClient, SipClient } from 'livekit-server-sdk';
import { answer_limits, askProvider, readJson } from './answers.ts';

/** A media server that implements LiveKit's API. */
export type LiveKitAddress = {
  /** `http:` or `https:`. */
  api_url: string;
  api_key: string;
  api_secret: string;
  /** How long an answer may take; 10 s by default. */
  timeout_ms?: number;
};

const default_timeout_ms = 10_000;

/** The error of a Twirp answer. */
type TwirpProblem = { code: string; msg: string; meta: Record<string, string> };

/**
 * Clients of LiveKit's SDK with our own transport, since that of the SDK reads answers of any size. A request is sent
 * once, and never to another region.
 */
export async function openLiveKitClients(
  address: LiveKitAddress,
): Promise<{ rooms: RoomServiceClient; sip: SipClient }> {
  const sdk = await import('livekit-server-sdk');
  const { api_url, api_key, api_secret, timeout_ms = default_timeout_ms } = address;

  /** @param timeout_s overrides the time limit, such as for a dial that waits for its answer */
  async function request(service: string, method: string, data: unknown, headers: object, timeout_s?: number) {
    const answer = await askProvider(new URL(`/twirp/livekit.${service}/${method}`, api_url).href, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(data),
      timeout_ms: timeout_s === undefined ? timeout_ms : timeout_s * 1000,
      max_bytes: answer_limits.media_answer_bytes,
    });
    if (answer.ok) return JSON.parse(answer.text) as unknown;
    const { code, msg = `status ${answer.status}`, meta } = readJson<TwirpProblem>(answer.text);
    throw new sdk.ServerError('ServerError', msg, answer.status, code, meta);
  }

  const withLimits = <Client extends object>(client: Client): Client => Object.assign(client, { rpc: { request } });
  return {
    rooms: withLimits(new sdk.RoomServiceClient(api_url, api_key, api_secret)),
    sip: withLimits(new sdk.SipClient(api_url, api_key, api_secret)),
  };
}
