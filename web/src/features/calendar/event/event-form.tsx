import { useState } from 'react';
import { useFieldsDraft } from '../../../data/storage/form-draft.ts';
import { AreaField, Form, TextField } from '../../../ui/form.tsx';
import { fieldProblems, formProblem } from '../../../ui/problems/problem.ts';
import { RestoredNotice } from '../../../ui/restored-notice.tsx';
import { Sheet } from '../../../ui/overlay/sheet/sheet.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { useCreateEvent, useEditEvent } from '../calendar-mutations.ts';
import type { Scope } from '../recurrence/series.ts';
import type { CalendarEvent, Span } from '../calendar-queries.ts';
import { listScopes } from '../event-text.ts';
import { LabelledSelect } from '../labelled-select.tsx';
import { isBackward, moveStart, toDraft } from './event-fields.ts';
import type { EventFields } from './event-fields.ts';
import { RecurrenceField } from '../recurrence/recurrence-field.tsx';
import { Reminders } from './reminders.tsx';
import { ZoneField } from '../recurrence/zone-field.tsx';
import { MAX_LENGTH } from '../../../generated/lengths.ts';
import { i18n } from '../../../i18n/i18n.ts';

interface PartProps {
  fields: EventFields;
  set: (change: Partial<EventFields>) => void;
  problems: Readonly<Record<string, string>>;
}

function WhenFields({ fields, set, problems }: PartProps) {
  return (
    <>
      <Switch label={i18n.t('All day')} on={fields.all_day} onSwitch={() => set({ all_day: !fields.all_day })} />
      <div className="cal-when">
        <TextField
          label={i18n.t('Starts')}
          type="date"
          required
          value={fields.from.date}
          error={problems['starts_at']}
          onChange={({ currentTarget }) =>
            set(moveStart(fields, { ...fields.from, date: currentTarget.value || fields.from.date }))
          }
        />
        {fields.all_day ? null : (
          <TextField
            label={i18n.t('Start time')}
            type="time"
            required
            value={fields.from.time}
            onChange={({ currentTarget }) =>
              set(moveStart(fields, { ...fields.from, time: currentTarget.value || fields.from.time }))
            }
          />
        )}
        <TextField
          label={i18n.t('Ends')}
          type="date"
          required
          value={fields.to.date}
          error={problems['ends_at']}
          onChange={({ currentTarget }) => set({ to: { ...fields.to, date: currentTarget.value || fields.to.date } })}
        />
        {fields.all_day ? null : (
          <TextField
            label={i18n.t('End time')}
            type="time"
            required
            value={fields.to.time}
            onChange={({ currentTarget }) => set({ to: { ...fields.to, time: currentTarget.value || fields.to.time } })}
          />
        )}
      </div>
      {fields.all_day ? null : (
        <ZoneField
          value={fields.timezone}
          onChange={({ currentTarget }) => set({ timezone: currentTarget.value })}
          error={problems['timezone']}
        />
      )}
    </>
  );
}

function MoreFields({ fields, set, problems }: PartProps) {
  return (
    <>
      <Switch
        label={i18n.t('Add a call')}
        hint={i18n.t('Everyone invited can join from 10 minutes before it starts.')}
        on={fields.call}
        onSwitch={() => set({ call: !fields.call })}
      />
      <TextField
        label={i18n.t('Place')}
        value={fields.location}
        maxLength={MAX_LENGTH.event_location}
        dir="auto"
        error={problems['location']}
        onChange={({ currentTarget }) => set({ location: currentTarget.value })}
      />
      <AreaField
        label={i18n.t('Notes')}
        value={fields.description}
        maxLength={MAX_LENGTH.event_description}
        rows={3}
        dir="auto"
        error={problems['description']}
        onChange={({ currentTarget }) => set({ description: currentTarget.value })}
      />
      <Reminders minutes={fields.reminders} onChange={(reminders) => set({ reminders })} />
    </>
  );
}

interface EventFormProps {
  start: EventFields;
  /** The edited event and occurrence; undefined for a new one. */
  edited?: { event: CalendarEvent; from: Span } | undefined;
  onClose: () => void;
  onSaved: (event: CalendarEvent) => void;
}

/** The fields of the form that show their own errors. */
const SHOWN = ['title', 'starts_at', 'ends_at', 'timezone', 'rrule', 'location', 'description'];

/** A sheet that creates or edits an event: this occurrence, this and all following, or the whole series. */
export function EventForm({ start, edited, onClose, onSaved }: EventFormProps) {
  const repeats = edited !== undefined && edited.event.rrule !== null;
  const name = ['event', edited?.event.id, repeats ? edited.from.starts_at : undefined].filter(Boolean).join(' ');
  const { fields, restored, set, reset, drop, dismiss } = useFieldsDraft(name, start, edited === undefined);
  const finish = (event: CalendarEvent) => {
    drop();
    onSaved(event);
  };
  const [scope, setScope] = useState<Scope>(repeats ? 'this' : 'all');
  const [was_sent, setSent] = useState(false);
  const create = useCreateEvent(finish);
  const change = useEditEvent(finish);
  const { error, isPending } = edited === undefined ? create : change;
  const problems: Readonly<Record<string, string>> = {
    ...fieldProblems(error),
    ...(was_sent && isBackward(fields) ? { ends_at: i18n.t('Choose an end after the start.') } : {}),
  };
  const save = () => {
    setSent(true);
    if (isPending || isBackward(fields)) return;
    const draft = toDraft(fields);
    if (edited === undefined) create.mutate(draft);
    else change.mutate({ ...edited, draft, scope });
  };
  return (
    <Sheet
      open
      onClose={onClose}
      title={edited === undefined ? i18n.t('New event') : i18n.t('Edit event')}
      width_px={520}
    >
      <Form problem={formProblem(error, SHOWN)} onSubmit={save} onDismissed={dismiss}>
        <RestoredNotice restored={restored} onDiscard={reset} />
        <TextField
          label={i18n.t('Title')}
          autoFocus
          required
          maxLength={MAX_LENGTH.event_title}
          dir="auto"
          value={fields.title}
          error={problems['title']}
          onChange={({ currentTarget }) => set({ title: currentTarget.value })}
        />
        {repeats ? (
          <LabelledSelect
            label={i18n.t('Change')}
            value={scope}
            options={listScopes()}
            onChange={(one) => setScope(one as Scope)}
          />
        ) : null}
        <WhenFields fields={fields} set={set} problems={problems} />
        {repeats && scope === 'this' ? null : (
          <RecurrenceField
            rule={fields.rrule}
            day={fields.from.date}
            onChange={(rrule) => set({ rrule })}
            error={problems['rrule']}
          />
        )}
        <MoreFields fields={fields} set={set} problems={problems} />
        <div className="form-end">
          <button type="submit" className="button primary full-width" aria-disabled={isPending}>
            {edited === undefined ? i18n.t('Create event') : i18n.t('Save')}
          </button>
        </div>
      </Form>
    </Sheet>
  );
}
