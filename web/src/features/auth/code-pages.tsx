import { useSearch } from '@tanstack/react-router';
import { sdk } from '../../asterism.ts';
import { useFinishSignIn } from './after-sign-in.ts';
import { CodeForm } from './code-form.tsx';
import { GateLayout } from './gate-layout.tsx';
import { i18n } from '../../i18n/i18n.ts';
import { locale } from '../../i18n/locale.ts';
import { RichMessage } from '../../i18n/rich-message.tsx';

function Intro({ channel, sent_to }: { channel: string | undefined; sent_to: string | undefined }) {
  const by_sms = channel === 'sms';
  if (sent_to === undefined)
    return <>{by_sms ? i18n.t('We sent a text message with a code.') : i18n.t('We sent an e-mail with a code.')}</>;
  return (
    <RichMessage
      text={
        by_sms
          ? i18n.t('We sent a text message with a code to <to>{to}</to>.', { to: sent_to })
          : i18n.t('We sent an e-mail with a code to <to>{to}</to>.', { to: sent_to })
      }
      parts={{ to: (words) => <strong>{words}</strong> }}
    />
  );
}

/** Creates the account, and sets its language to the client's; the service creates it in English. */
async function verifyRegistration(registration_id: string, code: string): Promise<void> {
  await sdk.auth.verifyRegistration({ body: { registration_id, code } });
  const [tag] = locale()?.split('-u-') ?? [];
  // If this fails, the language can still be set by hand.
  if (i18n.locale !== 'en' && tag !== undefined)
    await sdk.me.updateMe({ body: { locale: tag } }).catch(() => undefined);
}

/** The last step of creating an account. */
export function RegistrationCodePage() {
  const { registration_id, channel, sent_to } = useSearch({ from: '/register/code' });
  const enter = useFinishSignIn();
  return (
    <GateLayout title={i18n.t('Check your messages')} intro={<Intro channel={channel} sent_to={sent_to} />}>
      <CodeForm
        verify={(code) => verifyRegistration(registration_id, code)}
        resend={() => sdk.auth.resendRegistrationCode({ body: { registration_id } })}
        onDone={enter}
      />
    </GateLayout>
  );
}

/** The second step of signing in. */
export function LoginCodePage() {
  const { login_id, channel, sent_to } = useSearch({ from: '/sign-in/code' });
  const enter = useFinishSignIn();
  return (
    <GateLayout title={i18n.t('Check your messages')} intro={<Intro channel={channel} sent_to={sent_to} />}>
      <CodeForm
        verify={(code) => sdk.auth.verifyLogin({ body: { login_id, code } })}
        resend={() => sdk.auth.resendLoginCode({ body: { login_id } })}
        onDone={enter}
      />
    </GateLayout>
  );
}
