import type { Input } from '@asterism/sdk';
import { useMutation } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { sdk } from '../../asterism.ts';
import { useFormDraft } from '../../data/storage/form-draft.ts';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { DraftForm, FormButtons, type NamedTexts } from '../../ui/draft-form.tsx';
import { AreaField, readText, SelectField } from '../../ui/form.tsx';
import { fieldProblems, formProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';

type Report = Input<'abuseReports', 'createAbuseReport'>['body'];

const REASONS: Readonly<Record<Report['reason'], string>> = {
  get spam() {
    return i18n.t('Spam');
  },
  get harassment() {
    return i18n.t('Harassment');
  },
  get hate() {
    return i18n.t('Hate speech');
  },
  get violence() {
    return i18n.t('Violence or threats');
  },
  get sexual() {
    return i18n.t('Unwanted sexual content');
  },
  get impersonation() {
    return i18n.t('Impersonation');
  },
  get illegal() {
    return i18n.t('Illegal content');
  },
  get other() {
    return i18n.t('Something else');
  },
};

interface ReportDialogProps {
  target: { type: Report['target_type']; id: string; name: string };
  open: boolean;
  onClose: () => void;
  returnTo: RefObject<HTMLElement | null>;
}

function ReportForm({ target, onClose }: Pick<ReportDialogProps, 'target' | 'onClose'>) {
  const draft = useFormDraft<NamedTexts>(`report ${target.id}`);
  const report = useMutation({
    mutationFn: (data: FormData) =>
      sdk.abuseReports.createAbuseReport({
        body: {
          target_type: target.type,
          target_id: target.id,
          reason: readText(data, 'reason') as Report['reason'],
          note: readText(data, 'note'),
        },
      }),
    onSuccess: () => {
      draft.drop();
      onClose();
      showToast(i18n.t('Thanks for your report. The team that runs this service will review it.'));
    },
  });
  const problems = fieldProblems(report.error);
  const cancel = () => {
    draft.dismiss();
    onClose();
  };
  return (
    <DraftForm
      draft={draft}
      problem={formProblem(report.error, ['reason', 'note'])}
      onSubmit={(data) => report.mutate(data)}
    >
      <SelectField label={i18n.t('What is wrong?')} name="reason" error={problems['reason']}>
        {Object.entries(REASONS).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </SelectField>
      <AreaField
        label={i18n.t('Anything to add')}
        name="note"
        maxLength={MAX_LENGTH.report_note}
        error={problems['note']}
      />
      <FormButtons action={i18n.t('Send report')} is_pending={report.isPending} onCancel={cancel} />
    </DraftForm>
  );
}

/** Reports somebody or something to the operator of this service. */
export function ReportDialog({ target, open, onClose, returnTo }: ReportDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={i18n.t('Report {name}', { name: target.name })} returnTo={returnTo}>
      <ReportForm target={target} onClose={onClose} />
    </Dialog>
  );
}
