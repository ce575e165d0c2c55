import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { sdk } from '../../asterism.ts';
import { GoBack } from '../../ui/back-link.tsx';
import { CodeField, Form, readText, TextField } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import { formatPhone } from '../../i18n/phone-number.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { describeProblem, fieldProblems, formProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { useNext } from '../auth/after-sign-in.ts';
import { i18n } from '../../i18n/i18n.ts';
import { mobileQuery } from '../../data/queries/me-query.ts';

function NumberStep({ number, onSent }: { number: string | null; onSent: () => void }) {
  const queries = useQueryClient();
  const send = useMutation({
    mutationFn: async (mobile_number: string) => {
      if (mobile_number !== number) await sdk.me.setMobile({ body: { mobile_number } });
      await sdk.me.sendMobileCode();
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: mobileQuery.queryKey });
      onSent();
    },
  });
  const submit = (data: FormData) => send.mutate(readText(data, 'mobile_number').replace(/[\s()-]/g, ''));
  return (
    <Form className="card" problem={formProblem(send.error, ['mobile_number'])} onSubmit={submit}>
      <TextField
        label={i18n.t('Mobile number')}
        name="mobile_number"
        type="tel"
        autoComplete="tel"
        placeholder="+15551234567"
        defaultValue={number ?? ''}
        required
        error={fieldProblems(send.error)['mobile_number']}
        hint={i18n.t('With the country code, starting with +. Others never see it.')}
      />
      <button type="submit" className="button primary" disabled={send.isPending}>
        {i18n.t('Send code')}
      </button>
    </Form>
  );
}

function CodeStep({ number, onBack }: { number: string | null; onBack: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const next = useNext();
  const verify = useMutation({
    mutationFn: (code: string) => sdk.me.verifyMobile({ body: { code } }),
    onSuccess: async () => {
      await queries.invalidateQueries();
      showToast(i18n.t('Your mobile number is verified.'));
      void navigate({ href: next ?? '/', replace: true });
    },
  });
  const again = useMutation({
    mutationFn: () => sdk.me.sendMobileCode(),
    onSuccess: () => showToast(i18n.t('A new code is on its way.')),
    onError: (error) => showToast(describeProblem(error)),
  });
  return (
    <Form
      className="card"
      problem={formProblem(verify.error, ['code'])}
      onSubmit={(data) => (verify.isPending ? undefined : verify.mutate(readText(data, 'code')))}
    >
      <CodeField
        error={fieldProblems(verify.error)['code']}
        hint={
          number === null
            ? i18n.t('Sent to your mobile.')
            : i18n.t('Sent to {number}.', { number: formatPhone(number) })
        }
        autoFocus
      />
      <button type="submit" className="button primary" disabled={verify.isPending}>
        {i18n.t('Verify')}
      </button>
      <div className="cluster">
        <button type="button" className="button plain" disabled={again.isPending} onClick={() => again.mutate()}>
          {i18n.t('Resend code')}
        </button>
        <button type="button" className="button plain" onClick={onBack}>
          {i18n.t('Use another number')}
        </button>
      </div>
    </Form>
  );
}

/** The verified number, which can be replaced by another. */
function VerifiedNumber({ number, onChange }: { number: string; onChange: () => void }) {
  return (
    <div className="card">
      <div className="cluster">
        <bdi dir="ltr">{formatPhone(number)}</bdi>
        <span className="chip" data-tone="ok">
          {i18n.t('Verified')}
        </span>
      </div>
      <div className="cluster">
        <button type="button" className="button quiet" onClick={onChange}>
          {i18n.t('Change number')}
        </button>
      </div>
    </div>
  );
}

/** Verifies a mobile number by a code, which most areas require, or shows the verified one. */
export function MobilePage() {
  const [step, setStep] = useState<'start' | 'number' | 'code'>('start');
  const mobile = useQuery(mobileQuery);
  const next = useNext();
  if (mobile.isPending) return <Skeleton rows={5} what={i18n.t('Looking up your number')} />;
  const number = mobile.data?.mobile_number ?? null;
  if (number !== null && mobile.data?.mobile_verified === true && step !== 'code')
    return (
      <Page
        title={i18n.t('Mobile number')}
        narrow
        back={<GoBack to="/settings" />}
        intro={i18n.t('It receives your codes. Others never see it.')}
      >
        {step === 'start' ? (
          <VerifiedNumber number={number} onChange={() => setStep('number')} />
        ) : (
          <NumberStep number={number} onSent={() => setStep('code')} />
        )}
      </Page>
    );
  return (
    <Page
      title={i18n.t('Verify your mobile')}
      narrow
      back={next === undefined ? <GoBack to="/settings" /> : undefined}
      intro={i18n.t('Verify your number to use tags, calls and messages. It helps to keep spam out.')}
    >
      {step === 'code' ? (
        <CodeStep number={number} onBack={() => setStep('number')} />
      ) : (
        <NumberStep number={number} onSent={() => setStep('code')} />
      )}
    </Page>
  );
}
