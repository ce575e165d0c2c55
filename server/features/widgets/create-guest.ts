import { ChatGuest } from '../../domain/chat/messages.ts';
import { markDefaultName } from '../../domain/accounts/default-names.ts';
import { endpoint, reply } from '../../kernel/endpoint.ts';
import { fail, invalid } from '../../kernel/errors.ts';
import { component, idOf, lineText, moment, object, optional, Type } from '../../kernel/schema.ts';
import { hashToken, generateToken } from '../../kernel/security/secret.ts';
import { after, wireTime } from '../../kernel/time.ts';
import { insertGuest, lockHost } from './queries.ts';

/** How long a guest's token is valid, in seconds. */
const guest_ttl_s = 60 * 60;

export const GuestToken = component(
  'GuestToken',
  object({ token: Type.String(), expires_at: moment, widget_id: idOf('wid'), guest: ChatGuest }),
);

export const createGuest = endpoint({
  id: 'createGuest',
  route: 'POST /widgets/guests',
  summary: 'Start a guest session in a widget',
  description: 'Valid for one hour, from a page of an allowed origin.',
  gate: 'public',
  extension: true,
  // A token is returned once: answers with tokens are not stored.
  idempotent: false,
  throttle: 'widget_guest',
  cross_origin: true,
  body: object({ public_key: Type.String({ minLength: 1, maxLength: 100 }), name: optional(lineText(1, 80)) }),
  reply: GuestToken,
  status: [201],
  errors: ['forbidden'],
  async run({ body, origin, ...change }) {
    const { db, id, now } = change;
    const { web_origin } = origin;
    const host = await lockHost(db, body.public_key);
    if (!host) invalid({ public_key: 'is not a valid widget key' });
    if (web_origin === undefined || !host.allowed_origins.includes(web_origin))
      fail('forbidden', { message: 'This widget is not allowed on this site.' });
    // Only now may the page read the answer (Fetch, "CORS protocol").
    const headers = { 'access-control-allow-origin': web_origin, vary: 'Origin' };
    if (!host.is_on) fail('forbidden', { message: 'This widget is turned off.', headers });
    if (host.kind === 'follow') fail('forbidden', { message: 'This widget does not accept guests.', headers });
    const token = generateToken('astg_');
    const guest = { id: id('gst'), name: body.name ?? 'Guest' };
    const name_is_default = body.name === undefined;
    const expires_at = after(now, guest_ttl_s);
    await insertGuest(change, {
      ...guest,
      name_is_default,
      web_origin,
      widget_id: host.id,
      token_hash: hashToken(token),
      expires_at,
    });
    return reply(
      201,
      {
        token,
        expires_at: wireTime(expires_at),
        widget_id: host.id,
        guest: { ...guest, ...markDefaultName({ name_is_default }) },
      },
      headers,
    );
  },
});
