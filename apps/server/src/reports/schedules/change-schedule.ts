import { newId } from '@masthead/contract/kernel/id'
import { Problem } from '@masthead/contract/kernel/problem'
import { scheduleCreated, scheduleDeleted, schedulePaused, scheduleResumed, scheduleUpdated } from '@masthead/contract/reports/events'
import { tooManySchedules } from '@masthead/contract/reports/problems'
import {
  mostSchedules,
  reportKinds,
  scheduleId,
  type CreateScheduleBody,
  type ReportSchedule,
  type UpdateScheduleBody,
} from '@masthead/contract/reports/report'
import type { Actor, Tx } from '../../kernel/app.ts'
import { record } from '../../kernel/record.ts'
import { nextRun } from '../days.ts'
import { limitMail } from '../limit-mail.ts'
import { makerOf } from '../makers.ts'
import { readFilter, refuseUnseen, zoneOf } from '../request-report.ts'
import { getSchedule, getScheduleForUpdate } from './schedule-queries.ts'

/** Has a report made each day, week or month, of the one before. */
export async function createSchedule(tx: Tx, actor: Actor, body: CreateScheduleBody): Promise<ReportSchedule> {
  const { kind, format, every, hour, recipients } = body
  refuseUnseen(actor, kind)
  const timezone = body.timezone ?? (await zoneOf(tx, actor))
  const filter = await readFilter(tx, actor, body)
  await refuseTooMany(tx, actor)
  await limitMail(tx, actor, recipients)
  const { account_id, person_id, at } = actor
  const id = newId(scheduleId, at.getTime())
  const name = body.name ?? reportKinds[kind].label
  await tx
    .insertInto('report_schedule')
    .values({
      account_id,
      id,
      name,
      kind,
      format,
      every,
      hour,
      timezone,
      filter: JSON.stringify(filter),
      maker: JSON.stringify(makerOf(actor)),
      person_id,
      recipients: [...new Set(recipients)],
      next_at: nextRun({ kind, every, hour, timezone }, at),
      created_at: at,
    })
    .execute()
  await record(tx, actor, scheduleCreated, { schedule_id: id, report_name: name, every })
  return getSchedule(tx, actor, id)
}

/**
 * Who resumes it, or says to whom else it goes, answers for it from now on: it is made of what they see, as they give nobody what they may not
 * have themselves. Throws forbidden.
 */
export async function updateSchedule(tx: Tx, actor: Actor, id: string, body: UpdateScheduleBody): Promise<ReportSchedule> {
  const row = await getScheduleForUpdate(tx, actor, id)
  const { active, recipients, ...rest } = body
  const changed = { ...rest, ...(recipients && { recipients: [...new Set(recipients)] }) }
  const next = { ...row, ...changed }
  const isActive = active ?? row.state === 'active'
  const resumes = isActive && row.state !== 'active'
  const added = (recipients ?? []).filter((to) => !row.recipients.includes(to))
  const takes = resumes || added.length > 0
  if (takes) refuseUnseen(actor, row.kind)
  await limitMail(tx, actor, added)
  const taken = takes ? { maker: JSON.stringify(makerOf(actor)), person_id: actor.person_id } : {}
  await tx
    .updateTable('report_schedule')
    .set({
      ...changed,
      ...taken,
      state: isActive ? 'active' : row.state === 'active' ? 'paused' : row.state,
      stopped_because: isActive ? null : row.stopped_because,
      next_at: isActive ? nextRun(next, actor.at) : null,
    })
    .where('account_id', '=', actor.account_id)
    .where('id', '=', id)
    .execute()
  const detail = { schedule_id: id, report_name: next.name }
  if (Object.keys(changed).length > 0) await record(tx, actor, scheduleUpdated, detail)
  if (resumes) await record(tx, actor, scheduleResumed, detail)
  if (!isActive && row.state === 'active') await record(tx, actor, schedulePaused, detail)
  return getSchedule(tx, actor, id)
}

export async function deleteSchedule(tx: Tx, actor: Actor, id: string): Promise<void> {
  const { account_id } = actor
  const row = await getScheduleForUpdate(tx, actor, id)
  await tx.deleteFrom('report_schedule').where('account_id', '=', account_id).where('id', '=', id).execute()
  await tx.updateTable('report').set({ schedule_id: null }).where('account_id', '=', account_id).where('schedule_id', '=', id).execute()
  await record(tx, actor, scheduleDeleted, { schedule_id: id, report_name: row.name })
}

async function refuseTooMany(tx: Tx, { account_id }: Actor) {
  await tx.selectFrom('account').select('id').where('id', '=', account_id).forUpdate().execute()
  const { count } = await tx
    .selectFrom('report_schedule')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', account_id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= mostSchedules) throw new Problem(tooManySchedules)
}
