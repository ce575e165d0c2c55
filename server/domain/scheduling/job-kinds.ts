/** What can be put off, and what each kind is called in the middle of an English sentence. */
export const job_kinds = ['text', 'call', 'status', 'reminder'] as const;
export type JobKind = (typeof job_kinds)[number];

export const job_names: Record<JobKind, string> = {
  text: 'message',
  call: 'call',
  status: 'status',
  reminder: 'reminder',
};
