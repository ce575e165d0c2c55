import { useState } from 'react';
import { AreaField, Form, readText, TextField } from '../../ui/form.tsx';
import { fieldProblems, formProblem } from '../../ui/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { useCreateInvite } from './invite-queries.ts';

const CHANNELS = { email: 'E-mail', sms: 'Text message' } as const;
type Channel = keyof typeof CHANNELS;

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
          showToast(`${to} is invited.`);
        },
      },
    );
  };
  return (
    <section className="card" aria-labelledby="invite-heading">
      <h2 id="invite-heading">Send an invite</h2>
      <div className="seg" role="group" aria-label="How">
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
        {channel === 'email' ? (
          <TextField key="email" label="E-mail" name="to" type="email" required error={problems['to']} />
        ) : (
          <TextField
            key="sms"
            label="Mobile number"
            name="to"
            type="tel"
            required
            placeholder="+15551234567"
            hint="With the country code, starting with +."
            error={problems['to']}
          />
        )}
        <AreaField
          label="A few words of yours"
          name="message"
          rows={2}
          dir="auto"
          maxLength={280}
          hint="Optional. They stand in the invite."
          error={problems['message']}
        />
        <button type="submit" className="btn primary" aria-disabled={create.isPending}>
          Invite
        </button>
      </Form>
    </section>
  );
}
