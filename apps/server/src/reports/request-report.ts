import { invalidRequest, forbidden, Problem } from '@masthead/contract/kernel/problem'
import { newId } from '@masthead/contract/kernel/id'
import { formatDay } from '@masthead/contract/kernel/time'
import { reportRequested } from '@masthead/contract/reports/events'
import { tooManyReports } from '@masthead/contract/reports/problems'
import {
  longestDays,
  mostPending,
  reportId,
  reportKinds,
  type CreateScheduleBody,
  type Report,
  type ReportFilter,
  type ReportKind,
  type RequestReportBody,
} from '@masthead/contract/reports/report'
import type { Actor, Tx } from '../kernel/app.ts'
import { record } from '../kernel/record.ts'
import { getGroupByWord } from '../network-groups/index.ts'
import { getTagsByWord } from '../tags/index.ts'
import { addDays, dayIn } from './days.ts'
import { limitMail } from './limit-mail.ts'
import { lackingWords, makerOf } from './makers.ts'
import { getReport } from './report-queries.ts'

/** Has a report made as soon as it is its turn. */
export async function requestReport(tx: Tx, actor: Actor, body: RequestReportBody): Promise<Report> {
  const { kind, format, recipients } = body
  refuseUnseen(actor, kind)
  const timezone = body.timezone ?? (await zoneOf(tx, actor))
  const days = daysOf(body, dayIn(actor.at, timezone))
  const filter = await readFilter(tx, actor, body)
  await refuseTooMany(tx, actor)
  await limitMail(tx, actor, recipients)
  const id = newId(reportId, actor.at.getTime())
  const name = body.name ?? reportKinds[kind].label
  await tx
    .insertInto('report')
    .values({
      account_id: actor.account_id,
      id,
      name,
      kind,
      format,
      ...days,
      timezone,
      filter: JSON.stringify(filter),
      maker: JSON.stringify(makerOf(actor)),
      person_id: actor.person_id,
      recipients: [...new Set(recipients)],
      schedule_id: null,
      created_at: actor.at,
    })
    .execute()
  await record(tx, actor, reportRequested, named({ id, name, created_at: actor.at, ...days }))
  return getReport(tx, actor, id)
}

type Named = { id: string; name: string; start_day: string | null; end_day: string | null; created_at: Date }
/** How events name a report. */
export const named = ({ id, name, ...of }: Named) => ({ report_id: id, report_name: name, report_date: dateWords(of) })

/** "1 Nov 2026 to 30 Nov 2026"; of a kind without a period the day on which it was asked for. */
export function dateWords({ start_day, end_day, created_at }: Pick<Named, 'start_day' | 'end_day' | 'created_at'>): string {
  if (start_day === null || end_day === null) return formatDay(created_at.toISOString())
  return start_day === end_day ? formatDay(start_day) : `${formatDay(start_day)} to ${formatDay(end_day)}`
}

/** They must see what is in it: this gives nobody what a screen would refuse them. */
export function refuseUnseen(actor: Actor, kind: ReportKind): void {
  const lacking = lackingWords(actor, kind)
  if (lacking) throw new Problem(forbidden, lacking)
}

export async function zoneOf(tx: Tx, { account_id }: Actor): Promise<string> {
  const { timezone } = await tx.selectFrom('account').select('timezone').where('id', '=', account_id).executeTakeFirstOrThrow()
  return timezone
}

function daysOf({ kind, start, end }: RequestReportBody, today: string): { start_day: string | null; end_day: string | null } {
  if (!reportKinds[kind].hasPeriod) {
    if (start ?? end) throw wrong('start', 'A report of this kind is of the moment: leave out start and end')
    return { start_day: null, end_day: null }
  }
  const end_day = end ?? today
  const start_day = start ?? `${end_day.slice(0, 7)}-01`
  if (start_day < '1970' || end_day >= '2999') throw wrong('start', 'Choose days of the years 1970 to 2998')
  if (start_day > today) throw wrong('start', 'The first day is still to come')
  if (end_day < start_day) throw wrong('end', 'The last day must not be before the first')
  if (end_day >= addDays(start_day, longestDays)) throw wrong('end', `Choose at most ${longestDays} days`)
  return { start_day, end_day }
}

const wrong = (field: string, why: string) => new Problem(invalidRequest, why, { fields: { [field]: why } })

type Choice = Pick<CreateScheduleBody, 'kind' | 'tags' | 'network_groups' | 'q'>

/** The tags and groups that are meant, as they are called now. */
export async function readFilter(tx: Tx, actor: Actor, { kind, tags, network_groups, q }: Choice): Promise<ReportFilter> {
  const known = await getTagsByWord(tx, actor, tags)
  const text = q?.trim() ? q.trim() : null
  if (!reportKinds[kind].ofAssets && (tags.length > 0 || network_groups.length > 0 || text !== null))
    throw wrong('tags', 'A report of this kind is of no assets: leave out tags, groups and the line')
  const groups: ReportFilter['network_groups'] = []
  for (const word of network_groups) groups.push(await getGroupByWord(tx, actor, word, 'network_groups'))
  return { tags: known.map(({ tag_id, tag_name }) => ({ id: tag_id, name: tag_name })), network_groups: groups, q: text }
}

/** Locks the account, so that two at once do not both have the last place. */
export async function refuseTooMany(tx: Tx, { account_id }: Pick<Actor, 'account_id'>): Promise<void> {
  await tx.selectFrom('account').select('id').where('id', '=', account_id).forUpdate().execute()
  const { count } = await tx
    .selectFrom('report')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', account_id)
    .where('state', 'in', ['pending', 'running'])
    .executeTakeFirstOrThrow()
  if (Number(count) >= mostPending) throw new Problem(tooManyReports)
}
