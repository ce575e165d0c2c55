import type { LaterDraft } from './send-later.tsx';
import { i18n } from '../../i18n/i18n.ts';

type Target = NonNullable<LaterDraft['target']>;

/** The draft of a scheduled message, or the reason why it cannot be scheduled, as a sentence for its author. */
export function laterTextOf(text: string, target: Target): LaterDraft | string {
  if (text.trim() === '') return i18n.t('Write a message first.');
  return { kind: 'text', target, body: text.trim() };
}
