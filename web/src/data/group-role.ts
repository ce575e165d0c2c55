import type { Reply } from '@asterism/sdk';

type Group = Reply<'groups', 'getGroup'>;

/** Whether the reader may change a group, its members and its link. A role that this client does not know is a member's. */
export const mayAdminister = ({ role }: Pick<Group, 'role'>): boolean => role === 'owner' || role === 'admin';
