/** How many messages statements read, whether they keep them or not. */
import type { Queryable, Sql } from '../../kernel/database/database.ts';
import { sql } from '../../kernel/database/database.ts';

type Plan = {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
};

const tables = new Set(['chat_messages', 'call_messages', 'dm_messages']);

/** Counts the rows of messages that the statements of some work read. A statement that writes is executed once. */
export async function countRead(db: Queryable, work: (db: Queryable) => Promise<unknown>): Promise<number> {
  let count = 0;
  const visit = (plan: Plan) => {
    const { 'Actual Rows': rows, 'Actual Loops': loops, 'Rows Removed by Filter': removed = 0, Plans = [] } = plan;
    if (tables.has(plan['Relation Name'] ?? '')) count += (rows + removed) * loops;
    for (const one of Plans) visit(one);
  };
  const many = async (statement: Sql) => {
    const rows = await db.many<{ 'QUERY PLAN': { Plan: Plan }[] }>(sql`explain (analyze, format json) ${statement}`);
    visit(rows[0]?.['QUERY PLAN'][0]?.Plan as Plan);
    return /^\s*with before/.test(statement.text) ? [] : db.many(statement);
  };
  const maybe = async (statement: Sql) => (await many(statement))[0];
  await work({ ...db, maybe, many } as Queryable);
  return count;
}
