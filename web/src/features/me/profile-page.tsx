import type { Input } from '@asterism/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sdk } from '../../asterism.ts';
import { useFormDraft } from '../../data/storage/form-draft.ts';
import { AreaField, readText, SelectField, TextField } from '../../ui/form.tsx';
import { DraftForm, type NamedTexts } from '../../ui/draft-form.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { fieldProblems, formProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { Switch } from '../../ui/switch.tsx';
import { AvatarForm } from './avatar-form.tsx';
import { ZoneField } from '../calendar/recurrence/zone-field.tsx';
import { meQuery, useMe } from '../../data/queries/me-query.ts';
import type { Me } from '../../data/queries/me-query.ts';
import { useToggleSetting } from './use-toggle-setting.ts';
import { i18n } from '../../i18n/i18n.ts';
import { LanguageSetting } from './language-setting.tsx';

type Changes = NonNullable<Input<'me', 'updateMe'>['body']>;
type Policy = Me['reach']['message'];

const REACH = [
  {
    name: 'message',
    get label() {
      return i18n.t('Who may message you');
    },
  },
  {
    name: 'call',
    get label() {
      return i18n.t('Who may call you');
    },
  },
  {
    name: 'add',
    get label() {
      return i18n.t('Who may add you to groups');
    },
  },
  {
    name: 'find',
    get label() {
      return i18n.t('Who may find you');
    },
    get hint() {
      return i18n.t('By your username, number or e-mail.');
    },
  },
] as const;

const POLICIES: readonly { value: Policy; label: string }[] = [
  {
    value: 'everyone',
    get label() {
      return i18n.t('Everyone');
    },
  },
  {
    value: 'contacts',
    get label() {
      return i18n.t('Your contacts');
    },
  },
  {
    value: 'mutual',
    get label() {
      return i18n.t('People who follow you and whom you follow');
    },
  },
  {
    value: 'none',
    get label() {
      return i18n.t('No one');
    },
  },
];

const SHOWN = ['display_name', 'bio', 'timezone', 'reach'];

function readChanges(data: FormData): Changes {
  const policy = (name: string) => readText(data, name) as Policy;
  return {
    display_name: readText(data, 'display_name'),
    bio: readText(data, 'bio'),
    timezone: readText(data, 'timezone'),
    reach: { message: policy('message'), call: policy('call'), add: policy('add'), find: policy('find') },
  };
}

function ProfileForm({ me }: { me: Me }) {
  const queries = useQueryClient();
  const draft = useFormDraft<NamedTexts>('profile');
  const update = useMutation({
    mutationFn: (body: Changes) => sdk.me.updateMe({ body }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: meQuery.queryKey });
      draft.drop();
      showToast(i18n.t('Saved.'));
    },
  });
  const problems = fieldProblems(update.error);
  return (
    <DraftForm
      draft={draft}
      className="card"
      problem={formProblem(update.error, SHOWN)}
      onSubmit={(data) => update.mutate(readChanges(data))}
    >
      <h2>{i18n.t('About you')}</h2>
      <TextField
        label={i18n.t('Display name')}
        name="display_name"
        defaultValue={me.display_name ?? ''}
        autoComplete="name"
        error={problems['display_name']}
        hint={i18n.t('Your username is @{username}.', { username: me.username })}
      />
      <AreaField label={i18n.t('Bio')} name="bio" defaultValue={me.bio ?? ''} error={problems['bio']} />
      <ZoneField name="timezone" defaultValue={me.timezone} error={problems['timezone']} />
      <h2>{i18n.t('Who may reach you')}</h2>
      <div className="form-grid">
        {REACH.map(({ name, label, ...more }) => (
          <SelectField
            key={name}
            label={label}
            name={name}
            defaultValue={me.reach[name]}
            error={problems['reach']}
            {...more}
          >
            {POLICIES.map(({ value, label: words }) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </SelectField>
        ))}
      </div>
      <button type="submit" className="button primary" disabled={update.isPending}>
        {i18n.t('Save')}
      </button>
    </DraftForm>
  );
}

function Privacy({ me }: { me: Me }) {
  const update = useToggleSetting();
  return (
    <section className="card" aria-labelledby="privacy-heading">
      <h2 id="privacy-heading">{i18n.t('In chats')}</h2>
      <Switch
        label={i18n.t('Read receipts')}
        hint={i18n.t('When off, no one sees what you have read, and you don’t see what they have read.')}
        on={me.read_receipts}
        onSwitch={() => update.mutate({ read_receipts: !me.read_receipts })}
      />
      <Switch
        label={i18n.t('Last seen')}
        hint={i18n.t(
          'When off, no one sees when you were last online, and you don’t see when they were. Otherwise, only people you follow who follow you back see it.',
        )}
        on={me.last_seen}
        onSwitch={() => update.mutate({ last_seen: !me.last_seen })}
      />
    </section>
  );
}

/** Name, picture, time zone and reach. */
export function ProfilePage() {
  const me = useMe();
  if (me === undefined) return <Skeleton rows={5} what={i18n.t('Loading your profile')} />;
  return (
    <>
      <AvatarForm me={me} />
      <ProfileForm key={me.id} me={me} />
      <Privacy me={me} />
      <LanguageSetting me={me} />
    </>
  );
}
