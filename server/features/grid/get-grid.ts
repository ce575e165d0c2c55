import { endpoint } from '../../kernel/endpoint.ts';
import { selectGrid, selectGridCall } from './queries.ts';
import { Grid, presentGrid } from './schemas.ts';

export const getGrid = endpoint({
  id: 'getGrid',
  route: 'GET /grid',
  summary: 'List your favourites',
  description: 'The call grid, in the order of its positions.',
  reply: Grid,
  async run({ caller, db, services }) {
    const [contacts, call] = await Promise.all([selectGrid(db, caller.user_id), selectGridCall(db, caller.user_id)]);
    return presentGrid(contacts, call, { id: caller.user_id, services });
  },
});
