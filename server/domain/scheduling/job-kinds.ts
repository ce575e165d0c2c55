/** The kinds of scheduled jobs, and their names within an English sentence. */
export const job_kinds = ['text', 'call', 'status', 'reminder'] as const;
/** What a scheduled job does. */
export type JobKind = (typeof job_kinds)[number];

/** The names of the kinds within a sentence. */
export const job_names: Record<JobKind, string> = {
  text: 'message',
  call: 'call',
  status: 'post',
  reminder: 'reminder',
};
