import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { ComponentProps, ComponentType, FormEvent, ReactNode, RefObject } from 'react';
import { focusOnMount } from './hooks/focus-on-mount.ts';
import { useFocusRefused } from './hooks/use-focus-refused.ts';
import { closeOnlyOpenLists } from './overlay/open-list.ts';
import { DISMISSED } from './overlay/dismiss/dismissed.ts';
import { useRestoredValue } from './restored-values.ts';
import { asSentence } from './problems/problem.ts';
import { i18n } from '../i18n/i18n.ts';

interface FieldProps {
  label: string;
  error?: string | undefined;
  hint?: ReactNode;
  hintTone?: 'ok' | undefined;
  prefix?: ReactNode;
  className?: string;
}

interface FrameProps extends FieldProps {
  id: string;
  children: ReactNode;
}

function describedBy(id: string, props: FieldProps): string | undefined {
  const ids = [props.error === undefined ? '' : `${id}-error`, props.hint === undefined ? '' : `${id}-hint`];
  return ids.filter((one) => one !== '').join(' ') || undefined;
}

function FieldFrame({ id, label, error, hint, hintTone, prefix, className = '', children }: FrameProps) {
  return (
    <div className={`field ${className}`}>
      <label htmlFor={id}>{label}</label>
      <div className="field-box" data-invalid={error === undefined ? undefined : ''}>
        {prefix === undefined ? null : <span className="prefix">{prefix}</span>}
        {children}
      </div>
      {error === undefined ? null : (
        <p id={`${id}-error`} className="field-error" role="alert">
          {asSentence(label, error)}
        </p>
      )}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="field-hint" data-tone={hintTone}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** The frame of a field, and the attributes by which its control refers to the label, the error and the hint. */
function useField<Props extends FieldProps & { name?: string | undefined }>(props: Props) {
  const id = useId();
  const restored = useRestoredValue(props.name);
  const { label, error, hint, hintTone, prefix, className, ...control } = props;
  const frame = { id, label, error, hint, hintTone, prefix, className };
  const refers = { id, 'aria-invalid': error !== undefined, 'aria-describedby': describedBy(id, frame) };
  return { frame, control: { ...refers, ...control, ...(restored === undefined ? {} : { defaultValue: restored }) } };
}

type TextProps = FieldProps & Omit<ComponentProps<'input'>, 'prefix' | 'className' | 'children'>;

/** A labelled single-line input with its hint and its error. */
export function TextField({ autoFocus, ...props }: TextProps) {
  const { frame, control } = useField(props);
  return (
    <FieldFrame {...frame}>
      <input dir="auto" ref={autoFocus ? focusOnMount : undefined} {...control} />
    </FieldFrame>
  );
}

/** A password input with a button that reveals it. */
export function PasswordField(props: TextProps) {
  const { frame, control } = useField(props);
  const [shown, setShown] = useState(false);
  return (
    <FieldFrame {...frame}>
      <input type={shown ? 'text' : 'password'} autoCapitalize="none" spellCheck={false} {...control} />
      <button type="button" aria-pressed={shown} onClick={() => setShown(!shown)}>
        {shown ? i18n.t('Hide') : i18n.t('Show')}
      </button>
    </FieldFrame>
  );
}

type AreaProps = FieldProps &
  Omit<ComponentProps<'textarea'>, 'prefix' | 'className'> & {
    /** The field, such as one that completes names. */
    Area?: ComponentType<ComponentProps<'textarea'>> | 'textarea';
  };

/** A labelled multi-line input. */
export function AreaField({ autoFocus, Area = 'textarea', ...props }: AreaProps) {
  const { frame, control } = useField(props);
  return (
    <FieldFrame {...frame}>
      <Area dir="auto" ref={autoFocus ? focusOnMount : undefined} {...control} />
    </FieldFrame>
  );
}

type SelectProps = FieldProps & Omit<ComponentProps<'select'>, 'prefix' | 'className'>;

// Once, with the first form.
closeOnlyOpenLists();

/** A labelled select. */
export function SelectField(props: SelectProps) {
  const { frame, control } = useField(props);
  return (
    <FieldFrame {...frame}>
      <select {...control} />
    </FieldFrame>
  );
}

const CODE_DIGITS = 6;

/** Keeps only the digits of what was typed or pasted ('123 456'), and submits the form when the code is complete. */
function acceptCode({ currentTarget: line }: FormEvent<HTMLInputElement>): void {
  const digits = line.value.replace(/\D/g, '').slice(0, CODE_DIGITS);
  line.value = digits;
  if (digits.length === CODE_DIGITS) line.form?.requestSubmit();
}

/** The one-time code: six digits, with autofill from text messages. The last digit submits it. */
export function CodeField({ error, hint, ...input }: Omit<TextProps, 'label'>) {
  return (
    <TextField
      label={i18n.t('Code')}
      error={error}
      hint={hint}
      name="code"
      className="code-field"
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9]{6}"
      required
      onInput={acceptCode}
      {...input}
    />
  );
}

interface FormProps {
  children: ReactNode;
  problem?: string | undefined;
  onSubmit: (data: FormData, form: HTMLFormElement) => void;
  /** Receives what is entered, at each change, and what the form began with. */
  onEntered?: (data: FormData, start: FormData) => void;
  /** Called when the reader closes the sheet or dialog of the form. */
  onDismissed?: () => void;
  className?: string;
  role?: string;
  /** For a submit button outside of the form. */
  id?: string;
}

function useDismissed(form: RefObject<HTMLFormElement | null>, onDismissed: (() => void) | undefined): void {
  useEffect(() => {
    const { current } = form;
    if (onDismissed === undefined) return;
    current?.addEventListener(DISMISSED, onDismissed);
    return () => current?.removeEventListener(DISMISSED, onDismissed);
  }, [form, onDismissed]);
}

/**
 * A form that reads its own inputs on submit, and shows errors of the whole form above them. The focus goes to the first
 * field that was refused.
 */
export function Form({
  children,
  problem,
  onSubmit,
  onEntered,
  onDismissed,
  className = 'stack',
  role,
  id,
}: FormProps) {
  const { form, noteSubmit, noteInput } = useFocusRefused();
  useDismissed(form, onDismissed);
  const start = useRef<FormData | undefined>(undefined);
  useLayoutEffect(() => {
    if (form.current !== null) start.current = new FormData(form.current);
  }, [form]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    noteSubmit(event);
    onSubmit(new FormData(event.currentTarget), event.currentTarget);
  };
  const enter = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    noteInput();
    if (start.current !== undefined) onEntered?.(new FormData(currentTarget), start.current);
  };
  return (
    <form ref={form} className={className} onSubmit={submit} onInput={enter} role={role} id={id}>
      {problem === undefined ? null : (
        <p className="notice span" data-tone="danger" role="alert">
          {problem}
        </p>
      )}
      {children}
    </form>
  );
}

/** The text value of one field of a submitted form, trimmed; with `raw` untrimmed, for passwords. */
export function readText(data: FormData, name: string, how?: 'raw'): string {
  const value = data.get(name);
  if (typeof value !== 'string') return '';
  return how === 'raw' ? value : value.trim();
}
