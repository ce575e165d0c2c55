import { Link } from '@tanstack/react-router';
import { Mail, Phone, Voicemail } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatPhone } from '../../i18n/phone-number.ts';
import { useListBeside } from '../../ui/hooks/use-list-beside.ts';
import { useStartCall } from '../../data/start-call.ts';
import { describeBirthday } from './birthday.ts';
import { type Contact } from '../../data/queries/contact-queries.ts';
import { i18n } from '../../i18n/i18n.ts';
import { nameOfLabel } from './label-text.ts';
import { formatAddress } from './postal-address.ts';

/** One detail of a contact. @param action a button or link for it */
function Field({ kind, value, action }: { kind: string; value: ReactNode; action?: ReactNode }) {
  return (
    <li className="contact-field">
      <div>
        <p className="kind">{kind}</p>
        <p className="value" dir="auto">
          {value}
        </p>
      </div>
      {action}
    </li>
  );
}

function CallNumber({ number }: { number: string }) {
  const call = useStartCall('audio');
  return (
    <button
      type="button"
      className="icon-button"
      disabled={call.isPending}
      onClick={() => call.mutate([{ phone: number }])}
    >
      <Phone aria-hidden="true" />
      <span className="visually-hidden">{i18n.t('Call {number}', { number: formatPhone(number) })}</span>
    </button>
  );
}

function Account({ user, name }: { user: NonNullable<Contact['user']>; name: string }) {
  const beside = useListBeside();
  return (
    <Field
      kind={i18n.t('On Asterism')}
      value={
        <Link to="/u/$userId" params={{ userId: user.id }} state={beside}>
          <bdi>@{user.username}</bdi>
        </Link>
      }
      action={
        <Link to="/videomail/$handle" params={{ handle: user.username }} className="icon-button">
          <Voicemail aria-hidden="true" />
          <span className="visually-hidden">{i18n.t('Send {name} a videomail', { name })}</span>
        </Link>
      }
    />
  );
}

/** The numbers, addresses and other details of a contact, each with what can be done with it. */
export function ContactDetails({ contact }: { contact: Contact }) {
  const beside = useListBeside();
  const { name, user, phones, emails, tag_name, im, note, birthday, addresses } = contact;
  const work = [contact.job_title, contact.organization].filter(Boolean).join(', ');
  return (
    <ul className="person-card" aria-labelledby="details-heading">
      {user === null ? null : <Account user={user} name={name} />}
      {phones.map(({ label, number }) => (
        <Field
          key={number}
          kind={nameOfLabel(label) || i18n.t('Phone')}
          value={formatPhone(number)}
          action={<CallNumber number={number} />}
        />
      ))}
      {emails.map(({ label, address }) => (
        <Field
          key={address}
          kind={nameOfLabel(label) || i18n.t('E-mail')}
          value={address}
          action={
            <a href={`mailto:${encodeURIComponent(address)}`} className="icon-button">
              <Mail aria-hidden="true" />
              <span className="visually-hidden">{i18n.t('E-mail {address}', { address })}</span>
            </a>
          }
        />
      ))}
      {tag_name === null ? null : (
        <Field
          kind={i18n.t('Tag')}
          value={
            <Link to="/t/$name" params={{ name: tag_name }} state={beside}>
              <bdi>*{tag_name}</bdi>
            </Link>
          }
        />
      )}
      {im.map(({ network, handle }) => (
        <Field key={`${network} ${handle}`} kind={network} value={handle} />
      ))}
      {work === '' ? null : <Field kind={i18n.t('Work')} value={work} />}
      {birthday === null ? null : <Field kind={i18n.t('Birthday')} value={describeBirthday(birthday, new Date())} />}
      {addresses.map((address, at) => (
        <Field
          key={at}
          kind={i18n.t('Address, {label}', { label: nameOfLabel(address.label) })}
          value={formatAddress(address)}
        />
      ))}
      {note === '' ? null : <Field kind={i18n.t('Note')} value={note} />}
    </ul>
  );
}
