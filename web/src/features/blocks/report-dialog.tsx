import type { Input } from '@asterism/sdk';
import { useMutation } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { sdk } from '../../asterism.ts';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { AreaField, Form, readText, SelectField } from '../../ui/form.tsx';
import { fieldProblems, formProblem } from '../../ui/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';

type Report = Input<'abuseReports', 'createAbuseReport'>['body'];

const REASONS: Readonly<Record<Report['reason'], string>> = {
  spam: 'It is spam',
  harassment: 'Harassment',
  hate: 'It spreads hate',
  violence: 'It threatens or praises violence',
  sexual: 'It is sexual and unwanted',
  impersonation: 'Impersonation',
  illegal: 'It is against the law',
  other: 'Something else',
};

interface ReportDialogProps {
  target: { type: Report['target_type']; id: string; name: string };
  open: boolean;
  onClose: () => void;
  returnTo: RefObject<HTMLElement | null>;
}

/** Tells the operator of this service about somebody or something. */
export function ReportDialog({ target, open, onClose, returnTo }: ReportDialogProps) {
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
      onClose();
      showToast('Thanks for your report. The team that runs this service will review it.');
    },
  });
  const problems = fieldProblems(report.error);
  return (
    <Dialog open={open} onClose={onClose} title={`Report ${target.name}`} returnTo={returnTo}>
      <Form problem={formProblem(report.error, ['reason', 'note'])} onSubmit={(data) => report.mutate(data)}>
        <SelectField label="What is wrong?" name="reason" error={problems['reason']}>
          {Object.entries(REASONS).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </SelectField>
        <AreaField label="Anything to add" name="note" maxLength={1_000} error={problems['note']} />
        <div className="cluster">
          <button type="submit" className="button" disabled={report.isPending}>
            Send report
          </button>
          <button type="button" className="button button-quiet" onClick={onClose}>
            Cancel
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
