import { useMutation } from '@tanstack/react-query';
import { CodeField, Form, readText } from '../../ui/form.tsx';
import { fieldProblems, formProblem, describeProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { i18n } from '../../i18n/i18n.ts';

interface CodeFormProps {
  verify: (code: string) => Promise<unknown>;
  resend: () => Promise<unknown>;
  onDone: () => void;
}

/** A form for a six-digit code, which can be sent again. */
export function CodeForm({ verify, resend, onDone }: CodeFormProps) {
  const check = useMutation({ mutationFn: verify, onSuccess: onDone });
  const again = useMutation({
    mutationFn: resend,
    onSuccess: () => showToast(i18n.t('A new code is on its way. The earlier one no longer works.')),
    onError: (error) => showToast(describeProblem(error)),
  });
  return (
    <Form
      problem={formProblem(check.error, ['code'])}
      onSubmit={(data) => (check.isPending ? undefined : check.mutate(readText(data, 'code')))}
    >
      <CodeField
        error={fieldProblems(check.error)['code']}
        hint={i18n.t('Six digits, valid for ten minutes.')}
        autoFocus
      />
      <button type="submit" className="button primary full-width" disabled={check.isPending}>
        {i18n.t('Verify')}
      </button>
      <button type="button" className="button plain" disabled={again.isPending} onClick={() => again.mutate(undefined)}>
        {i18n.t('Resend code')}
      </button>
    </Form>
  );
}
