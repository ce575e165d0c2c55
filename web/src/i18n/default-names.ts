/** Default names: the service sends them in English, and they are shown in the reader's language. */
import { i18n } from './i18n.ts';

interface Named {
  readonly name: string;
  readonly name_is_default?: true;
}

/** The displayed name of a guest. */
export const nameOfGuest = ({ name, name_is_default }: Named): string => (name_is_default ? i18n.t('Guest') : name);

interface Recorded {
  readonly chapters: readonly Named[];
  readonly tracks: readonly { readonly name: string | null; readonly name_is_default?: true }[];
}

const sayRecorded = <R extends Recorded['tracks'][number]>(one: R): R =>
  one.name_is_default ? { ...one, name: one.name === 'Phone' ? i18n.t('Phone') : i18n.t('Guest') } : one;

/** A recording with the default names of its speakers in the reader's language. */
export function localizeSpeakers<R extends Recorded>(recording: R): R {
  return { ...recording, chapters: recording.chapters.map(sayRecorded), tracks: recording.tracks.map(sayRecorded) };
}

interface Participant extends Named {
  readonly guest: { readonly id: string; readonly name: string } | null;
}

function localizeName<P extends Participant>(one: P): P {
  if (!one.name_is_default) return one;
  if (one.guest === null) return { ...one, name: i18n.t('Phone') };
  const name = i18n.t('Guest');
  return { ...one, name, guest: { ...one.guest, name } };
}

/** A current or past call with the default names of its participants in the reader's language. */
export function localizeNames<C extends { readonly participants: readonly Participant[] }>(call: C): C {
  if (!call.participants.some((one) => one.name_is_default)) return call;
  return { ...call, participants: call.participants.map(localizeName) };
}
