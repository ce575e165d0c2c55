import { idOf, object } from '../../kernel/schema.ts';

export const JobPath = object({ job_id: idOf('job') });
