import { Plus } from 'lucide-react';
import { useState } from 'react';
import { TextField } from '../../ui/form.tsx';
import { joinParts, partsOf } from './birthday.ts';
import type { DayOfBirth } from './birthday.ts';
import type { Contact } from '../../data/queries/contact-queries.ts';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';
import { ADDRESS_PARTS, BLANK_ADDRESS, AddressFields } from './address-fields.tsx';
import type { PostalAddress } from './address-fields.tsx';
import { BirthdayField } from './birthday-field.tsx';

type Details = Pick<Contact, 'organization' | 'job_title' | 'birthday' | 'addresses'>;

const MAX_ADDRESSES = 20;

/** The form state of a contact's details, except phone numbers and e-mail addresses. @param before those of the edited contact */
export function useDetails(before: Partial<Details> | undefined) {
  const [organization, setOrganization] = useState(before?.organization ?? '');
  const [job_title, setJobTitle] = useState(before?.job_title ?? '');
  const [birth, setBirth] = useState<DayOfBirth>(partsOf(before?.birthday ?? null));
  const [addresses, setAddresses] = useState<readonly PostalAddress[]>(before?.addresses ?? []);
  const isFilled = (one: PostalAddress) => ADDRESS_PARTS.some(({ part }) => one[part].trim() !== '');
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

interface DetailsFieldsProps {
  details: DetailsState;
  problems: Readonly<Record<string, string>>;
}

/** Work, postal addresses and birthday; collapsed unless opened or not empty. */
export function DetailsFields({ details, problems }: DetailsFieldsProps) {
  const { organization, job_title, birth, addresses, setAddresses } = details;
  const [is_open] = useState(() => organization + job_title !== '' || birth.day !== '' || addresses.length > 0);
  const change = (at: number, next: PostalAddress) => setAddresses(addresses.with(at, next));
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
        <BirthdayField birth={birth} onChange={details.setBirth} error={problems['birthday']} />
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
          <button
            type="button"
            className="button quiet small"
            onClick={() => setAddresses([...addresses, BLANK_ADDRESS])}
          >
            <Plus aria-hidden="true" />
            {i18n.t('Add address')}
          </button>
        )}
      </div>
    </details>
  );
}
