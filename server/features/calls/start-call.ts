import { plan_limits } from '../../domain/entitlements.ts';
import { ring, settleCall } from '../../domain/calling.ts';
import { Call, makeJoinCode, presentCall, privacy_words } from '../../domain/conferences.ts';
import { isUniqueViolation } from '../../kernel/database.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { fail, invalid } from '../../kernel/errors.ts';
import { idOf, object, oneOf, optional, Type, type Static } from '../../kernel/schema.ts';
import type { Change } from '../../kernel/services.ts';
import { TagName } from '../../domain/tags.ts';
import { lockPairs } from '../../domain/visibility.ts';
import {
  insertCall,
  insertParticipants,
  selectApart,
  selectCallee,
  selectName,
  type Callee,
  type NewCall,
} from './queries.ts';

const Target = Type.Union([object({ user_id: idOf('usr') }), object({ tag: TagName })]);

export const startCall = endpoint({
  id: 'startCall',
  route: 'POST /calls',
  summary: 'Start a call',
  throttle: 'call',
  body: object({
    to: Type.Array(Target, { maxItems: 49 }),
    privacy: optional(oneOf(...privacy_words)),
    media: optional(oneOf('audio', 'video')),
  }),
  reply: Call,
  status: [201],
  errors: ['call_in_progress', 'plan_limit_reached'],
  async run({ caller, body, services, ...change }) {
    const { db, now, id } = change;
    const callees = await requireCallees(change, body.to, caller.user_id);
    if (callees.size + 1 > plan_limits[caller.tier].call_participants) fail('plan_limit_reached');
    const call: NewCall = {
      id: id('conf'),
      join_code: makeJoinCode(),
      host_id: caller.user_id,
      privacy: body.privacy ?? 'private',
      media: body.media ?? 'audio',
      started_at: now,
    };
    await insertCall(db, call);
    const host = {
      id: id('part'),
      user_id: caller.user_id,
      name: await selectName(db, caller.user_id),
      state: 'joining' as const,
      role: 'host' as const,
      silent: false,
    };
    const guests = [...callees.values()].map((one) => ({
      id: id('part'),
      user_id: one.id,
      name: one.display_name,
      state: 'ringing' as const,
      role: 'guest' as const,
      // Whoever does not want to be reached hears nothing, and the caller cannot tell that from nobody answering.
      silent: !one.reached,
      rung_at: now,
    }));
    await insertParticipants(db, call.id, [host, ...guests]).catch((error: unknown) => {
      if (isUniqueViolation(error, 'call_participants_active')) fail('call_in_progress');
      throw error;
    });
    const started = await settleCall(change, services, call.id, true);
    await ring(
      change,
      services,
      started,
      started.participants.filter((one) => one.state === 'ringing'),
    );
    return presentCall(started, services.public_url);
  },
});

/**
 * The people whom targets mean, each once. From here to the end of the transaction no block can come between them and
 * the caller unseen.
 * @throws ApiError `validation_failed` that names `to.N`
 */
async function requireCallees(
  { db, now }: Pick<Change, 'db' | 'now'>,
  targets: Static<typeof Target>[],
  caller_id: string,
): Promise<Map<string, Callee>> {
  const found: Callee[] = [];
  for (const [at, target] of targets.entries()) {
    const callee = await selectCallee(db, target, caller_id, now);
    if (!callee) invalid({ [`to.${at}`]: 'names nobody who can be called' });
    if (callee.id === caller_id) invalid({ [`to.${at}`]: 'is yourself' });
    found.push(callee);
  }
  const callees = new Map(found.map((one) => [one.id, one]));
  await lockPairs(db, caller_id, [...callees.keys()]);
  const apart = await selectApart(db, [...callees.keys()], caller_id);
  const at = found.findIndex(({ id }) => apart.has(id));
  if (at >= 0) invalid({ [`to.${at}`]: 'names nobody who can be called' });
  return callees;
}
