import { SendHorizontal } from 'lucide-react';
import { useId, useState } from 'react';
import type { ComponentProps, ComponentType } from 'react';
import { i18n } from '../i18n/i18n.ts';
import { Form, readText } from './form.tsx';
import { fieldProblems, formProblem } from './problems/problem.ts';

interface LineComposerProps {
  /** The placeholder and accessible name. */
  label: string;
  /** The label of the button. */
  action: string;
  maxLength: number;
  /** The text that was being written, and what stores it. */
  draft?: { readonly first: string; readonly onText: (text: string) => void };
  /** The field, such as one that completes names. */
  Area?: ComponentType<ComponentProps<'textarea'>> | 'textarea';
  pending: boolean;
  /** The error of the last attempt. */
  error: unknown;
  /** Sends the text; calls back when it has succeeded. */
  onSend: (body: string, onTaken: () => void) => void;
}

/** A text field that grows with its text, and is sent with its button or Ctrl+Enter. */
export function LineComposer({
  label,
  action,
  maxLength,
  draft,
  Area = 'textarea',
  pending,
  error,
  onSend,
}: LineComposerProps) {
  const id = useId();
  const first = draft?.first ?? '';
  const [is_empty, setEmpty] = useState(first === '');
  const take = (text: string) => {
    setEmpty(text.trim() === '');
    draft?.onText(text);
  };
  const problem = fieldProblems(error)['body'];
  return (
    <Form
      problem={formProblem(error, ['body'])}
      className="line-composer"
      onSubmit={(data, form) => {
        const body = readText(data, 'body');
        if (body === '' || pending) return;
        onSend(body, () => {
          form.reset();
          // It may have begun with a text, to which it was reset.
          for (const field of form.querySelectorAll('textarea')) field.value = '';
          take('');
        });
      }}
    >
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <Area
        id={id}
        className="text-line"
        name="body"
        rows={1}
        defaultValue={first}
        dir="auto"
        maxLength={maxLength}
        placeholder={label}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-error`}
        onInput={(event) => take(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
        }}
      />
      <button type="submit" className="icon-button solid" aria-disabled={is_empty || pending}>
        <SendHorizontal aria-hidden="true" />
        <span className="visually-hidden">{pending ? i18n.t('Sending…') : action}</span>
      </button>
      {problem === undefined ? null : (
        <p id={`${id}-error`} className="field-error span" role="alert">
          {problem}
        </p>
      )}
    </Form>
  );
}
