import type { Input } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { sdk } from '../../asterism.ts';
import { AreaField, Form, readText, TextField } from '../../ui/form.tsx';
import { fieldProblems, formProblem } from '../../ui/problems/problem.ts';
import { contactsKey, type Contact } from '../../data/queries/contact-queries.ts';
import { DetailsFields, useDetails } from './details-fields.tsx';
import { useValues, ValueFields } from './value-fields.tsx';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';

type Draft = Input<'contacts', 'createContact'>['body'];

const PHONE_LABELS = ['mobile', 'home', 'work', 'other'];
const EMAIL_LABELS = ['home', 'work', 'other'];

function readTexts(data: FormData): Pick<Draft, 'name' | 'tag_name' | 'note'> {
  const tag_name = readText(data, 'tag_name').replace(/^\*/, '').toLowerCase();
  return { name: readText(data, 'name'), tag_name: tag_name === '' ? null : tag_name, note: readText(data, 'note') };
}

const SHOWN = ['name', 'tag_name', 'note'];

type ValuesProps = Pick<ComponentProps<typeof ValueFields>, 'values' | 'problems'>;

function PhoneFields(props: ValuesProps) {
  return (
    <ValueFields
      {...props}
      legend={i18n.t('Phone numbers')}
      name="phones"
      nameRow={(number) => (number === 1 ? i18n.t('Phone number') : i18n.t('Phone number {number}', { number }))}
      nameRemove={(number) => i18n.t('Remove phone number {number}', { number })}
      add_label={i18n.t('Add phone number')}
      hint={i18n.t('The first is used for calls.')}
      field={{ type: 'tel' }}
    />
  );
}

function EmailFields(props: ValuesProps) {
  return (
    <ValueFields
      {...props}
      legend={i18n.t('E-mail addresses')}
      name="emails"
      nameRow={(number) => (number === 1 ? i18n.t('E-mail address') : i18n.t('E-mail address {number}', { number }))}
      nameRemove={(number) => i18n.t('Remove e-mail address {number}', { number })}
      add_label={i18n.t('Add e-mail address')}
      field={{ inputMode: 'email', autoCapitalize: 'none' }}
    />
  );
}

/** Creates or edits a contact. */
export function ContactForm({ contact, onSaved }: { contact?: Contact; onSaved: () => void }) {
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (body: Draft) =>
      contact === undefined
        ? sdk.contacts.createContact({ body })
        : sdk.contacts.editContact({ path: { contact_id: contact.id }, body }),
    onSuccess: async () => {
      onSaved();
      await queries.invalidateQueries({ queryKey: contactsKey });
    },
  });
  const phones = useValues(contact?.phones.map(({ label, number }) => ({ label, value: number })) ?? [], PHONE_LABELS);
  const emails = useValues(
    contact?.emails.map(({ label, address }) => ({ label, value: address })) ?? [],
    EMAIL_LABELS,
  );
  const details = useDetails(contact);
  const problems = fieldProblems(save.error);
  const of_lines = Object.keys(problems).filter((key) => /^(phones|emails|birthday)/.test(key));
  return (
    <Form
      problem={formProblem(save.error, [...SHOWN, ...of_lines])}
      onSubmit={(data) =>
        save.mutate({
          ...readTexts(data),
          phones: phones.read().map(({ label, value }) => ({ label, number: value })),
          emails: emails.read().map(({ label, value }) => ({ label, address: value })),
          ...details.read(),
        })
      }
    >
      <TextField
        label={i18n.t('Name')}
        name="name"
        defaultValue={contact?.name}
        maxLength={MAX_LENGTH.contact_name}
        required
        error={problems['name']}
      />
      <PhoneFields values={phones} problems={problems} />
      <EmailFields values={emails} problems={problems} />
      <TextField
        label={i18n.t('Tag')}
        name="tag_name"
        prefix={<span className="sigil">*</span>}
        defaultValue={contact?.tag_name ?? ''}
        autoCapitalize="none"
        spellCheck={false}
        error={problems['tag_name']}
      />
      <DetailsFields details={details} problems={problems} />
      <AreaField label={i18n.t('Note')} name="note" rows={2} defaultValue={contact?.note} error={problems['note']} />
      <div className="form-end">
        <button type="submit" className="button primary full-width" aria-disabled={save.isPending}>
          {contact === undefined ? i18n.t('Add contact') : i18n.t('Save')}
        </button>
      </div>
    </Form>
  );
}
