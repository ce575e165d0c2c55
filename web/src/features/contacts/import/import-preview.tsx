import { useEffect, useRef, useState } from 'react';
import { ACTIONS, canChoose, describeLeftOut, describeRow, nameRow, rowsToTake } from './import-text.ts';
import type { ImportPreview, ImportRow } from './import-text.ts';
import { formatPhone } from '../../../i18n/phone-number.ts';
import { i18n } from '../../../i18n/i18n.ts';

/** The number of rows shown at once: a file may contain ten thousand. */
const FEW_ROWS = 100;
const KINDS = ['create', 'update', 'skip'] as const;

function detailsOf({ contact }: ImportRow): string {
  if (contact === null) return '';
  const { phones, emails, tag_name } = contact;
  const all = [...phones.map(({ number }) => formatPhone(number)), ...emails.map(({ address }) => address)];
  return [...all, ...(tag_name === null ? [] : [`*${tag_name}`])].join(' · ');
}

function Row({ row, is_chosen, onChoose }: { row: ImportRow; is_chosen: boolean; onChoose: () => void }) {
  const id = `import-row-${row.row}`;
  const details = detailsOf(row);
  return (
    <li>
      {canChoose(row) ? (
        <input id={id} type="checkbox" className="choice" checked={is_chosen} onChange={onChoose} />
      ) : null}
      <div className="list-main">
        <p>
          {canChoose(row) ? (
            <label htmlFor={id}>
              <strong dir="auto">{nameRow(row)}</strong>
            </label>
          ) : (
            <strong dir="auto">{nameRow(row)}</strong>
          )}
        </p>
        {details === '' ? null : <p className="soft small">{details}</p>}
        <p className="soft small">{describeRow(row)}</p>
        {describeLeftOut(row.errors).map((sentence) => (
          <p key={sentence} className="field-error">
            {i18n.t('Skipped: {sentence}', { sentence })}
          </p>
        ))}
      </div>
    </li>
  );
}

/** The rows that the reader has deselected; all others are selected. */
function useChoice(rows: readonly ImportRow[]) {
  const [put_aside, setPutAside] = useState<ReadonlySet<number>>(new Set());
  return {
    put_aside,
    toggle: (row: number) => {
      const next = new Set(put_aside);
      if (!next.delete(row)) next.add(row);
      setPutAside(next);
    },
    takeAll: () => setPutAside(new Set()),
    takeNone: () => setPutAside(new Set(rows.map(({ row }) => row))),
  };
}

interface ChoiceProps {
  preview: ImportPreview;
  is_pending: boolean;
  onTake: (rows: number[] | undefined) => void;
  onCancel: () => void;
}

function Kinds({ preview, kind, onKind }: { preview: ImportPreview; kind: string; onKind: (kind: string) => void }) {
  return (
    <div className="cluster" role="group" aria-label={i18n.t('Which rows are shown')}>
      {KINDS.map((one) => (
        <button
          key={one}
          type="button"
          className="button quiet"
          aria-pressed={kind === one}
          onClick={() => onKind(one)}
        >
          {ACTIONS[one]} ({preview.counts[one]})
        </button>
      ))}
    </div>
  );
}

/** The preview of a file, row by row, with the selection of rows. Nothing is written until the reader confirms. */
export function PreviewChoice({ preview, is_pending, onTake, onCancel }: ChoiceProps) {
  const { rows } = preview;
  const choice = useChoice(rows);
  const heading = useRef<HTMLHeadingElement>(null);
  const [kind, setKind] = useState<string>(() => KINDS.find((one) => preview.counts[one] > 0) ?? 'create');
  const [shown, setShown] = useState(FEW_ROWS);
  useEffect(() => heading.current?.focus(), []);
  const of_kind = rows.filter((one) => one.action === kind);
  const taken = rows.filter((one) => canChoose(one) && !choice.put_aside.has(one.row)).length;
  const may_take = taken > 0 && !is_pending;
  return (
    <section className="card" aria-labelledby="preview-heading">
      <h2 id="preview-heading" ref={heading} tabIndex={-1} className="feed-heading">
        {i18n.t('What the file contains')}
      </h2>
      <Kinds
        preview={preview}
        kind={kind}
        onKind={(one) => {
          setKind(one);
          setShown(FEW_ROWS);
        }}
      />
      {kind === 'skip' || of_kind.length === 0 ? null : (
        <div className="cluster">
          <button type="button" className="text-button" onClick={choice.takeAll}>
            {i18n.t('Choose all')}
          </button>
          <button type="button" className="text-button" onClick={choice.takeNone}>
            {i18n.t('Choose none')}
          </button>
        </div>
      )}
      {of_kind.length === 0 ? <p className="soft">{i18n.t('No rows of this kind.')}</p> : null}
      <ul className="list" aria-label={i18n.t('Rows: {kind}', { kind: ACTIONS[kind as ImportRow['action']] })}>
        {of_kind.slice(0, shown).map((row) => (
          <Row
            key={row.row}
            row={row}
            is_chosen={!choice.put_aside.has(row.row)}
            onChoose={() => choice.toggle(row.row)}
          />
        ))}
      </ul>
      {of_kind.length > shown ? (
        <button type="button" className="button quiet" onClick={() => setShown(shown + FEW_ROWS)}>
          {i18n.t('More rows')}
        </button>
      ) : null}
      <div className="cluster">
        <button
          type="button"
          className="button primary"
          aria-disabled={!may_take}
          onClick={() => (may_take ? onTake(rowsToTake(rows, choice.put_aside)) : undefined)}
        >
          {i18n.t('{count, plural, one {Import # contact} other {Import # contacts}}', { count: taken })}
        </button>
        <button type="button" className="button quiet" onClick={onCancel}>
          {i18n.t('Choose another file')}
        </button>
      </div>
    </section>
  );
}
