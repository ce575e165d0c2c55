/** Names that nobody chose: the service says them in English, and here they are said in the reader's language. */
import { i18n } from './i18n.ts';

interface Named {
  readonly name: string;
  readonly name_is_default?: true;
}

/** How a guest is called. */
export const nameOfGuest = ({ name, name_is_default }: Named): string => (name_is_default ? i18n.t('Guest') : name);

interface Recorded {
  readonly chapters: readonly Named[];
  readonly tracks: readonly { readonly name: string | null; readonly name_is_default?: true }[];
}

const sayRecorded = <R extends Recorded['tracks'][number]>(one: R): R =>
  one.name_is_default ? { ...one, name: one.name === 'Phone' ? i18n.t('Phone') : i18n.t('Guest') } : one;

/** A recording in which everybody who is heard is called as the reader reads it. */
export function sayNamesIn<R extends Recorded>(recording: R): R {
  return { ...recording, chapters: recording.chapters.map(sayRecorded), tracks: recording.tracks.map(sayRecorded) };
}

interface Participant extends Named {
  readonly guest: { readonly id: string; readonly name: string } | null;
}

function sayName<P extends Participant>(one: P): P {
  if (!one.name_is_default) return one;
  if (one.guest === null) return { ...one, name: i18n.t('Phone') };
  const name = i18n.t('Guest');
  return { ...one, name, guest: { ...one.guest, name } };
}

/** A call, or what is left of one, in which everybody is called as the reader reads it. */
export function sayNames<C extends { readonly participants: readonly Participant[] }>(call: C): C {
  if (!call.participants.some((one) => one.name_is_default)) return call;
  return { ...call, participants: call.participants.map(sayName) };
}
