/** Consent to a recording: who is asked, who has agreed, and whom the recorder must exclude. */
import { sql, type Queryable, type Sql } from '../../../kernel/database/database.ts';
import type { Change } from '../../../kernel/services.ts';
import { identitiesOf } from './room-identities.ts';

/** The states of the consent to a recording. */
export const consent_values = ['asked', 'agreed', 'declined'] as const;
/** Whether somebody has agreed to being recorded. */
export type Consent = (typeof consent_values)[number];

/**
 * The consent of participant `p` to recording `r`: null without a recording, for the person who started it, and for
 * clients that do not ask, which are recorded after the notice.
 */
export const consentColumn: Sql = sql`case when r.id is null or not p.asks_consent then null else coalesce(
  (select case when k.agreed then 'agreed' else 'declined' end from recording_consents k
   where k.recording_id = r.id and k.participant_id = p.id),
  case when p.user_id = r.started_by then null else 'asked' end) end`;

/** Records that a participant's client asks for consent before recording. */
export async function recordConsentSupport(db: Queryable, participant_id: string): Promise<void> {
  await db.run(sql`update call_participants set asks_consent = true where id = ${participant_id} and not asks_consent`);
}

/** Records a participant's answer; the latest one applies. */
export async function decideConsent(
  { db, now }: Pick<Change, 'db' | 'now'>,
  { recording_id, participant_id, agreed }: { recording_id: string; participant_id: string; agreed: boolean },
): Promise<void> {
  await db.run(sql`
    with asking as (update call_participants set asks_consent = true where id = ${participant_id} and not asks_consent)
    insert into recording_consents (recording_id, participant_id, agreed, decided_at)
    values (${recording_id}, ${participant_id}, ${agreed}, ${now})
    on conflict (recording_id, participant_id) do update set agreed = excluded.agreed, decided_at = excluded.decided_at`);
}

/** The phone leg of participant `p`, as far as their identities in the room depend on it. */
export const legOfParticipant: Sql = sql`case when p.leg_id is null then null else json_build_object('id', p.leg_id) end`;

/** The media server identities that a recording must exclude now. */
export async function selectWithheld(db: Queryable, recording_id: string): Promise<string[]> {
  const rows = await db.many<{ id: string; user_id: string | null; leg: object | null }>(sql`
    select p.id, p.user_id, ${legOfParticipant} as leg
    from recordings r join call_participants p on p.call_id = r.call_id
    where r.id = ${recording_id} and (${consentColumn}) in ('asked', 'declined')`);
  return rows.flatMap(identitiesOf);
}

/** Copies the answers of an interrupted recording to the one that replaces it. */
export async function copyConsents({ db }: Pick<Change, 'db'>, from_id: string, to_id: string): Promise<void> {
  await db.run(sql`
    insert into recording_consents (recording_id, participant_id, agreed, decided_at)
    select ${to_id}, participant_id, agreed, decided_at from recording_consents where recording_id = ${from_id}`);
}
