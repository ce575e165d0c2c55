import { randomInt } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { endpoint, reply } from '../../kernel/endpoint.ts';
import { fail } from '../../kernel/errors.ts';
import { isHolder, redeemGrant } from '../../kernel/security/grant.ts';
import type { Frame, Connection } from '../../kernel/realtime/receivers.ts';
import { object, optional, Type } from '../../kernel/schema.ts';

export const streamRealtime = endpoint({
  id: 'streamRealtime',
  route: 'GET /realtime/stream',
  summary: 'Stream realtime events',
  description: 'Server-sent events, for the token of a grant, as bearer or `token`, or for an access token as bearer.',
  gate: 'optional',
  kind: 'stream',
  takes_grant: true,
  extension: true,
  query: object({
    token: optional(Type.String({ maxLength: 2000 })),
    last_event_id: optional(
      Type.String({ description: 'The event to resume after; an invalid value is answered with `reset`.' }),
    ),
  }),
  errors: ['unauthenticated', 'token_invalid', 'mobile_unverified'],
  async run({ caller, query, origin, services, consume }) {
    const token = origin.grant ?? query.token;
    const consumeStream = (owner_id: string) => consume('stream', owner_id);
    const granted = caller ?? (token === undefined ? undefined : await redeemGrant(services, token, consumeStream));
    if (!granted) fail(token === undefined ? 'unauthenticated' : 'token_invalid');
    if (caller && !caller.mobile_verified) fail('mobile_unverified');
    if (caller) await consumeStream(caller.user_id);
    const { realtime_backlog_bytes: backlog_bytes, realtime_ping_ms } = services.limits;
    const stream = new PassThrough();
    const line: Connection = {
      user_id: granted.user_id,
      session_id: granted.session_id,
      channel: stream,
      isValid: () => isHolder(services, granted),
      send: (frame) => write(stream, backlog_bytes, frame),
      // Browsers reconnect after this time: to another node, and spread over time.
      close: (reason) => stream.end(reason === 'draining' ? `retry: ${randomInt(50, 500)}\n\n` : undefined),
    };
    const leave = await services.realtime.join(line, origin.last_event_id ?? query.last_event_id, (welcome) => {
      stream.write(`event: ${welcome.type}\nid: ${welcome.last_event_id}\ndata: ${JSON.stringify(welcome)}\n\n`);
    });
    const { until } = 'until' in granted ? granted : { until: undefined };
    // A guest's token cannot be refreshed.
    const over =
      until && setTimeout(() => line.close('revoked'), until.getTime() - services.clock.now().getTime()).unref();
    const ping = setInterval(() => stream.write(': ping\n\n'), realtime_ping_ms);
    stream.once('close', () => {
      clearInterval(ping);
      clearTimeout(over);
      leave();
    });
    return reply(200, { stream }, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
  },
});

/** Writes an event, encoded once for all streams. A client that does not keep up is disconnected and can resume. */
function write(stream: PassThrough, backlog_bytes: number, frame: Frame): void {
  let bytes = frame.shared.get('sse');
  if (!bytes) {
    bytes = Buffer.from(`id: ${frame.id}\ndata: ${frame.text}\n\n`);
    frame.shared.set('sse', bytes);
  }
  if (stream.writableLength > backlog_bytes) stream.destroy();
  else stream.write(bytes);
}
