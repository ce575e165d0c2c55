import type { Call } from '@asterism/sdk';
import { Avatar, nameOf } from '../../ui/avatar.tsx';

/** The widget guest who started a call, which is hosted by the widget's owner. */
export const guestOf = (call: Call) => call.participants.find((one) => one.guest !== null)?.guest ?? undefined;

/** Who called: the host, or for the owner of a widget its guest; undefined if they have left. */
export function callerOf(call: Call, user_id: string | undefined): Call['participants'][number] | undefined {
  const is_own = call.host.id === user_id;
  return call.participants.find((one) => (is_own ? one.guest !== null : one.user?.id === call.host.id));
}

interface CallFaceProps {
  call: Call;
  user_id: string | undefined;
  size_px: number;
}

/** The person whom the reader talks to: who called, or the first of the others. */
export function CallFace({ call, user_id, size_px }: CallFaceProps) {
  const other = callerOf(call, user_id) ?? call.participants.find((one) => one.user?.id !== user_id);
  if (other !== undefined && other.user === null) return <Avatar name={other.name} size_px={size_px} />;
  const user = other?.user ?? call.host;
  return <Avatar name={user.username} called={nameOf(user)} url={user.avatar_url} size_px={size_px} />;
}
