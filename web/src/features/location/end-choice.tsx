import { useId, useState } from 'react';
import { Chip } from '../../ui/chip.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { describeSpan } from './span-text.ts';

/** The durations to choose from, in minutes. */
const SPANS = [30, 60, 480, 1440] as const;

/** The time in some minutes, in wire format. */
export function timeInMinutes(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The value of a `datetime-local` field: local time without a zone. */
function toLocalField(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const MAX_DURATION_MS = 7 * 86_400_000;

interface EndChoiceProps {
  /** The selected duration; undefined when a time was entered. */
  minutes: number | undefined;
  onMinutes: (minutes: number) => void;
  /** Called with a time that was entered; without it, only durations are offered. */
  onMoment?: (at: string) => void;
}

/** The selection of an end, which every sharing must have. */
export function EndChoice({ minutes, onMinutes, onMoment }: EndChoiceProps) {
  const id = useId();
  const [is_picking, pick] = useState(false);
  return (
    <div className="stack-small">
      <div className="chips ends" role="group" aria-label={i18n.t('Until when')}>
        {SPANS.map((span) => (
          <Chip
            key={span}
            pressed={!is_picking && span === minutes}
            onClick={() => {
              pick(false);
              onMinutes(span);
            }}
          >
            {describeSpan(span)}
          </Chip>
        ))}
        {onMoment === undefined ? null : (
          <Chip pressed={is_picking} onClick={() => pick(true)}>
            {i18n.t('Choose a time')}
          </Chip>
        )}
      </div>
      {is_picking ? (
        <div className="field">
          <label htmlFor={id}>{i18n.t('Until')}</label>
          <div className="field-box">
            <input
              id={id}
              type="datetime-local"
              min={toLocalField(new Date())}
              max={toLocalField(new Date(Date.now() + MAX_DURATION_MS - 60_000))}
              onChange={(event) => {
                const at = new Date(event.target.value);
                if (at.getTime() > Date.now()) onMoment?.(at.toISOString().replace(/\.\d+Z$/, 'Z'));
              }}
            />
          </div>
          <p className="field-hint">{i18n.t('At most a week from now. Sharing ends automatically.')}</p>
        </div>
      ) : null}
    </div>
  );
}
