import type { Call } from '@asterism/sdk';
import { i18n } from '../../../i18n/i18n.ts';
import { nameOf } from '../../../ui/avatar.tsx';

/** The title of a call: its host, or between two people the other person. */
export function titleOfCall(call: Call, user_id: string | undefined): string {
  const [other, ...more] = call.participants.filter((one) => one.user?.id !== user_id);
  if (other !== undefined && more.length === 0) return i18n.t('With {name}', { name: other.name });
  return call.host.id === user_id ? i18n.t('Your call') : i18n.t('With {name}', { name: nameOf(call.host) });
}
