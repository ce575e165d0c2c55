import { presentThread, selectSides, emitThread, Thread } from '../../domain/messages/threads.ts';
import { TagName } from '../../domain/social/tags.ts';
import { lockPair } from '../../domain/visibility/pairs.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint, reply } from '../../kernel/endpoint.ts';
import { fail, found, invalid } from '../../kernel/errors.ts';
import { idOf, object, optional } from '../../kernel/schema.ts';
import { insertThread, showThread, selectOwner, selectPeer, selectThreadOf } from './queries.ts';

export const openThread = endpoint({
  id: 'openThread',
  route: 'POST /dm/threads',
  summary: 'Open a thread',
  description: 'With a person, by user_id or tag. An existing thread is returned with 200.',
  body: object({ user_id: optional(idOf('usr')), tag: optional(TagName) }),
  reply: Thread,
  status: [201, 200],
  errors: ['forbidden'],
  async run({ body, ...change }) {
    const { db } = change;
    const viewer = viewerOf(change);
    const { user_id, tag } = body;
    if ((user_id === undefined) === (tag === undefined)) invalid({ user_id: 'is required unless tag is given' });
    const field = tag === undefined ? 'user_id' : 'tag';
    const nobody = () => invalid({ [field]: 'is not someone you can write to' });
    const peer_id = tag === undefined ? user_id : await selectOwner(db, tag, viewer);
    if (peer_id === undefined) return nobody();
    if (peer_id === viewer.id) invalid({ [field]: 'cannot be yourself' });
    await lockPair(db, viewer.id, peer_id);
    const [peer, existing] = await Promise.all([
      selectPeer(db, peer_id, viewer.id),
      selectThreadOf(db, peer_id, viewer.id),
    ]);
    if (!peer) return nobody();
    const is_seen = existing !== undefined && existing.folder !== 'none';
    if (!is_seen && !peer.reached) fail('forbidden', { message: 'You cannot send messages to this person.' });
    const id = existing?.id ?? (await insertThread(change, peer, viewer.id));
    if (existing && !is_seen) await showThread(db, id, viewer.id);
    const [mine] = await selectSides(db, id, viewer.id);
    if (!is_seen) emitThread(change, [mine]);
    return reply(existing ? 200 : 201, presentThread(found(mine), viewer));
  },
});
