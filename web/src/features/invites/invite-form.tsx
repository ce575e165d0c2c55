import type { ChangeEvent } from 'react';
import { useFieldsDraft } from '../../data/storage/form-draft.ts';
import { RestoredNotice } from '../../ui/restored-notice.tsx';
import { AreaField, Form, TextField } from '../../ui/form.tsx';
import { formatPhone } from '../../i18n/phone-number.ts';
import { fieldProblems, formProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { useCreateInvite } from './invite-queries.ts';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';

const CHANNELS = {
  get email() {
    return i18n.t('E-mail');
  },
  get sms() {
    return i18n.t('Text message');
  },
} as const;
type Channel = keyof typeof CHANNELS;

const EMPTY: { channel: Channel; to: string; message: string } = { channel: 'email', to: '', message: '' };

interface RecipientProps {
  channel: Channel;
  to: string;
  error: string | undefined;
  onChange: (to: string) => void;
}

function RecipientField({ channel, to, error, onChange }: RecipientProps) {
  const field = {
    name: 'to',
    required: true,
    value: to,
    error,
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => onChange(currentTarget.value),
  };
  return channel === 'email' ? (
    <TextField key="email" label={i18n.t('E-mail')} type="email" {...field} />
  ) : (
    <TextField
      key="sms"
      label={i18n.t('Mobile number')}
      type="tel"
      placeholder="+15551234567"
      hint={i18n.t('With the country code, starting with +.')}
      {...field}
    />
  );
}

/** Sends an invite by e-mail or text message. */
export function InviteForm() {
  const { fields, restored, set, reset } = useFieldsDraft('invite', EMPTY);
  const { channel, message } = fields;
  const create = useCreateInvite();
  const problems = fieldProblems(create.error);
  const send = () => {
    if (create.isPending) return;
    const typed = fields.to.trim();
    const to = channel === 'sms' ? typed.replace(/[\s()-]/g, '') : typed;
    create.mutate(
      { channel, to, ...(message.trim() === '' ? {} : { message: message.trim() }) },
      {
        onSuccess: () => {
          reset();
          showToast(i18n.t('{to} is invited.', { to: formatPhone(to) }));
        },
      },
    );
  };
  return (
    <section className="card" aria-labelledby="invite-heading">
      <h2 id="invite-heading" className="visually-hidden">
        {i18n.t('Send an invite')}
      </h2>
      <div className="seg" role="group" aria-label={i18n.t('Send by')}>
        {(Object.keys(CHANNELS) as Channel[]).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === channel}
            onClick={() => {
              set({ channel: name, to: '' });
              create.reset();
            }}
          >
            {CHANNELS[name]}
          </button>
        ))}
      </div>
      <Form problem={formProblem(create.error, ['to', 'message'])} onSubmit={send}>
        <RestoredNotice restored={restored} onDiscard={reset} />
        <RecipientField channel={channel} to={fields.to} error={problems['to']} onChange={(to) => set({ to })} />
        <AreaField
          label={i18n.t('Personal message')}
          name="message"
          rows={2}
          dir="auto"
          maxLength={MAX_LENGTH.invite_message}
          hint={i18n.t('Optional. It is shown in the invite.')}
          error={problems['message']}
          value={message}
          onChange={({ currentTarget }) => set({ message: currentTarget.value })}
        />
        <button type="submit" className="button primary" aria-disabled={create.isPending}>
          {i18n.t('Invite')}
        </button>
      </Form>
    </section>
  );
}
