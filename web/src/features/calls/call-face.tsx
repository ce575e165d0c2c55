import type { Call } from '@asterism/sdk';
import { Avatar, nameOf } from '../../ui/avatar.tsx';

/** The widget guest who started a call, which is hosted by the widget's owner. */
export const guestOf = (call: Call) => call.participants.find((one) => one.guest !== null)?.guest ?? undefined;

interface CallFaceProps {
  call: Call;
  user_id: string | undefined;
  size_px: number;
}

/** The person whom the reader talks to: who called, or for the host the first of the others. */
export function CallFace({ call, user_id, size_px }: CallFaceProps) {
  const guest = guestOf(call);
  if (guest !== undefined) return <Avatar name={guest.name} size_px={size_px} />;
  const other = call.host.id === user_id ? call.participants.find((one) => one.user?.id !== user_id) : undefined;
  if (other !== undefined && other.user === null) return <Avatar name={other.name} size_px={size_px} />;
  const user = other?.user ?? call.host;
  return <Avatar name={user.username} called={nameOf(user)} url={user.avatar_url} size_px={size_px} />;
}
