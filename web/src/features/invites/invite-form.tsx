import { useState } from 'react';
import { AreaField, Form, readText, TextField } from '../../ui/form.tsx';
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

function RecipientField({ channel, error }: { channel: Channel; error: string | undefined }) {
  return channel === 'email' ? (
    <TextField key="email" label={i18n.t('E-mail')} name="to" type="email" required error={error} />
  ) : (
    <TextField
      key="sms"
      label={i18n.t('Mobile number')}
      name="to"
      type="tel"
      required
      placeholder="+15551234567"
      hint={i18n.t('With the country code, starting with +.')}
      error={error}
    />
  );
}

/** Sends an invite by e-mail or text message. */
export function InviteForm() {
  const [channel, setChannel] = useState<Channel>('email');
  const create = useCreateInvite();
  const problems = fieldProblems(create.error);
  const send = (data: FormData, form: HTMLFormElement) => {
    if (create.isPending) return;
    const typed = readText(data, 'to');
    const to = channel === 'sms' ? typed.replace(/[\s()-]/g, '') : typed;
    const message = readText(data, 'message');
    create.mutate(
      { channel, to, ...(message === '' ? {} : { message }) },
      {
        onSuccess: () => {
          form.reset();
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
              setChannel(name);
              create.reset();
            }}
          >
            {CHANNELS[name]}
          </button>
        ))}
      </div>
      <Form problem={formProblem(create.error, ['to', 'message'])} onSubmit={send}>
        <RecipientField channel={channel} error={problems['to']} />
        <AreaField
          label={i18n.t('Personal message')}
          name="message"
          rows={2}
          dir="auto"
          maxLength={MAX_LENGTH.invite_message}
          hint={i18n.t('Optional. It is shown in the invite.')}
          error={problems['message']}
        />
        <button type="submit" className="button primary" aria-disabled={create.isPending}>
          {i18n.t('Invite')}
        </button>
      </Form>
    </section>
  );
}
