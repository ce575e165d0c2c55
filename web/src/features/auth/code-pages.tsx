import { useSearch } from '@tanstack/react-router';
import { sdk } from '../../asterism.ts';
import { useEnter } from './after-sign-in.ts';
import { CodeForm } from './code-form.tsx';
import { GateLayout } from './gate-layout.tsx';

function Intro({ channel, sent_to }: { channel: string | undefined; sent_to: string | undefined }) {
  const how = channel === 'sms' ? 'a text message' : 'an e-mail';
  return (
    <>
      We sent {how} with a code{sent_to === undefined ? '' : ' to '}
      {sent_to === undefined ? null : <strong>{sent_to}</strong>}.
    </>
  );
}

/** The last step of making an account. */
export function RegistrationCodePage() {
  const { registration_id, channel, sent_to } = useSearch({ from: '/register/code' });
  const enter = useEnter();
  return (
    <GateLayout title="Check your messages" intro={<Intro channel={channel} sent_to={sent_to} />}>
      <CodeForm
        verify={(code) => sdk.auth.verifyRegistration({ body: { registration_id, code } })}
        resend={() => sdk.auth.resendRegistrationCode({ body: { registration_id } })}
        onDone={enter}
      />
    </GateLayout>
  );
}

/** The second step of signing in. */
export function LoginCodePage() {
  const { login_id, channel, sent_to } = useSearch({ from: '/sign-in/code' });
  const enter = useEnter();
  return (
    <GateLayout title="Check your messages" intro={<Intro channel={channel} sent_to={sent_to} />}>
      <CodeForm
        verify={(code) => sdk.auth.verifyLogin({ body: { login_id, code } })}
        resend={() => sdk.auth.resendLoginCode({ body: { login_id } })}
        onDone={enter}
      />
    </GateLayout>
  );
}
