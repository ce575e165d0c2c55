import type { MediaFile } from '@asterism/sdk';
import { useQuery } from '@tanstack/react-query';
import { useContext, useEffect, useState } from 'react';
import { useMe } from '../../../data/queries/me-query.ts';
import { StreamContext } from '../../../data/stream.ts';
import { i18n } from '../../../i18n/i18n.ts';
import { describeProblem } from '../../../ui/problems/problem.ts';
import { transcriptQuery } from './transcript-query.ts';

/** The words of a voice message, recognised by the service when the reader asks for them. */
export function VoiceTranscript({ file }: { file: MediaFile }) {
  const [is_open, setOpen] = useState(false);
  const is_signed_in = useMe() !== undefined;
  const stream = useContext(StreamContext);
  const transcript = useQuery({ ...transcriptQuery(file.id), enabled: is_open && is_signed_in });
  const { refetch } = transcript;
  useEffect(() => {
    if (!is_open) return undefined;
    return stream?.on('file.transcribed', ({ data }) => {
      if (data.file_id === file.id) void refetch();
    });
  }, [stream, is_open, file.id, refetch]);
  // Guests without an account cannot request one.
  if (!is_signed_in) return null;
  return (
    <div className="msg-transcript">
      <button
        type="button"
        className="text-button"
        aria-expanded={is_open}
        onClick={() => {
          setOpen(!is_open);
          if (transcript.isError) void refetch();
        }}
      >
        {is_open ? i18n.t('Hide transcript') : i18n.t('Show transcript')}
      </button>
      {is_open ? <Words {...transcript} /> : null}
    </div>
  );
}

function Words({ data, error }: { data: { status: string; transcript: string | null } | undefined; error: unknown }) {
  if (error !== null) return <p role="alert">{describeProblem(error)}</p>;
  if (data?.status === 'ready') return <p dir="auto">{data.transcript}</p>;
  if (data?.status === 'none') return <p className="msg-gone">{i18n.t('No speech was recognised.')}</p>;
  return <p role="status">{i18n.t('Transcribing…')}</p>;
}
