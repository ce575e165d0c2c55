/** What a typed text may go on as, by the forms of the guide. */
import type { GuideEntry } from './command-queries.ts';

/** A line that can be taken over into the bar. */
export interface Completion {
  /** What is put into the bar; it ends in a blank where something is still to be typed. */
  text: string;
  /** The whole form, with its gaps in words. */
  form: string;
  summary: string;
}

/** "call {to:targets} with video" as "call who with video". */
export function formInWords(form: string): string {
  return form
    .replaceAll(/\{(\w+):?\w*\}/g, (_, name: string) => GAPS[name] ?? name)
    .replaceAll(/\[:\]\s*/g, '')
    .replaceAll(/[[\]]/g, '');
}

const GAPS: Readonly<Record<string, string>> = {
  to: '…who',
  who: '…who',
  body: '…words',
  at: '…when',
  for: '…how long',
  until: '…when',
  tag: '…tag',
  people: '…who',
  command: '…command',
  name: '…name',
  address: '…address',
  group: '…group',
  message: '…words',
  job: '…which',
  contact: '…contact',
};

/** The words with which a form begins. */
const headOf = (form: string): string => (form.split(/[{[]/)[0] ?? '').trimEnd();

/** Commands whose first words go on from what is typed, each once; all of them while nothing is. */
export function complete(typed: string, guide: readonly GuideEntry[], most = 5): Completion[] {
  const text = typed.trimStart().toLowerCase();
  const found: Completion[] = [];
  for (const { forms, syntax, summary } of guide) {
    const form = [syntax, ...forms].find((one) => {
      const head = headOf(one).toLowerCase();
      return head !== '' && head.startsWith(text.trimEnd()) && head !== text.trimEnd();
    });
    if (form === undefined || found.length >= most) continue;
    const head = headOf(form);
    found.push({ text: head === form ? head : `${head} `, form: formInWords(form), summary });
  }
  return found;
}
