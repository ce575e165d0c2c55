import type { ComponentProps } from 'react';
import { i18n } from '../i18n/i18n.ts';
import { Form } from './form.tsx';
import { RestoredNotice } from './restored-notice.tsx';
import { changedFields, RestoredValues } from './restored-values.ts';

/** The texts of the named fields of a form. */
export type NamedTexts = Readonly<Record<string, string>>;

interface DraftFormProps extends Omit<ComponentProps<typeof Form>, 'onEntered' | 'onDismissed'> {
  /** What was entered before and is neither saved nor discarded (`data/storage/form-draft.ts`). */
  draft: {
    readonly restored: Partial<NamedTexts> | undefined;
    readonly store: (changed: Partial<NamedTexts>) => void;
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
      <Form
        key={number}
        {...form}
        onEntered={(data, start) => store(changedFields(readTexts(start), readTexts(data)))}
        onDismissed={dismiss}
      >
        <RestoredNotice restored={restored} onDiscard={discard} />
        {children}
      </Form>
    </RestoredValues>
  );
}

interface FormButtonsProps {
  /** What the first button does, such as "Send report". */
  action: string;
  is_pending?: boolean;
  onCancel: () => void;
}

/** The buttons at the end of a form that can be cancelled. */
export function FormButtons({ action, is_pending = false, onCancel }: FormButtonsProps) {
  return (
    <div className="cluster">
      <button type="submit" className="button primary" disabled={is_pending}>
        {action}
      </button>
      <button type="button" className="button quiet" onClick={onCancel}>
        {i18n.t('Cancel')}
      </button>
    </div>
  );
}
