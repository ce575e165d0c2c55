-- owner: notifications
-- Why the run that a `job_failed` notification is about failed: the job keeps only the error of its latest run.
alter table notifications add column failure text;
