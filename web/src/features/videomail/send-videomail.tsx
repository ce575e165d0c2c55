import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { sdk } from '../../asterism.ts';
import { AreaField } from '../../ui/form.tsx';
import { describeFileProblem } from '../../ui/problems/problem.ts';
import { showToast } from '../../ui/overlay/toast.tsx';
import { MAX_LENGTH } from '../../generated/lengths.ts';
import { i18n } from '../../i18n/i18n.ts';

interface SendVideomailProps {
  file: File;
  /** The tag or username of the recipient. */
  handle: string;
  /** The call that it answers. */
  conference_id: string | undefined;
}

/** Sends a recording with a text, and shows the progress of the upload. */
export function SendVideomail({ file, handle, conference_id }: SendVideomailProps) {
  const navigate = useNavigate();
  const [body, setBody] = useState('');
  const [sent, setSent] = useState(0);
  const send = useMutation({
    mutationFn: () =>
      sdk.videomail.sendVideomail({
        path: { handle },
        file,
        body: { ...(body === '' ? {} : { body }), ...(conference_id === undefined ? {} : { conference_id }) },
        onProgress: ({ sent_bytes, total_bytes }) => setSent(sent_bytes / Math.max(1, total_bytes)),
      }),
    onSuccess: () => {
      showToast(i18n.t('Your message was sent.'));
      void navigate({ to: '/inbox' });
    },
  });
  return (
    <>
      <AreaField
        label={i18n.t('Add a message')}
        rows={2}
        maxLength={MAX_LENGTH.videomail_text}
        value={body}
        onChange={({ currentTarget }) => setBody(currentTarget.value)}
      />
      {send.isError ? (
        <p className="field-error" role="alert">
          {describeFileProblem(send.error)}
        </p>
      ) : null}
      {send.isPending ? <progress value={sent} aria-label={i18n.t('Sent so far')} /> : null}
      <button
        type="button"
        className="button primary"
        aria-disabled={send.isPending}
        onClick={() => (send.isPending ? undefined : send.mutate())}
      >
        <Send aria-hidden="true" />
        {send.isPending ? i18n.t('Sending…') : i18n.t('Send')}
      </button>
    </>
  );
}
