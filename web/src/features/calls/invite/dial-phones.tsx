import type { Call } from '@asterism/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Phone, PhoneOff, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { sdk } from '../../../asterism.ts';
import { Form, readText, TextField } from '../../../ui/form.tsx';
import { formatPhone } from '../../../i18n/phone-number.ts';
import { describeProblem, fieldProblems, formProblem } from '../../../ui/problems/problem.ts';
import { cacheCall } from '../../../data/queries/call-queries.ts';
import { describeLeg, isOver } from '../state/phone-text.ts';
import { isPhone } from '../state/media-identity.ts';
import { mayRingAgain, mayCancelRing, useRingAgain, useRemoveParticipant } from '../state/ring-mutations.ts';
import type { CallParticipant } from '../state/ring-mutations.ts';
import { MAX_LENGTH } from '../../../generated/lengths.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { mobileQuery } from '../../../data/queries/me-query.ts';

/** Rings a phone into the call by its number. */
export function DialNumber({ call }: { call: Call }) {
  const queries = useQueryClient();
  const dial = useMutation({
    mutationFn: ({ number, name }: { number: string; name: string }) =>
      sdk.calls.bridgePhone({ body: { number, ...(name === '' ? {} : { name }) } }),
    onSuccess: (changed) => cacheCall(queries, changed),
  });
  const problems = fieldProblems(dial.error);
  return (
    <Form
      problem={formProblem(dial.error, ['number', 'name'])}
      onSubmit={(data, form) => {
        const wanted = { number: readText(data, 'number'), name: readText(data, 'name') };
        dial.mutate(wanted, { onSuccess: () => form.reset() });
      }}
    >
      <TextField
        label={i18n.t('Phone number')}
        name="number"
        type="tel"
        inputMode="tel"
        autoComplete="off"
        placeholder="+44 20 7946 0000"
        hint={i18n.t('With the country code, starting with +. The minutes count towards your plan.')}
        error={problems['number']}
        maxLength={MAX_LENGTH.phone_number}
        required
      />
      <TextField
        label={i18n.t('Name')}
        name="name"
        autoComplete="off"
        hint={i18n.t('Shown to the others instead of the number.')}
        error={problems['name']}
        maxLength={MAX_LENGTH.dialled_name}
      />
      <div className="form-end">
        <button type="submit" className="button primary full-width" disabled={dial.isPending || call.state === 'ended'}>
          <Phone aria-hidden="true" />
          {i18n.t('Call this number')}
        </button>
      </div>
    </Form>
  );
}

function Leg({ who }: { who: CallParticipant }) {
  const again = useRingAgain();
  const away = useRemoveParticipant();
  const state = who.leg?.state;
  if (state === undefined) return null;
  return (
    <li>
      <div className="list-main">
        <p dir="auto">{formatPhone(who.name)}</p>
        <p className="soft small">{who.phone === null ? null : formatPhone(who.phone)}</p>
      </div>
      <span className="small" role="status">
        {describeLeg(state)}
      </span>
      {isOver(state) && mayRingAgain(who) ? (
        <button type="button" className="icon-button" disabled={again.isPending} onClick={() => again.mutate(who)}>
          <Phone aria-hidden="true" />
          <span className="visually-hidden">{i18n.t('Ring {name} again', { name: who.name })}</span>
        </button>
      ) : null}
      {!isOver(state) && mayCancelRing(who, false) ? (
        <button type="button" className="icon-button" disabled={away.isPending} onClick={() => away.mutate(who)}>
          <PhoneOff aria-hidden="true" />
          <span className="visually-hidden">{i18n.t('Hang up {name}', { name: who.name })}</span>
        </button>
      ) : null}
    </li>
  );
}

/** The phones of the call, with their states. */
export function PhoneLegs({ call }: { call: Call }) {
  const phones = call.participants.filter((one) => isPhone(one) && one.leg !== null);
  if (phones.length === 0) return null;
  return (
    <ul className="list dial-legs" aria-label={i18n.t('Phones in this call')}>
      {phones.map((who) => (
        <Leg key={who.id} who={who} />
      ))}
    </ul>
  );
}

/** Rings the reader's own phone, so that they talk over it. */
export function CallMe({ call, user_id }: { call: Call; user_id: string | undefined }) {
  const queries = useQueryClient();
  const mobile = useQuery(mobileQuery);
  const leg = call.participants.find(({ user }) => user?.id === user_id)?.leg ?? null;
  const [asked, setAsked] = useState(false);
  const ring = useMutation({
    mutationFn: () => sdk.calls.callMe({ path: { join_code: call.join_code }, body: {} }),
    onSuccess: (changed) => {
      setAsked(true);
      cacheCall(queries, changed);
    },
  });
  const goes_on = leg !== null && !isOver(leg.state);
  return (
    <section className="stack-small" aria-label={i18n.t('Your phone')}>
      <h3>{i18n.t('Call my phone')}</h3>
      <p className="soft small">
        {i18n.t('We will call {number}. When you answer, mute yourself here, so that you aren’t heard twice.', {
          number: mobile.data?.mobile_number ? formatPhone(mobile.data.mobile_number) : i18n.t('your verified number'),
        })}
      </p>
      <p role="status">{leg === null ? '' : describeLeg(leg.state)}</p>
      {ring.isError ? (
        <p className="field-error" role="alert">
          {describeProblem(ring.error)}
        </p>
      ) : null}
      <button type="button" className="button quiet" disabled={ring.isPending || goes_on} onClick={() => ring.mutate()}>
        <Smartphone aria-hidden="true" />
        {asked && leg !== null && !goes_on ? i18n.t('Call my phone again') : i18n.t('Call my phone')}
      </button>
    </section>
  );
}

const inGroups = (digits: string) => digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ');

/** The dial-in number and PIN, for people with a phone only. */
export function DialIn({ dial_in }: { dial_in: Call['dial_in'] }) {
  return (
    <section className="stack-small" aria-label={i18n.t('Dial in')}>
      <h3>{i18n.t('Dial in from any phone')}</h3>
      {dial_in === null ? (
        <p className="soft small">{i18n.t('This service has no number to dial. Call the phone from here instead.')}</p>
      ) : (
        <dl className="dial-in">
          <dt>{i18n.t('Number')}</dt>
          <dd>
            <a href={`tel:${dial_in.number}`}>{formatPhone(dial_in.number)}</a>
          </dd>
          <dt>{i18n.t('PIN')}</dt>
          <dd>{inGroups(dial_in.pin)}</dd>
        </dl>
      )}
    </section>
  );
}
