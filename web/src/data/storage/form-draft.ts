import { useCallback, useRef, useState } from 'react';
import { useMe } from '../queries/me-query.ts';
import { readStored, writeStored } from './stored-texts.ts';

/**
 * What was entered in a form and is neither saved nor discarded. Only the fields that were changed are stored: the others are
 * what they are when the form is opened again, since another device may have changed them.
 */
export interface FormDraft<Fields> {
  /** What was entered when the page was last left in the middle: by a reload, an accepted call or the end of the session. */
  readonly restored: Partial<Fields> | undefined;
  /** Stores the fields that differ from what the form began with. */
  readonly store: (changed: Partial<Fields>) => void;
  /** Deletes it, since it is saved. */
  readonly drop: () => void;
  /** Deletes it, since the reader has closed the form; what was restored and only looked at stays for the next time. */
  readonly dismiss: () => void;
  /** Deletes what was restored; `number` changes with it, as a key of the fields. */
  readonly discard: () => void;
  readonly number: number;
}

/** @param form the form, and what it edits */
export function useFormDraft<Fields extends object>(form: string): FormDraft<Fields> {
  const user_id = useMe()?.id ?? '';
  const name = `form ${form}`;
  const [restored, setRestored] = useState(() => readStored(user_id, name) as Partial<Fields> | undefined);
  const [number, setNumber] = useState(0);
  const is_changed = useRef(false);
  const store = useCallback(
    (changed: Partial<Fields>) => {
      is_changed.current = true;
      const all = { ...restored, ...changed };
      writeStored(user_id, name, Object.keys(all).length === 0 ? undefined : all);
    },
    [user_id, name, restored],
  );
  const drop = useCallback(() => {
    writeStored(user_id, name, undefined);
    setRestored(undefined);
  }, [user_id, name]);
  const dismiss = useCallback(() => {
    if (is_changed.current) drop();
  }, [drop]);
  const discard = () => {
    drop();
    setNumber(number + 1);
  };
  return { restored, store, drop, dismiss, discard, number };
}

/**
 * The fields that are held in state, which are stored until they are saved.
 * @param start what the form begins with
 * @param is_whole stores all of them: of a new event also the day for which it was opened
 */
export function useFieldsDraft<Fields extends object>(form: string, start: Fields, is_whole = false) {
  const { restored, store, drop, dismiss, discard } = useFormDraft<Fields>(form);
  const [unchanged, setUnchanged] = useState(start);
  const [changed, setChanged] = useState<Partial<Fields>>(restored ?? {});
  return {
    fields: { ...unchanged, ...changed } as Fields,
    restored,
    drop,
    dismiss,
    set(part: Partial<Fields>) {
      const next = { ...changed, ...part };
      setChanged(next);
      store(is_whole ? { ...unchanged, ...next } : next);
    },
    reset() {
      discard();
      setUnchanged(start);
      setChanged({});
    },
  };
}
