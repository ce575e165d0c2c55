import { useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { Form, TextField } from '../../ui/form.tsx';
import { Sheet } from '../../ui/overlay/sheet/sheet.tsx';
import { addDays, today } from '../calendar/days.ts';
import { RecurrenceField } from '../calendar/recurrence/recurrence-field.tsx';
import { localZone, momentAt, nameOfZone, wallTimeAt } from '../calendar/zones.ts';
import './scheduled.css';
import { describeSuggestion, suggestTimes } from './scheduled-text.ts';
import { i18n } from '../../i18n/i18n.ts';

/** A time, and its recurrence. */
export interface ChosenTime {
  run_at: string;
  timezone: string;
  rrule: string | null;
}

interface WhenProps {
  title: string;
  /** The label of the button. */
  action: string;
  start?: ChosenTime | undefined;
  is_busy: boolean;
  onChosen: (time: ChosenTime) => void;
  onClose: () => void;
  returnTo?: RefObject<HTMLElement | null>;
  /** Further fields, above the time. */
  children?: ReactNode;
}

/** Selects a time: a suggested one with one tap, or a day and a time, optionally recurring. */
export function WhenSheet({ title, action, start, is_busy, onChosen, onClose, returnTo, children }: WhenProps) {
  const zone = start?.timezone ?? localZone();
  const [wall, setWall] = useState(() =>
    start === undefined ? { date: addDays(today(), 1), time: '09:00' } : wallTimeAt(Date.parse(start.run_at), zone),
  );
  const [rrule, setRule] = useState(start?.rrule ?? null);
  const [is_past, setPast] = useState(false);
  const choose = (moment: Date) =>
    onChosen({ run_at: moment.toISOString().replace(/\.\d+/, ''), timezone: zone, rrule });
  const submit = () => {
    const moment = momentAt(wall, zone);
    setPast(moment.getTime() <= Date.now());
    if (moment.getTime() > Date.now() && !is_busy) choose(moment);
  };
  return (
    <Sheet open onClose={onClose} title={title} {...(returnTo === undefined ? {} : { returnTo })}>
      {children}
      {start === undefined ? (
        <ul className="sched-times" aria-label={i18n.t('Suggested times')}>
          {suggestTimes().map(({ words, moment }) => (
            <li key={words}>
              <button type="button" disabled={is_busy} onClick={() => choose(moment)}>
                <b>{words}</b>
                <span className="soft small">{describeSuggestion(moment)}</span>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      {/* React events bubble to the form of a composer that contains the sheet, which must not be submitted. */}
      <div onSubmit={(event) => event.stopPropagation()}>
        <Form onSubmit={submit}>
          <div className="form-grid">
            <TextField
              label={i18n.t('Day')}
              type="date"
              required
              min={today()}
              value={wall.date}
              error={is_past ? i18n.t('Choose a time in the future.') : undefined}
              onChange={({ currentTarget }) => setWall({ ...wall, date: currentTarget.value || wall.date })}
            />
            <TextField
              label={i18n.t('Time')}
              type="time"
              required
              value={wall.time}
              hint={zone === localZone() ? undefined : i18n.t('In {zone}', { zone: nameOfZone(zone) })}
              onChange={({ currentTarget }) => setWall({ ...wall, time: currentTarget.value || wall.time })}
            />
          </div>
          <RecurrenceField rule={rrule} day={wall.date} onChange={setRule} />
          <div className="form-end">
            <button type="submit" className="button primary full-width" aria-disabled={is_busy}>
              {action}
            </button>
          </div>
        </Form>
      </div>
    </Sheet>
  );
}
