import { sql } from '../../kernel/database/database.ts';
import { deleteEventsOf } from '../../kernel/realtime/outbox.ts';
import type { Lifecycle } from '../../kernel/services.ts';

export const lifecycle: Lifecycle = {
  async accountDeleted({ db }, user_id) {
    await db.run(sql`delete from im_identities where user_id = ${user_id}`);
    await db.run(sql`delete from mobile_claims where claimant_id = ${user_id}`);
  },
  async purgeAccount({ db }, user_id, portion) {
    const answers = await db.run(sql`
      delete from idempotency where owner = ${user_id} and (operation, key_hash) in (
        select operation, key_hash from idempotency where owner = ${user_id} limit ${portion}::int)`);
    const events = await deleteEventsOf(db, `user:${user_id}`, portion);
    return answers >= portion || events >= portion;
  },
};
