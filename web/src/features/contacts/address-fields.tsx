import { X } from 'lucide-react';
import { SelectField, TextField } from '../../ui/form.tsx';
import type { Contact } from '../../data/queries/contact-queries.ts';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';
import { capitalLabel } from './label-text.ts';

/** A postal address of a contact. */
export type PostalAddress = Contact['addresses'][number];

const LABELS = ['home', 'work', 'other'];

/** The fields of a postal address, in the order of the form. */
export const ADDRESS_PARTS = [
  {
    part: 'street',
    get label() {
      return i18n.t('Street');
    },
  },
  {
    part: 'postal_code',
    get label() {
      return i18n.t('Postal code');
    },
  },
  {
    part: 'locality',
    get label() {
      return i18n.t('City');
    },
  },
  {
    part: 'region',
    get label() {
      return i18n.t('State or region');
    },
  },
  {
    part: 'country',
    get label() {
      return i18n.t('Country');
    },
  },
] as const;

/** A new address without content. */
export const BLANK_ADDRESS: PostalAddress = {
  label: 'home',
  street: '',
  locality: '',
  region: '',
  postal_code: '',
  country: '',
};

interface AddressFieldsProps {
  address: PostalAddress;
  at: number;
  onChange: (address: PostalAddress) => void;
  onRemove: () => void;
}

/** The fields of one postal address of a contact. */
export function AddressFields({ address, at, onChange, onRemove }: AddressFieldsProps) {
  const labels = LABELS.includes(address.label) ? LABELS : [address.label, ...LABELS];
  return (
    <fieldset className="address">
      <legend>{i18n.t('Address {number}', { number: at + 1 })}</legend>
      <div className="cluster">
        <SelectField
          label={i18n.t('Type')}
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
      {ADDRESS_PARTS.map(({ part, label }) => (
        <TextField
          key={part}
          label={label}
          autoComplete="off"
          maxLength={MAX_LENGTH.address_part}
          value={address[part]}
          onChange={({ currentTarget }) => onChange({ ...address, [part]: currentTarget.value })}
        />
      ))}
    </fieldset>
  );
}
