/** Operations that send something to everybody in a group or call have a budget, other than that of all requests. */
import { describe, expect, it } from 'vitest';
import { features } from '../../features/index.ts';

const shared_areas = ['groups', 'group-links', 'rooms', 'calls', 'call-chat', 'call-hosting'];
const shared_routes = ['PUT /calls/{join_code}/recording/consent', 'PATCH /location/settings'];

/** Why an operation needs none: what it undoes or ends has one, or it has an effect only once. */
const unlimited: Record<string, string> = {
  'POST /groups': 'the plan limits how many there are',
  'DELETE /groups/{group_id}': 'once for a group',
  'PUT /groups/{group_id}/members/{contact_id}': 'a group is filled at once, and removing members has one',
  'POST /group-invites/{invite_id}/decline': 'once for an invite',
  'DELETE /calls/active': 'once for a call',
  'DELETE /calls/active/participants/{participant_id}': 'joining has one',
  'POST /calls/{join_code}/leave': 'joining has one',
  'POST /calls/{join_code}/decline': 'once for a ring',
  'DELETE /calls/{join_code}/chat/{message_id}': 'once for a message',
};

describe('budgets of what is sent to everybody', () => {
  const changes = features.flatMap(({ area, endpoints }) =>
    endpoints.filter(
      ({ route }) => !route.startsWith('GET ') && (shared_areas.includes(area) || shared_routes.includes(route)),
    ),
  );

  it('are those of every change of a group or call', () => {
    const without = changes.filter(({ throttle }) => throttle === undefined).map(({ route }) => route);
    expect(without.toSorted()).toEqual(Object.keys(unlimited).toSorted());
  });
});
