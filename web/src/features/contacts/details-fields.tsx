import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { SelectField, TextField } from '../../ui/form.tsx';
import { joinParts, partsOf } from './birthday.ts';
import type { DayOfBirth } from './birthday.ts';
import type { Contact } from '../../data/queries/contact-queries.ts';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';
import { locale } from '../../i18n/locale.ts';
import { capitalLabel } from './label-text.ts';

type Address = Contact['addresses'][number];
type Details = Pick<Contact, 'organization' | 'job_title' | 'birthday' | 'addresses'>;

const MAX_ADDRESSES = 20;
const LABELS = ['home', 'work', 'other'];
const PARTS = [
  {
    part: 'street',
    get label() {
      return i18n.t('Street');
    },
    autoComplete: 'off',
  },
  {
    part: 'postal_code',
    get label() {
      return i18n.t('Postal code');
    },
    autoComplete: 'off',
  },
  {
    part: 'locality',
    get label() {
      return i18n.t('City');
    },
    autoComplete: 'off',
  },
  {
    part: 'region',
    get label() {
      return i18n.t('State or region');
    },
    autoComplete: 'off',
  },
  {
    part: 'country',
    get label() {
      return i18n.t('Country');
    },
    autoComplete: 'off',
  },
] as const;
const BLANK: Address = { label: 'home', street: '', locality: '', region: '', postal_code: '', country: '' };
const listMonths = () =>
  Array.from({ length: 12 }, (_, at) =>
    new Date(Date.UTC(2000, at, 1)).toLocaleDateString(locale(), { month: 'long', timeZone: 'UTC' }),
  );

/** The form state of a contact's details, except phone numbers and e-mail addresses. @param contact the edited one */
export function useDetails(contact: Contact | undefined) {
  const [organization, setOrganization] = useState(contact?.organization ?? '');
  const [job_title, setJobTitle] = useState(contact?.job_title ?? '');
  const [birth, setBirth] = useState<DayOfBirth>(partsOf(contact?.birthday ?? null));
  const [addresses, setAddresses] = useState<readonly Address[]>(contact?.addresses ?? []);
  const isFilled = (one: Address) => PARTS.some(({ part }) => one[part].trim() !== '');
  const read = (): Details => ({
    organization,
    job_title,
    birthday: joinParts(birth),
    addresses: addresses.filter(isFilled),
  });
  return {
    organization,
    setOrganization,
    job_title,
    setJobTitle,
    birth,
    setBirth,
    addresses,
    setAddresses,
    read,
  };
}

type DetailsState = ReturnType<typeof useDetails>;

function Birthday({
  birth,
  onChange,
  error,
}: {
  birth: DayOfBirth;
  onChange: (birth: DayOfBirth) => void;
  error: string | undefined;
}) {
  return (
    <fieldset className="birthday">
      <legend>{i18n.t('Birthday')}</legend>
      <TextField
        label={i18n.t('Day')}
        inputMode="numeric"
        maxLength={2}
        value={birth.day}
        onChange={({ currentTarget }) => onChange({ ...birth, day: currentTarget.value.replaceAll(/\D/g, '') })}
      />
      <SelectField
        label={i18n.t('Month')}
        value={birth.month}
        onChange={({ currentTarget }) => onChange({ ...birth, month: currentTarget.value })}
      >
        <option value="">–</option>
        {listMonths().map((month, at) => (
          <option key={month} value={String(at + 1)}>
            {month}
          </option>
        ))}
      </SelectField>
      <TextField
        label={i18n.t('Year, if known')}
        inputMode="numeric"
        maxLength={4}
        value={birth.year}
        onChange={({ currentTarget }) => onChange({ ...birth, year: currentTarget.value.replaceAll(/\D/g, '') })}
      />
      {error === undefined ? null : (
        <p className="field-error" role="alert">
          {i18n.t('This isn’t a valid date.')}
        </p>
      )}
    </fieldset>
  );
}

interface AddressFieldsProps {
  address: Address;
  at: number;
  onChange: (address: Address) => void;
  onRemove: () => void;
}

function AddressFields({ address, at, onChange, onRemove }: AddressFieldsProps) {
  const labels = LABELS.includes(address.label) ? LABELS : [address.label, ...LABELS];
  return (
    <fieldset className="address">
      <legend>{i18n.t('Address {number}', { number: at + 1 })}</legend>
      <div className="cluster">
        <SelectField
          label={i18n.t('Kind')}
          value={address.label}
          onChange={({ currentTarget }) => onChange({ ...address, label: currentTarget.value })}
        >
          {labels.map((label) => (
            <option key={label} value={label}>
              {capitalLabel(label)}
            </option>
          ))}
        </SelectField>
        <button type="button" className="icon-button" onClick={onRemove}>
          <X aria-hidden="true" />
          <span className="visually-hidden">{i18n.t('Remove address {number}', { number: at + 1 })}</span>
        </button>
      </div>
      {PARTS.map(({ part, ...field }) => (
        <TextField
          key={part}
          {...field}
          maxLength={MAX_LENGTH.address_part}
          value={address[part]}
          onChange={({ currentTarget }) => onChange({ ...address, [part]: currentTarget.value })}
        />
      ))}
    </fieldset>
  );
}

interface DetailsFieldsProps {
  details: DetailsState;
  problems: Readonly<Record<string, string>>;
}

/** Work, postal addresses and birthday; collapsed unless opened or not empty. */
export function DetailsFields({ details, problems }: DetailsFieldsProps) {
  const { organization, job_title, birth, addresses, setAddresses } = details;
  const [is_open] = useState(() => organization + job_title !== '' || birth.day !== '' || addresses.length > 0);
  const change = (at: number, next: Address) => setAddresses(addresses.with(at, next));
  return (
    <details className="more-fields" open={is_open}>
      <summary>{i18n.t('Work, birthday and addresses')}</summary>
      <div className="stack">
        <TextField
          label={i18n.t('Organisation')}
          maxLength={MAX_LENGTH.organization}
          value={organization}
          onChange={({ currentTarget }) => details.setOrganization(currentTarget.value)}
        />
        <TextField
          label={i18n.t('Job title')}
          maxLength={MAX_LENGTH.job_title}
          value={job_title}
          onChange={({ currentTarget }) => details.setJobTitle(currentTarget.value)}
        />
        <Birthday birth={birth} onChange={details.setBirth} error={problems['birthday']} />
        {addresses.map((address, at) => (
          <AddressFields
            // An address has no other key than its position.
            key={at}
            address={address}
            at={at}
            onChange={(next) => change(at, next)}
            onRemove={() => setAddresses(addresses.toSpliced(at, 1))}
          />
        ))}
        {addresses.length >= MAX_ADDRESSES ? null : (
          <button type="button" className="button quiet small" onClick={() => setAddresses([...addresses, BLANK])}>
            <Plus aria-hidden="true" />
            {i18n.t('Add address')}
          </button>
        )}
      </div>
    </details>
  );
}
