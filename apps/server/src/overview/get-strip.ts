import { sql } from 'kysely'
import type { Reply } from '@masthead/contract/kernel/operation'
import { countryOf } from '@masthead/contract/networks/countries'
import { stripHours, type getStrip as promise } from '@masthead/contract/overview/glance-operations'
import type { Actor, Db, ReadDb } from '../kernel/app.ts'
import { findJudged, isNowFor, neverSeen, offNow, shareMoment, simSeen, type OffState } from '../usage/index.ts'
import { readStanding, shareStanding, type Standing } from './standing.ts'

type Strip = Reply<typeof promise>
type Row = {
  asset_id: string
  name: string
  iccid: string
  mccmnc: string | null
  since: Date
  lapses: { state: OffState; start: string; until: string }[] | null
  now: OffState | null
  now_since: Date | null
  sent: string | null
  unseen?: boolean
}

const hourMs = 3_600_000
/** Where there are no more, each SIM has a line. */
const fewSims = 2000
/** More lines are counted: those that are off now are the last to be left out. */
const mostLines = 20_000

/** The last 24 hours: what was judged, what is off now, and late reports that came since. */
export async function getStrip(db: ReadDb, actor: Actor, most = mostLines): Promise<Strip> {
  const standing = await shareStanding(db, actor)
  // It serves for no longer than that.
  const question = ['strip', most, standing?.read_at]
  return shareMoment(db, actor, question, async (tx) => readStrip(tx, actor, most, standing ?? (await readStanding(tx, actor))), isNowFor)
}

async function readStrip(db: Db, actor: Actor, most: number, { networks }: Standing): Promise<Strip> {
  const at = actor.at.toISOString()
  const judged = await findJudged(db, actor)
  if (!judged) return { at, start: null, groups: [], lines: columnsOf([]), more: 0 }
  const start = judged.getTime() - stripHours * hourMs
  const unjudged = sum(networks.map((network) => network.unjudged))
  const countries = Map.groupBy(networks, ({ mccmnc }) => (mccmnc ? countryOf(mccmnc) : null))
  const groups = [...countries]
    // Of what was never seen nothing is usual: it is among those without a country.
    .map(([country, all]) => ({
      country,
      sims: sum(all.map(({ sims }) => sims)) - (country === null ? unjudged : 0),
      off: sum(all.map(({ off }) => off)),
    }))
    .filter((group) => group.sims > 0)
    .toSorted((a, b) => b.off - a.off || b.sims - a.sims)
  const places = new Map(groups.map(({ country }, place) => [country, place]))
  const sims = sum(groups.map((group) => group.sims))
  const wanted = { judged, from: new Date(start), all: sims <= fewSims }
  const rows = await listRows(db, actor, wanted, most)
  const chosen = rows.length < most ? [] : await countChosen(db, actor, wanted)
  const placeOf = (mccmnc: string | null) => places.get(mccmnc ? countryOf(mccmnc) : null) ?? 0
  const lines = rows
    .map((row) => ({
      ...row,
      group: placeOf(row.mccmnc),
      runs: runsOf(statesOf(row, start)),
    }))
    // Alike SIMs stand together: what is off now first, then what was off for longest.
    .toSorted(
      (a, b) => a.group - b.group || rankOf(b) - rankOf(a) || (a.runs < b.runs ? 1 : a.runs > b.runs ? -1 : 0) || (a.name < b.name ? -1 : 1)
    )
  const hiddenIn = (group: number) =>
    Math.max(
      0,
      sum(chosen.map(({ mccmnc, sims }) => (placeOf(mccmnc) === group ? sims : 0))) - lines.filter((line) => line.group === group).length
    )
  const hidden = groups.map((_, group) => (chosen.length === 0 ? 0 : hiddenIn(group)))
  return {
    at,
    start: new Date(start).toISOString(),
    groups: groups.map((group, place) => ({ ...group, hidden: hidden[place]! })),
    lines: columnsOf(lines),
    more: sum(hidden),
  }
}

type Wanted = { judged: Date; from: Date; all: boolean }

/** SIMs `s` that have a line: all that were seen or are off now, or those of them with an hour that was not as usual. Beside `off`, as `offNow` says. */
const hasLine = (
  actor: Actor,
  { from, all }: Wanted
) => sql`s.account_id = ${actor.account_id} and s.state = 'active' and ${simSeen(actor, sql`s.id`)}
  and (not ${neverSeen(actor.account_id)} or s.id = any(array(select sim_id from off)))
  and ${
    all
      ? sql`true`
      : sql`s.id = any(array(select sim_id from sim_lapse where account_id = ${actor.account_id} and until > ${from} union select sim_id from off))`
  }`

/** As many as are wanted have a line, by their networks. */
async function countChosen(db: Db, actor: Actor, wanted: Wanted) {
  const { rows } = await sql<{ mccmnc: string | null; sims: number }>`with off as materialized (${offNow(actor, wanted.judged)})
    select nullif(k.mccmnc, '') as mccmnc, count(*) as sims
    from sim s left join sim_sent k on k.account_id = s.account_id and k.sim_id = s.id where ${hasLine(actor, wanted)} group by 1`.execute(
    db
  )
  return rows
}

async function listRows(db: Db, actor: Actor, wanted: Wanted, most: number): Promise<Row[]> {
  const { judged, from } = wanted
  const { rows } = await sql<Row>`with off as materialized (${offNow(actor, judged)}),
    shown as materialized (select s.id from sim s left join off on off.sim_id = s.id where ${hasLine(actor, wanted)}
      order by off.sim_id is null, s.id limit ${most})
    select s.asset_id, a.name, s.iccid, nullif(k.mccmnc, '') as mccmnc, coalesce(s.state_changed_at, s.activated_at, s.created_at) as since,
      off.state as now, off.since as now_since, l.lapses, ${neverSeen(actor.account_id)} as unseen,
      substring(sent_by(k.hours, k.until, ${judged}::timestamptz - interval '1 hour')::text from 697) as sent
    from shown join sim s on s.account_id = ${actor.account_id} and s.id = shown.id join asset a on a.account_id = s.account_id and a.id = s.asset_id
      left join sim_sent k on k.account_id = s.account_id and k.sim_id = s.id
      left join off on off.sim_id = s.id
      left join lateral (select json_agg(json_build_object('state', l.state, 'start', l.start, 'until', l.until) order by l.start) as lapses
        from sim_lapse l where l.account_id = s.account_id and l.sim_id = s.id and l.until > ${from}) l on true`.execute(db)
  return rows
}

/** One letter for each hour, and one for what came since. */
export function statesOf(
  { since, lapses, now, now_since, sent, unseen = false }: Omit<Row, 'asset_id' | 'name' | 'iccid' | 'mccmnc'>,
  start: number
): string[] {
  const hourOf = (time: Date | string) => Math.floor((new Date(time).getTime() - start) / hourMs)
  const states: string[] = Array.from({ length: stripHours + 1 }, (_, hour) =>
    unseen || start + (hour + 1) * hourMs <= since.getTime() ? 'n' : 'u'
  )
  const set = (from: number, to: number, state: OffState) => {
    for (let hour = Math.max(0, from); hour < Math.min(to, states.length); hour++)
      // What was late has come meanwhile.
      if (state !== 'silent' || hour >= stripHours || sent?.[hour] !== '1') states[hour] = state[0]!
  }
  for (const lapse of lapses ?? []) set(hourOf(lapse.start), hourOf(lapse.until), lapse.state)
  // Of a feed that has come to an hour before: silent since then, as far as is known.
  const known = lapses?.findLast(({ state }) => state === 'silent')?.until
  if (now) set(now === 'blocked' ? hourOf(now_since!) : now === 'silent' && known ? hourOf(known) : stripHours, stripHours + 1, now)
  return states
}

/** `uuuss` as `u3s2`. */
export const runsOf = (states: readonly string[]): string => states.join('').replace(/(.)\1*/g, (run) => `${run[0]}${run.length}`)

const rankOf = ({ now, runs }: { now: OffState | null; runs: string }) =>
  (now ? 100 : 0) + [...runs.matchAll(/[srb](\d+)/g)].reduce((hours, [, length]) => hours + Number(length), 0)

const columnsOf = (lines: readonly (Pick<Row, 'asset_id' | 'name' | 'iccid'> & { group: number; runs: string })[]): Strip['lines'] => ({
  asset_id: lines.map((line) => line.asset_id),
  name: lines.map((line) => line.name),
  iccid: lines.map((line) => line.iccid),
  group: lines.map((line) => line.group),
  runs: lines.map((line) => line.runs),
})

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
