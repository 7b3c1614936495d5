import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import { sql, type Selectable } from 'kysely'
import { firstIdAt } from '@masthead/contract/kernel/id'
import { forbidden, notFound, Problem } from '@masthead/contract/kernel/problem'
import { reportDownloaded } from '@masthead/contract/reports/events'
import { reportNotReady } from '@masthead/contract/reports/problems'
import { coversTags } from '../teams/index.ts'
import { systemActor, type Actor, type App, type Db } from '../kernel/app.ts'
import type { ByteRange } from '../kernel/blobs/blobs.ts'
import type { Database } from '../kernel/database/database.ts'
import { record } from '../kernel/record.ts'
import { formats } from './formats.ts'
import { findLinked } from './links.ts'
import { makerNow, ReportRefused } from './makers.ts'
import { disposition, keyOf } from './report-key.ts'
import { getDownloadable } from './report-queries.ts'
import { named } from './request-report.ts'

type Row = Selectable<Database['report']>
const dayMs = 86_400_000
type Outside = { app: App; request: FastifyRequest; reply: FastifyReply }

/** The file of a report for who asked for it, the owner, and staff who look. */
export async function sendReport({ app, actor, request, reply }: Outside & { actor: Actor }, id: string): Promise<Readable> {
  const { row, lacking } = await getDownloadable(app.db, actor, id)
  if (lacking) throw new Problem(forbidden, lacking)
  return send({ app, request, reply }, row, actor)
}

/** The file by a mailed link, as long as who asked for the report may still see all that is in it. */
export async function sendShared({ app, request, reply, actor: visitor }: Outside & { actor: Actor }, link: string): Promise<Readable> {
  const { at, ip, request_id } = visitor
  const gone = new Problem(notFound, 'This link does not work any more. Ask who sent it to you for another')
  const found = await findLinked(app.db, link, at)
  if (!found || found.state !== 'complete') throw gone
  const { to_email, ...row } = found
  const maker = await makerNow(app.db, row, at).catch((error: unknown) => {
    throw error instanceof ReportRefused ? gone : error
  })
  if (!coversTags(maker.tags, row.sight)) throw gone
  return send({ app, request, reply }, row, { ...systemActor(row.account_id, at), ip, request_id }, to_email)
}

async function send({ app, request, reply }: Outside, row: Row, actor: Actor, to_email?: string): Promise<Readable> {
  const expired = row.expires_at !== null && row.expires_at <= actor.at
  const found = row.state === 'complete' && !expired ? await app.blobs.find(keyOf(row)) : null
  if (!found)
    throw new Problem(reportNotReady, expired || row.state === 'expired' ? 'The file was deleted: it is kept for 30 days' : undefined)
  const range = rangeOf(request, found.size)
  const bytes = await app.blobs.read(found.key, range)
  if (!bytes) throw new Problem(reportNotReady)
  // A download that goes on where it stopped is the same one.
  if (!range || range.start === 0 || !(await wasBegun(app.db, actor, row.id, to_email)))
    await app.db.transaction().execute((tx) => record(tx, actor, reportDownloaded, { ...named(row), ...(to_email && { to_email }) }))
  void reply
    .code(range ? 206 : 200)
    .type(formats[row.format].type)
    .header('content-disposition', disposition(row))
    .header('accept-ranges', 'bytes')
    .header('content-length', range ? range.end - range.start + 1 : found.size)
  if (range) void reply.header('content-range', `bytes ${range.start}-${range.end}/${found.size}`)
  return bytes
}

/** Whether the same person, or by the same link, downloaded it within a day: whoever asks for a part alone has it as well. */
async function wasBegun(db: Db, { account_id, email, at }: Actor, report_id: string, to_email?: string): Promise<boolean> {
  const { rows } = await sql`select from event where account_id = ${account_id} and actor_email = ${email}
    and id >= ${firstIdAt('event', at.getTime() - dayMs)} and category || '.' || action = ${reportDownloaded.name}
    and detail @> ${JSON.stringify({ report_id, ...(to_email && { to_email }) })}::jsonb limit 1`.execute(db)
  return rows.length > 0
}

/** One part of it that lies within (RFC 9110 §14); anything else is answered with all of it. */
function rangeOf({ headers: { range } }: FastifyRequest, size: number): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return start <= end ? { start, end } : undefined
}
