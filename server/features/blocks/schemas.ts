import { PublicUser } from '../../domain/accounts/accounts.ts';
import { component, idOf, moment, object } from '../../kernel/schema.ts';

export const Block = component('Block', object({ id: idOf('blk'), user: PublicUser, created_at: moment }));
