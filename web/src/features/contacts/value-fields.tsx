import { Plus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ComponentProps } from 'react';
import { SelectField, TextField } from '../../ui/form.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { capitalLabel } from './label-text.ts';

/** A phone number or e-mail address of a contact. */
export interface LabelledValue {
  readonly label: string;
  readonly value: string;
}
interface ValueRow extends LabelledValue {
  readonly id: number;
}

/** The service takes no more of one contact. */
const MAX_VALUES = 20;

/**
 * The form state of numbers or addresses, one row each.
 * @param before those of the edited contact; without any there is one empty row
 * @param labels the usual ones; a new row gets the first that no other row has
 */
export function useValues(before: readonly LabelledValue[], labels: readonly string[]) {
  const [plain = ''] = labels;
  const next_id = useRef(before.length + 1);
  const [rows, setRows] = useState<readonly ValueRow[]>(() =>
    before.length === 0 ? [{ id: 0, label: plain, value: '' }] : before.map((one, id) => ({ ...one, id })),
  );
  /** The rows of the last request: its errors name them by their position. */
  const [sent, setSent] = useState<readonly number[]>([]);
  const add = () => {
    const label = labels.find((one) => rows.every((row) => row.label !== one)) ?? plain;
    setRows([...rows, { id: next_id.current++, label, value: '' }]);
  };
  const change = (id: number, to: Partial<LabelledValue>) =>
    setRows(rows.map((row) => (row.id === id ? { ...row, ...to } : row)));
  const remove = (id: number) => setRows(rows.filter((row) => row.id !== id));
  const filled = rows.filter(({ value }) => value.trim() !== '');
  /** What is entered, without empty rows. */
  const read = (): LabelledValue[] => filled.map(({ label, value }) => ({ label, value: value.trim() }));
  /** Called when that is sent. */
  const noteSent = () => setSent(filled.map(({ id }) => id));
  return { rows, labels, sent, add, change, remove, read, noteSent };
}

type Values = ReturnType<typeof useValues>;

interface RowProps {
  row: ValueRow;
  values: Values;
  /** The accessible names of the field and of the button that removes it. */
  name: string;
  remove_name: string;
  error: string | undefined;
  autoFocus: boolean;
  field: Pick<ComponentProps<'input'>, 'type' | 'inputMode' | 'autoCapitalize'>;
  onRemove: () => void;
}

function ValueRowFields({ row, values, name, remove_name, error, autoFocus, field, onRemove }: RowProps) {
  const { labels, change } = values;
  return (
    <div className="value-row">
      <SelectField
        label={i18n.t('Type')}
        value={row.label}
        onChange={({ currentTarget }) => change(row.id, { label: currentTarget.value })}
      >
        {(labels.includes(row.label) ? labels : [row.label, ...labels]).map((one) => (
          <option key={one} value={one}>
            {capitalLabel(one)}
          </option>
        ))}
      </SelectField>
      <TextField
        {...field}
        label={name}
        autoComplete="off"
        autoFocus={autoFocus}
        value={row.value}
        onChange={({ currentTarget }) => change(row.id, { value: currentTarget.value })}
        error={error}
      />
      <button type="button" className="icon-button" onClick={onRemove}>
        <X aria-hidden="true" />
        <span className="visually-hidden">{remove_name}</span>
      </button>
    </div>
  );
}

interface ValueFieldsProps {
  legend: string;
  values: Values;
  /** The name of the field in errors of the service, such as `phones`. */
  name: string;
  problems: Readonly<Record<string, string>>;
  /** The accessible name of the field in a row. @param number of the row, from 1 */
  nameRow: (number: number) => string;
  nameRemove: (number: number) => string;
  add_label: string;
  hint?: string;
  field: RowProps['field'];
}

/** Phone numbers or e-mail addresses: one row each with its label, and buttons to add and to remove one. */
export function ValueFields({ legend, values, name, problems, nameRow, nameRemove, ...props }: ValueFieldsProps) {
  const { rows, sent, add, remove } = values;
  const [has_added, setAdded] = useState(false);
  const add_button = useRef<HTMLButtonElement>(null);
  const is_full = rows.length >= MAX_VALUES;
  const problemOf = (id: number) => {
    const at = sent.indexOf(id);
    const key = Object.keys(problems).find((one) => `${one}.`.startsWith(`${name}.${at}.`));
    return at === -1 || key === undefined ? undefined : problems[key];
  };
  const removeRow = (id: number) => {
    setAdded(false);
    remove(id);
    add_button.current?.focus();
  };
  const addRow = () => {
    if (is_full) return;
    setAdded(true);
    add();
  };
  return (
    <fieldset className="values">
      <legend>{legend}</legend>
      {rows.map((row, at) => (
        <ValueRowFields
          key={row.id}
          row={row}
          values={values}
          name={nameRow(at + 1)}
          remove_name={nameRemove(at + 1)}
          error={problemOf(row.id)}
          autoFocus={has_added && at === rows.length - 1}
          field={props.field}
          onRemove={() => removeRow(row.id)}
        />
      ))}
      <button ref={add_button} type="button" className="button quiet small" aria-disabled={is_full} onClick={addRow}>
        <Plus aria-hidden="true" />
        {props.add_label}
      </button>
      {props.hint === undefined || rows.length < 2 ? null : <p className="field-hint">{props.hint}</p>}
      {problems[name] === undefined ? null : (
        <p className="field-error" role="alert">
          {problems[name]}
        </p>
      )}
    </fieldset>
  );
}
