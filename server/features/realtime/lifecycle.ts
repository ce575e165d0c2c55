import { forgetLastSeen } from '../../domain/accounts/presence.ts';
import { sql } from '../../kernel/database/database.ts';
import type { Lifecycle } from '../../kernel/services.ts';

export const lifecycle: Lifecycle = {
  async purgeAccount({ db }, user_id) {
    await forgetLastSeen(db, user_id);
    return false;
  },
  async expire({ db, now }, portion) {
    const gone = await db.run(sql`
      delete from spent_grants where nonce = any(array(
        select nonce from spent_grants where expires_at < ${now} limit ${portion}::int))`);
    return gone >= portion;
  },
};
