import { sql } from '../../kernel/database/database.ts';
import type { Lifecycle } from '../../kernel/services.ts';

export const lifecycle: Lifecycle = {
  async accountDeleted({ db }, user_id) {
    await db.run(sql`delete from im_identities where user_id = ${user_id}`);
    await db.run(sql`delete from mobile_claims where claimant_id = ${user_id}`);
    await db.run(sql`delete from idempotency where owner = ${user_id}`);
    await db.run(sql`delete from events where topic = ${`user:${user_id}`}`);
  },
};
