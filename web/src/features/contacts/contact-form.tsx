import type { Input } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { AreaField, Form, readText, TextField } from '../../ui/form.tsx';
import { fieldProblems, formProblem } from '../../ui/problems/problem.ts';
import { contactsKey, type Contact } from '../../data/queries/contact-queries.ts';
import { DetailsFields, useDetails } from './details-fields.tsx';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';

type Draft = Input<'contacts', 'createContact'>['body'];

/** One value per line; a line that is unchanged keeps its other data. */
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function readDraft(data: FormData, before: Contact | undefined): Draft {
  const labelOf = (number: string) => before?.phones.find((phone) => phone.number === number)?.label ?? 'mobile';
  const labelled = (address: string) => before?.emails.find((email) => email.address === address)?.label ?? 'home';
  const tag_name = readText(data, 'tag_name').replace(/^\*/, '').toLowerCase();
  return {
    name: readText(data, 'name'),
    phones: linesOf(readText(data, 'phones')).map((number) => ({ label: labelOf(number), number })),
    emails: linesOf(readText(data, 'emails')).map((address) => ({ label: labelled(address), address })),
    tag_name: tag_name === '' ? null : tag_name,
    note: readText(data, 'note'),
  };
}

/** The service names fields as `phones.0.number`; the form has one input for all of them. */
function problemsOfField(problems: Readonly<Record<string, string>>, field: string): string | undefined {
  const name = Object.keys(problems).find((key) => key === field || key.startsWith(`${field}.`));
  if (name === undefined) return undefined;
  const line = /\.(\d+)/.exec(name)?.[1];
  return line === undefined
    ? problems[name]
    : i18n.t('Line {line} {problem}.', { line: Number(line) + 1, problem: problems[name] });
}

const SHOWN = ['name', 'tag_name', 'note'];

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
  const details = useDetails(contact);
  const problems = fieldProblems(save.error);
  const of_lines = Object.keys(problems).filter((key) => /^(phones|emails|birthday)/.test(key));
  return (
    <Form
      problem={formProblem(save.error, [...SHOWN, ...of_lines])}
      onSubmit={(data) => save.mutate({ ...readDraft(data, contact), ...details.read() })}
    >
      <TextField
        label={i18n.t('Name')}
        name="name"
        defaultValue={contact?.name}
        maxLength={MAX_LENGTH.contact_name}
        required
        error={problems['name']}
      />
      <AreaField
        label={i18n.t('Phone numbers')}
        name="phones"
        rows={2}
        hint={i18n.t('One per line. The first is used for calls.')}
        inputMode="tel"
        defaultValue={contact?.phones.map(({ number }) => number).join('\n')}
        error={problemsOfField(problems, 'phones')}
      />
      <AreaField
        label={i18n.t('E-mail addresses')}
        name="emails"
        rows={2}
        hint={i18n.t('One per line.')}
        inputMode="email"
        autoCapitalize="none"
        defaultValue={contact?.emails.map(({ address }) => address).join('\n')}
        error={problemsOfField(problems, 'emails')}
      />
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
      <button type="submit" className="button primary" aria-disabled={save.isPending}>
        {contact === undefined ? i18n.t('Add contact') : i18n.t('Save')}
      </button>
    </Form>
  );
}
