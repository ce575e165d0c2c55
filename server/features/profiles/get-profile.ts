import { presentUser } from '../../domain/accounts/accounts.ts';
import { selectLive } from '../../domain/calls/live-calls.ts';
import { presentStatus } from '../../domain/social/statuses.ts';
import { presentTag } from '../../domain/social/tags.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint, reply } from '../../kernel/endpoint.ts';
import { etagOf, matchesEtag } from '../../kernel/etag.ts';
import { requireProfileTag, selectLatest, selectStatusCount } from './queries.ts';
import { presentLive, Profile, ProfilePath } from './schemas.ts';

export const getProfile = endpoint({
  id: 'getProfile',
  route: 'GET /profiles/{xtag}',
  summary: 'Get a public profile',
  gate: 'optional',
  path: ProfilePath,
  reply: Profile,
  status: [200, 304],
  async run({ path, db, origin, ...input }) {
    const viewer = viewerOf(input);
    const tag = await requireProfileTag(db, path.xtag, viewer);
    const { status_count, sees_all } = await selectStatusCount(db, tag.id, viewer);
    const [statuses, live] = await Promise.all([
      selectLatest(db, tag.id, viewer, sees_all),
      selectLive(db, tag.owner.id, viewer),
    ]);
    const profile = {
      tag: presentTag(tag, viewer),
      owner: presentUser(tag.owner, input),
      follower_count: tag.follower_count,
      status_count,
      statuses: statuses.map((row) => presentStatus(row, viewer)),
      live: presentLive(live),
      comments_open: tag.comments_open,
    };
    const etag = etagOf(JSON.stringify(profile));
    const headers = {
      etag,
      vary: 'Authorization',
      'cache-control': input.caller ? 'private, no-cache' : 'public, no-cache',
    };
    return matchesEtag(origin.if_none_match, etag) ? reply(304, undefined, headers) : reply(200, profile, headers);
  },
});
