/** Completions of a typed text, from the forms in the guide. */
import type { GuideEntry } from './command-queries.ts';
import { i18n } from '../../i18n/i18n.ts';

/** A completion that can be put into the bar. */
export interface Completion {
  /** The text for the bar; it ends with a space if more must be typed. */
  text: string;
  /** The whole form, with its placeholders as words. */
  form: string;
  summary: string;
}

type Gap = Uppercase<GuideEntry['arguments'][number]['type']>;

/** Capitals in a form are placeholders. */
const GAPS: Readonly<Record<Gap, string>> = {
  get TARGET() {
    return i18n.t('…who');
  },
  get TARGETS() {
    return i18n.t('…who');
  },
  get PERSON() {
    return i18n.t('…who');
  },
  get TAG() {
    return i18n.t('…tag');
  },
  get GROUP() {
    return i18n.t('…group');
  },
  get TEXT() {
    return i18n.t('…words');
  },
  get NAME() {
    return i18n.t('…name');
  },
  get ADDRESS() {
    return i18n.t('…address');
  },
  get TIME() {
    return i18n.t('…when');
  },
  get DURATION() {
    return i18n.t('…how long');
  },
  get JOB() {
    return i18n.t('…which');
  },
  get COMMAND() {
    return i18n.t('…command');
  },
  get WORD() {
    return i18n.t('…word');
  },
};
const IS_GAP = /^[A-Z][A-Z*@-]*$/;

/** "call …who with video", from a form of the guide. */
function formInWords(form: string): string {
  return form
    .replaceAll('[:] ', '')
    .replaceAll(/[[\]]/g, '')
    .split(' ')
    .map((word) => (IS_GAP.test(word) ? (GAPS[word as Gap] ?? `…${word.toLowerCase()}`) : word))
    .join(' ');
}

/** The words of a form before its first placeholder. */
function headOf(form: string): string {
  const words = form.split(' ').filter((word) => !word.startsWith('['));
  const gap = words.findIndex((word) => IS_GAP.test(word));
  return (gap === -1 ? words : words.slice(0, gap)).join(' ');
}

/** Commands whose first words continue the typed text, without duplicates; all of them for an empty text. */
export function complete(typed: string, guide: readonly GuideEntry[], max = 5): Completion[] {
  const text = typed.trimStart().toLowerCase();
  const found: Completion[] = [];
  for (const { forms, syntax, summary } of guide) {
    const form = [syntax, ...forms].find((one) => {
      const head = headOf(one).toLowerCase();
      return head !== '' && head.startsWith(text.trimEnd()) && head !== text.trimEnd();
    });
    if (form === undefined || found.length >= max) continue;
    const head = headOf(form);
    found.push({ text: form === head ? head : `${head} `, form: formInWords(form), summary });
  }
  return found;
}
