import { sql, type RawBuilder } from 'kysely'

/** How sure it must be that a SIM sends: in three of four weeks, in six of seven days. */
const usualShare = 0.75
/** Of seven. */
const nearlyEachDay = 6
/** A SIM that sends now and then is silent once it has been quiet for so many times its longest quiet time. */
const longerThanEver = 1.5

const last = 719
const bit = (bits: RawBuilder<unknown>, hoursAgo: number) => sql`get_bit(${bits}, ${sql.lit(last - hoursAgo)})`

/**
 * Whether a SIM is silent in an hour, by the bits of its last 720 hours, of which that hour is the last: it sent nothing, and
 *
 * - in the weeks before it usually sent at this hour of this weekday (known after two weeks), or sooner in the days before at this hour (after
 *   two days); and in the hour before as well, or at this hour on nearly each of seven days. A meter that reports once a night, now at one and now
 *   at three, is silent at neither;
 * - or it has sent nothing for 24 hours, and never was quiet for nearly as long before.
 *
 * `sent`: whether it sent in the hour. `longEnough`: whether it has been meant to work for the 24 hours before.
 */
export function isSilent(bits: RawBuilder<unknown>, sent: RawBuilder<unknown>, longEnough: RawBuilder<unknown>): RawBuilder<boolean> {
  // Hours since the first that is known.
  const age = sql`case position(B'1' in ${bits}) when 0 then 0 else 720 - position(B'1' in ${bits}) end`
  const timesIn = (hours: number, most: number, before = 0) =>
    sql`(${sql.join(
      Array.from(
        { length: most },
        (_, i) => sql`case when ${knownIn(hours, most)} > ${sql.lit(i)} then ${bit(bits, hours * (i + 1) + before)} else 0 end`
      ),
      sql` + `
    )})`
  const knownIn = (hours: number, most: number) => sql`least(${sql.lit(most)}, (${age}) / ${sql.lit(hours)})`
  const often = (hours: number, most: number, before = 0) =>
    sql`(${knownIn(hours, most)} >= 2 and ${timesIn(hours, most, before)} >= ${sql.lit(usualShare)} * ${knownIn(hours, most)})`
  const usualIn = (hours: number, most: number) =>
    sql`(${often(hours, most)} and (${often(hours, most, 1)} or ${timesIn(24, 7)} >= ${sql.lit(nearlyEachDay)}))`
  const quietForADay = sql`position(B'1' in substring(${bits} from 697)) = 0`
  const quiet = sql`length(${bits}::text) - length(rtrim(${bits}::text, '0'))`
  const quietBefore = sql`coalesce((select max(length(gap[1])) from regexp_matches(trim(both '0' from ${bits}::text), '0+', 'g') gap), 0)`
  return sql`(not (${sent}) and case
    when (${age}) >= 336 and ${usualIn(168, 4)} then true
    when (${age}) between 48 and 335 and ${usualIn(24, 7)} then true
    when ${quietForADay} and (${longEnough}) then ${quiet} > ${sql.lit(longerThanEver)} * ${quietBefore}
    else false end)`
}
