import type { LaterDraft } from './send-later.tsx';
import { i18n } from '../../i18n/i18n.ts';

type Target = NonNullable<LaterDraft['target']>;

/** A message that is sent later; or why that cannot be, in a sentence for its writer. */
export function laterTextOf(text: string, target: Target): LaterDraft | string {
  if (text.trim() === '') return i18n.t('Write a message first.');
  return { kind: 'text', target, body: text.trim() };
}
