import { presentUser } from '../../domain/accounts/accounts.ts';
import { selectLive } from '../../domain/calls/live-calls.ts';
import { presentGroupLabel } from '../../domain/contacts/groups.ts';
import { presentTag } from '../../domain/social/tags.ts';
import { viewerOf } from '../../domain/visibility/viewer.ts';
import { endpoint } from '../../kernel/endpoint.ts';
import { found } from '../../kernel/errors.ts';
import { idOf, object } from '../../kernel/schema.ts';
import { wireTime } from '../../kernel/time.ts';
import { selectPerson, selectSharedGroups, selectTagsOf } from './queries.ts';
import { PersonPage, presentLive } from './schemas.ts';

export const getPerson = endpoint({
  id: 'getPerson',
  route: 'GET /people/{user_id}',
  summary: 'Get a person',
  description: 'Their bio, the tags you are allowed to find, and the groups you share.',
  extension: true,
  path: object({ user_id: idOf('usr') }),
  reply: PersonPage,
  async run({ path: { user_id }, db, ...input }) {
    const viewer = viewerOf(input);
    // Each statement checks visibility itself, so that they share a round trip.
    const [person, tags, groups, live] = await Promise.all([
      selectPerson(db, user_id, viewer),
      selectTagsOf(db, user_id, viewer),
      user_id === viewer.id ? [] : selectSharedGroups(db, user_id, viewer),
      selectLive(db, user_id, viewer),
    ]);
    const { user, bio, joined_at, muted } = found(person);
    return {
      user: presentUser(user, input),
      bio,
      joined_at: wireTime(joined_at),
      tags: tags.map((row) => presentTag(row, viewer)),
      shared_groups: groups.map(({ label }) => presentGroupLabel(label, viewer)),
      live: presentLive(live),
      muted,
    };
  },
});
