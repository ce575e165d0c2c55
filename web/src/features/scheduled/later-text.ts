import type { LaterDraft } from './send-later.tsx';

type Target = NonNullable<LaterDraft['target']>;

/** A message that is sent later; or why that cannot be, in a sentence for its writer. */
export function laterTextOf(text: string, target: Target): LaterDraft | string {
  if (text.trim() === '') return 'Write a message first.';
  return { kind: 'text', target, body: text.trim() };
}
