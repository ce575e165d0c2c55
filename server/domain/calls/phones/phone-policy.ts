/** Phone policy: which numbers may be rung, what a minute costs, and spending limits, as one table each. */
import { sql, type Queryable } from '../../../kernel/database/database.ts';
import { fail, invalid } from '../../../kernel/errors.ts';
import { countryOf, isCharged, isOrdinary, requireNumber, territoryOf } from '../../../kernel/formats/phone.ts';
import type { Services } from '../../../kernel/services.ts';
import { after } from '../../../kernel/time.ts';
import type { Tier } from '../../../kernel/caller.ts';

/**
 * Spending limits of an account on phones, in millionths of a dollar, and the maximum duration of a leg, in seconds.
 */
export const phone_limits = {
  free: { hour_micros: 1_000_000, day_micros: 3_000_000, country_day_micros: 2_000_000, max_duration_s: 15 * 60 },
  plus: { hour_micros: 5_000_000, day_micros: 20_000_000, country_day_micros: 10_000_000, max_duration_s: 2 * 60 * 60 },
} as const satisfies Record<Tier, Record<string, number>>;

const hour_s = 3600;
const day_s = 86_400;

/** The maximum cost of a minute by calling code (ITU-T E.164), in millionths of a dollar. */
const minute_rates: Readonly<Record<string, number>> = {
  '1': 14_000,
  '33': 30_000,
  '34': 30_000,
  '39': 40_000,
  '44': 25_000,
  '49': 35_000,
  '61': 40_000,
  '81': 80_000,
  '91': 45_000,
};
const other_rate = 250_000;
/**
 * The countries whose rates apply to shared calling codes: others of each, mostly islands, are many times as expensive.
 */
const rated_territories: Readonly<Record<string, readonly string[]>> = {
  '1': ['US', 'CA'],
  '39': ['IT', 'VA'],
  '44': ['GB'],
  '61': ['AU'],
};

function rateOf(number: string, country: string): number {
  const territory = territoryOf(number);
  const is_rated = !territory || (rated_territories[country]?.includes(territory) ?? true);
  return (is_rated ? minute_rates[country] : undefined) ?? other_rate;
}
/** Shorter calls are not worth starting. */
const min_call_s = 60;

/** Emergency numbers (ITU-T E.161.1 names 112 and 911; the others are national). */
const emergency_numbers = new Set([
  '112',
  '911',
  '999',
  '000',
  '110',
  '111',
  '113',
  '115',
  '117',
  '118',
  '119',
  '122',
  '190',
  '191',
  '192',
  '193',
]);

/** A number that may be rung, in E.164. @throws ApiError `validation_failed` that names the field */
export function requireDialable(
  { phone_countries }: Pick<Services, 'phone_countries'>,
  field: string,
  number: string,
): string {
  if (emergency_numbers.has(number.replaceAll(/[^0-9]/g, '')))
    invalid({ [field]: 'is an emergency number, which cannot be reached from here: dial it on a phone' });
  const normal = requireNumber(field, number);
  if (isCharged(normal)) invalid({ [field]: 'is a premium-rate number, which cannot be called' });
  if (!isOrdinary(normal)) invalid({ [field]: 'is not a regular phone number and cannot be called' });
  // A number is valid in exactly one country, also within a shared calling code.
  if (!phone_countries.has(territoryOf(normal) ?? ''))
    invalid({ [field]: 'is in a country that cannot be called from this service' });
  return normal;
}

/** The country of a leg, its price a minute and the most that it may cost, in millionths of the currency, and its maximum duration. */
export type PhonePlan = { country: string; rate_micros: number; reserved_micros: number; max_duration_s: number };

/**
 * Plans what an account may spend on ringing phones now: each leg reserves its maximum cost, and gets a shorter maximum
 * duration when less money is left. Legs of one account are planned one after the other, so that money is not spent
 * twice.
 * @throws ApiError `rate_limited`, with the time until there is enough for the shortest call
 */
export async function planLegs(
  db: Queryable,
  payer: { user_id: string; tier: Tier },
  numbers: string[],
  now: Date,
): Promise<PhonePlan[]> {
  if (numbers.length === 0) return [];
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`phone ${payer.user_id}`}, 0))`);
  const spent = await selectSpent(db, payer.user_id, now);
  const limits = phone_limits[payer.tier];
  const left = moneyLeft(limits, spent, now);
  const by_country = new Map<string, number>();
  for (const { country, micros } of spent) by_country.set(country, (by_country.get(country) ?? 0) + micros);
  const countries = numbers.map(countryOf);
  return countries.map((country, at) => {
    const number = numbers[at] ?? '';
    const rate_micros = rateOf(number, country);
    const used = by_country.get(country) ?? 0;
    // Phones rung together share what is left, so that the first ones of a grid do not use up the money of the others.
    const waiting = numbers.length - at;
    const waiting_there = countries.slice(at).filter((one) => one === country).length;
    const max_micros = Math.min(
      left.hour / waiting,
      left.day / waiting,
      (limits.country_day_micros - used) / waiting_there,
    );
    const max_duration_s = Math.min(limits.max_duration_s, Math.floor((max_micros / rate_micros) * 60));
    if (max_duration_s < min_call_s)
      fail('rate_limited', {
        message: 'You have used your allowance for calls to phones.',
        retry_after_s: secondsUntilLeft(limits, spent, country, (rate_micros * min_call_s) / 60, now),
      });
    const reserved_micros = Math.ceil((rate_micros * max_duration_s) / 60);
    left.hour -= reserved_micros;
    left.day -= reserved_micros;
    by_country.set(country, used + reserved_micros);
    return { country, rate_micros, reserved_micros, max_duration_s };
  });
}

/** The actual or maximum cost of one leg. */
type Spent = { country: string; micros: number; created_at: Date };

/** What an account has spent on phones within a day, oldest first. */
export async function selectSpent(db: Queryable, user_id: string, now: Date): Promise<Spent[]> {
  return db.many<Spent>(sql`
    select country, coalesce(cost_micros, reserved_micros)::float8 as micros, created_at from call_legs
    where dialled_by = ${user_id} and created_at > ${after(now, -day_s)} order by created_at`);
}

type PhoneLimits = Record<keyof (typeof phone_limits)[Tier], number>;

/** What an account may still spend in this hour and this day, in millionths of a dollar. */
export function moneyLeft(limits: PhoneLimits, spent: Spent[], now: Date): { hour: number; day: number } {
  const sumSince = (moment: Date) =>
    spent.reduce((sum, { created_at, micros }) => (created_at > moment ? sum + micros : sum), 0);
  return {
    hour: limits.hour_micros - sumSince(after(now, -hour_s)),
    day: limits.day_micros - sumSince(after(now, -day_s)),
  };
}

/** After how many seconds an account may spend a given amount on a country, if it spends nothing until then. */
function secondsUntilLeft(limits: PhoneLimits, spent: Spent[], country: string, micros: number, now: Date): number {
  const moments = spent
    .flatMap(({ created_at }) => [after(created_at, hour_s), after(created_at, day_s)])
    .filter((moment) => moment > now)
    .sort((one, other) => one.getTime() - other.getTime());
  const there = spent.filter((one) => one.country === country);
  const enough = moments.find((moment) => {
    const { hour, day } = moneyLeft(limits, spent, moment);
    const in_country = moneyLeft({ ...limits, day_micros: limits.country_day_micros }, there, moment);
    return Math.min(hour, day, in_country.day) >= micros;
  });
  return enough ? Math.ceil((enough.getTime() - now.getTime()) / 1000) : day_s;
}
