import { useRef } from 'react';
import type { ComponentProps } from 'react';
import { Form } from './form.tsx';
import { RestoredNotice } from './restored-notice.tsx';
import { RestoredValues } from './restored-values.ts';

/** The texts of the named fields of a form. */
export type NamedTexts = Readonly<Record<string, string>>;

interface KeptFormProps extends ComponentProps<typeof Form> {
  /** What was entered before and is neither saved nor discarded (`data/storage/form-draft.ts`). */
  draft: {
    readonly restored: NamedTexts | undefined;
    readonly keep: (texts: NamedTexts | undefined) => void;
    readonly discard: () => void;
    readonly number: number;
  };
}

const readTexts = (data: FormData): NamedTexts =>
  Object.fromEntries([...data].filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

/** A form whose named fields have again what was entered when it was left in the middle. Its owner deletes that once it is saved. */
export function KeptForm({ draft, children, ...form }: KeptFormProps) {
  const { restored, keep, discard, number } = draft;
  const is_changed = useRef(false);
  return (
    <RestoredValues value={restored}>
      <Form
        key={number}
        {...form}
        onEntered={(data) => {
          is_changed.current = true;
          keep(readTexts(data));
        }}
        onDismissed={() => {
          // What was restored and is only looked at stays for the next time.
          if (is_changed.current) keep(undefined);
        }}
      >
        {restored === undefined ? null : <RestoredNotice onDiscard={discard} />}
        {children}
      </Form>
    </RestoredValues>
  );
}
