import type { ComponentProps } from 'react';
import { Form } from './form.tsx';
import { RestoredNotice } from './restored-notice.tsx';
import { RestoredValues } from './restored-values.ts';

/** The texts of the named fields of a form. */
export type NamedTexts = Readonly<Record<string, string>>;

interface DraftFormProps extends Omit<ComponentProps<typeof Form>, 'onEntered' | 'onDismissed'> {
  /** What was entered before and is neither saved nor discarded (`data/storage/form-draft.ts`). */
  draft: {
    readonly restored: NamedTexts | undefined;
    readonly store: (texts: NamedTexts) => void;
    readonly dismiss: () => void;
    readonly discard: () => void;
    readonly number: number;
  };
}

const readTexts = (data: FormData): NamedTexts =>
  Object.fromEntries([...data].filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

/** A form whose named fields have again what was entered when it was left in the middle. Its owner deletes that once it is saved. */
export function DraftForm({ draft, children, ...form }: DraftFormProps) {
  const { restored, store, dismiss, discard, number } = draft;
  return (
    <RestoredValues value={restored}>
      <Form key={number} {...form} onEntered={(data) => store(readTexts(data))} onDismissed={dismiss}>
        <RestoredNotice restored={restored} onDiscard={discard} />
        {children}
      </Form>
    </RestoredValues>
  );
}
