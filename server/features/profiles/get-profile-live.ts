import { selectLive } from '../../domain/calls/live-calls.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { requireProfileTag } from './queries.ts';
import { Live, presentLive, ProfilePath } from './schemas.ts';

export const getProfileLive = endpoint({
  id: 'getProfileLive',
  route: 'GET /profiles/{xtag}/live',
  summary: 'Get the live call of a profile',
  description: 'The public call that the owner hosts or is in.',
  gate: 'optional',
  path: ProfilePath,
  reply: Live,
  async run({ path, db, ...input }) {
    const viewer = viewerOf(input);
    const tag = await requireProfileTag(db, path.xtag, viewer);
    return presentLive(await selectLive(db, tag.owner.id, viewer));
  },
});
