import { useCallback, useRef, useState } from 'react';
import { useMe } from '../queries/me-query.ts';
import { readStored, writeStored } from './stored-texts.ts';

/** What was entered in a form and is neither saved nor discarded. */
export interface FormDraft<Fields> {
  /** What was entered when the page was last left in the middle: by a reload, an accepted call or the end of the session. */
  readonly restored: Fields | undefined;
  /** Stores what is entered. */
  readonly store: (fields: Fields) => void;
  /** Deletes it, since it is saved. */
  readonly drop: () => void;
  /** Deletes it, since the reader has closed the form; what was restored and only looked at stays for the next time. */
  readonly dismiss: () => void;
  /** Deletes what was restored; `number` changes with it, as a key of the fields. */
  readonly discard: () => void;
  readonly number: number;
}

/** @param form the form, and what it edits */
export function useFormDraft<Fields>(form: string): FormDraft<Fields> {
  const user_id = useMe()?.id ?? '';
  const name = `form ${form}`;
  const [restored, setRestored] = useState(() => readStored(user_id, name) as Fields | undefined);
  const [number, setNumber] = useState(0);
  const is_changed = useRef(false);
  const store = useCallback(
    (fields: Fields) => {
      is_changed.current = true;
      writeStored(user_id, name, fields);
    },
    [user_id, name],
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

/** The fields of a form that are held in state, which are stored until they are saved. @param start what the form begins with */
export function useFieldsDraft<Fields>(form: string, start: Fields) {
  const { restored, store, drop, dismiss, discard } = useFormDraft<Fields>(form);
  const [fields, setFields] = useState(restored ?? start);
  return {
    fields,
    restored,
    drop,
    dismiss,
    set(part: Partial<Fields>) {
      const next = { ...fields, ...part };
      setFields(next);
      store(next);
    },
    reset() {
      discard();
      setFields(start);
    },
  };
}
