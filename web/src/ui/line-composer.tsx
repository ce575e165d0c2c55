import { SendHorizontal } from 'lucide-react';
import { useId, useState } from 'react';
import { i18n } from '../i18n/i18n.ts';
import { Form, readText } from './form.tsx';
import { fieldProblems, formProblem } from './problems/problem.ts';

interface LineComposerProps {
  /** What is written here, for the placeholder and for screen readers. */
  label: string;
  /** What the button does. */
  action: string;
  maxLength: number;
  pending: boolean;
  /** Why the last text was not taken. */
  error: unknown;
  /** Sends what was written; calls back once it is taken. */
  onSend: (body: string, onTaken: () => void) => void;
}

/** One line that grows while somebody writes in it, and is sent by its button or by Ctrl and Enter. */
export function LineComposer({ label, action, maxLength, pending, error, onSend }: LineComposerProps) {
  const id = useId();
  const [is_empty, setEmpty] = useState(true);
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
          setEmpty(true);
        });
      }}
    >
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <textarea
        id={id}
        className="text-line"
        name="body"
        rows={1}
        dir="auto"
        maxLength={maxLength}
        placeholder={label}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-error`}
        onInput={(event) => setEmpty(event.currentTarget.value.trim() === '')}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
        }}
      />
      <button type="submit" className="ib solid" aria-disabled={is_empty || pending}>
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
