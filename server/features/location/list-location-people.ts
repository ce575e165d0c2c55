import { endpoint } from '../../kernel/endpoint.ts';
import { offsetQuery, toPage } from '../../kernel/page.ts';
import { listOf, object } from '../../kernel/schema.ts';
import { selectPeople } from './queries.ts';
import { presentPerson } from '../../domain/location/positions.ts';
import { recordViews } from '../../domain/location/views.ts';
import { PersonLocation } from './schemas.ts';

export const listLocationPeople = endpoint({
  id: 'listLocationPeople',
  route: 'GET /location/people',
  summary: 'List the people who share their location with you',
  query: object(offsetQuery),
  reply: listOf(PersonLocation),
  async run({ query, caller, db, now, services }) {
    const rows = await selectPeople(db, caller.user_id, query, now);
    const page = toPage(rows, query, (row) => presentPerson(row, { services }));
    // Before the answer is sent: every position that was shown is in the log of its owner.
    await recordViews(
      services,
      page.items.map(({ user }) => user.id),
      [caller.user_id],
    );
    return page;
  },
});
