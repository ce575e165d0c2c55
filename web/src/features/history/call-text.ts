import type { LucideIcon } from 'lucide-react';
import { PhoneIncoming, PhoneMissed, PhoneOutgoing } from 'lucide-react';
import type { Targets } from '../../data/start-call.ts';
import { localizeNames } from '../../i18n/default-names.ts';
import { i18n } from '../../i18n/i18n.ts';
import { formatPhone } from '../../i18n/phone-number.ts';
import { describeSpan } from '../../ui/when.tsx';
import type { PastCall } from '../../data/queries/history-queries.ts';

const OUTCOMES: Readonly<Record<Exclude<PastCall['outcome'], 'cancelled'>, string>> = {
  get answered() {
    return i18n.t('Answered');
  },
  get missed() {
    return i18n.t('Missed');
  },
  get declined() {
    return i18n.t('Declined');
  },
  get no_answer() {
    return i18n.t('No answer');
  },
  get busy() {
    return i18n.t('Busy');
  },
  get failed() {
    return i18n.t('Couldn’t be reached');
  },
};

/** The outcome of a call in which nobody else arrived, although nobody was unreachable. */
const describeCancelled = ({ participant_count }: PastCall): string =>
  participant_count > 1 ? i18n.t('Didn’t connect') : i18n.t('No one joined');

/** The icon of a past call: missed, incoming or outgoing. */
export function iconOfCall({ direction, outcome }: PastCall): LucideIcon {
  if (outcome === 'missed') return PhoneMissed;
  return direction === 'incoming' ? PhoneIncoming : PhoneOutgoing;
}

/** The outcome of a past call and how long it took: "Answered, 12 min". */
export function describeOutcome(call: PastCall): string {
  const { outcome, duration_s } = call;
  const words = outcome === 'cancelled' ? describeCancelled(call) : OUTCOMES[outcome];
  return duration_s > 0 ? `${words}, ${describeSpan(duration_s)}` : words;
}

/** Whether the reader was called or called somebody. */
export const describeDirection = ({ direction }: PastCall): string =>
  direction === 'incoming' ? i18n.t('Incoming') : i18n.t('Outgoing');

/** The participants of a past call other than the reader. */
export const othersOf = (call: PastCall, my_id: string | undefined): PastCall['participants'] =>
  localizeNames(call).participants.filter(({ user }) => user?.id !== my_id);

/** The names of participants, as the title of their call. */
export const nameOfCall = (others: PastCall['participants']): string =>
  others.map(({ name }) => formatPhone(name)).join(', ') || i18n.t('Only you');

/** How to call participants again. A masked number cannot be called. */
export const targetsOf = (others: PastCall['participants']): Targets =>
  others.flatMap(({ user, phone, contact_id }): Targets => {
    if (user !== null) return [{ user_id: user.id }];
    if (contact_id !== null) return [{ contact_id }];
    return phone !== null && phone.startsWith('+') ? [{ phone }] : [];
  });
