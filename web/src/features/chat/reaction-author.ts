import type { DirectMessage } from '@asterism/sdk';

/** Who reacted: an account or a guest. */
export const reactionAuthorOf = ({ user_id, guest_id }: DirectMessage['reactions'][number]): string =>
  user_id ?? guest_id ?? '';
