import type { Call } from '@asterism/sdk';
import { Avatar, nameOf } from '../../ui/avatar.tsx';
import { callerOf } from '../../data/queries/call-queries.ts';

interface CallAvatarProps {
  call: Call;
  user_id: string | undefined;
  size_px: number;
}

/** The person whom the reader talks to: who called, or the first of the others. */
export function CallAvatar({ call, user_id, size_px }: CallAvatarProps) {
  const other = callerOf(call, user_id) ?? call.participants.find((one) => one.user?.id !== user_id);
  if (other !== undefined && other.user === null) return <Avatar name={other.name} size_px={size_px} />;
  const user = other?.user ?? call.host;
  return <Avatar name={user.username} called={nameOf(user)} url={user.avatar_url} size_px={size_px} />;
}
