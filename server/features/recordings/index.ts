import { recordingDeleted, recordingUpdated } from '../../domain/calls/recording/recordings.ts';
import { recording_jobs } from '../../domain/calls/recording/record-call.ts';
import { feature } from '../../kernel/endpoint.ts';
import { deleteRecording } from './delete-recording.ts';
import { lifecycle } from './lifecycle.ts';
import { listRecordings } from './list-recordings.ts';
import { setRecordingConsent } from './set-recording-consent.ts';
import { startCallRecording } from './start-call-recording.ts';
import { stopCallRecording } from './stop-call-recording.ts';

export const recordings = feature({
  area: 'recordings',
  title: 'Media',
  endpoints: [startCallRecording, stopCallRecording, setRecordingConsent, listRecordings, deleteRecording],
  events: [recordingUpdated, recordingDeleted],
  jobs: recording_jobs,
  lifecycle,
});
