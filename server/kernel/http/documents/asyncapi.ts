/** The AsyncAPI 3 document of the realtime stream, generated from the declared events. */
import type { Feature } from '../../endpoint.ts';
import { liftComponents } from './openapi.ts';

type Json = Record<string, unknown>;

/** Describes every event of all areas as a message of one channel. */
export function describeStream(features: Feature[]): Json {
  const schemas: Record<string, unknown> = {};
  const events = features.flatMap((feature) => feature.events ?? []);
  const messages = Object.fromEntries(
    events.map(({ type, summary, data }) => [
      type,
      {
        name: type,
        summary,
        payload: {
          type: 'object',
          required: ['id', 'type', 'at', 'data'],
          properties: {
            id: { type: 'string', description: 'Resume from here with last_event_id.' },
            type: { const: type },
            at: { type: 'string', format: 'date-time' },
            data: liftComponents(data, schemas),
          },
        },
      },
    ]),
  );
  const refs = Object.keys(messages).map((name) => ({ $ref: `#/channels/stream/messages/${name}` }));
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Asterism realtime',
      version: '1.0.0',
      description:
        'Ask POST /realtime/grant for an address and a token, connect, and send {type: "resume", token, last_event_id?} first. The answer is {type: "ready" | "reset", last_event_id}; after a reset, fetch again what you show. A client may send {type: "focus", subject: {type, id} | null} whenever what it shows changes. While a client shows a subject, its user gets no pushes for it; while it shows a tag, it receives events of the tag\'s room. A client may send {type: "ping"}; the answer to `ping` is `pong`.',
    },
    channels: { stream: { address: '/v1/realtime/socket', messages: { ...messages, focus, ping, pong } } },
    operations: {
      receive: { action: 'send', channel: { $ref: '#/channels/stream' }, messages: refs },
      setFocus: {
        action: 'receive',
        channel: { $ref: '#/channels/stream' },
        messages: [{ $ref: '#/channels/stream/messages/focus' }],
      },
      checkConnection: {
        action: 'receive',
        channel: { $ref: '#/channels/stream' },
        messages: [{ $ref: '#/channels/stream/messages/ping' }],
        reply: { messages: [{ $ref: '#/channels/stream/messages/pong' }] },
      },
    },
    components: { schemas },
  };
}

const bare = (type: string, summary: string) => ({
  name: type,
  summary,
  payload: { type: 'object', required: ['type'], properties: { type: { const: type } } },
});
const ping = bare('ping', 'Checks that the connection is alive.');
const pong = bare('pong', 'The answer to ping.');

/** The message by which clients report what they show. */
const focus = {
  name: 'focus',
  summary: 'What the user is viewing on this device.',
  payload: {
    type: 'object',
    required: ['type', 'subject'],
    properties: {
      type: { const: 'focus' },
      subject: {
        oneOf: [
          { type: 'null' },
          {
            type: 'object',
            required: ['type', 'id'],
            properties: { type: { type: 'string' }, id: { type: 'string' } },
          },
        ],
      },
    },
  },
};
