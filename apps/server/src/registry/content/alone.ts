import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import type { App } from '../../kernel/app.ts'
import { Refusal } from '../protocol/refusal.ts'
import { unknownUpload, type Upload } from './upload.ts'
import type { Repository } from './repository.ts'

const claimedForMs = 60_000
/** Often enough that a claim is not over beside a database that is slow for a while. */
const saidAgainEvery = 15_000 // ms

/**
 * Where numbers of processes mean the same: this machine since it was started, and on it what holds the numbers, which each container has of its own. Two
 * containers may have one host name, and each a process 1.
 */
export const thisPlace = ((): string => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}.${readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '')}`
  } catch {
    // No other run is known to be gone then: its uploads wait for as long as it claimed them.
    return randomUUID()
  }
})()
const thisProcess = `${thisPlace}/${process.pid}/${randomUUID()}`

/** Whether the process of a writer, `place/pid/run/request`, is gone for certain: one of another place may always be alive. */
function isGone(writer: string): boolean {
  const [place, pid] = writer.split('/')
  if (writer.startsWith(`${thisProcess}/`) || place !== thisPlace) return false
  if (Number(pid) === process.pid) return true
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** Throws where this process could not say in time that it still writes: another may have begun. */
export type StillAlone = () => void

/** An upload that a request writes to; `writer`: by what it is known that it is this one. */
export type Writing = Upload & { writer: string }

/** Another request may have begun to write. */
export const interrupted = () => new Refusal('BLOB_UPLOAD_INVALID', 'The upload was interrupted: ask how far it is', { status: 409 })

/**
 * One request at a time writes to an upload, of those of all processes: two would mix their bytes, and each would count the digest of its own. Throws
 * BLOB_UPLOAD_UNKNOWN, and BLOB_UPLOAD_INVALID with 409 while another one does.
 */
export async function alone<Result>(
  app: App,
  { account_id, repository_id }: Pick<Repository, 'account_id' | 'repository_id'>,
  id: string,
  work: (upload: Writing, still: StillAlone) => Promise<Result>
): Promise<Result> {
  const writer = `${thisProcess}/${randomUUID()}`
  const until = () => new Date(app.clock.now().getTime() + claimedForMs)
  let saidAt = performance.now()
  const upload = await app.db.transaction().execute(async (tx) => {
    const found = await tx
      .selectFrom('registry_upload')
      .select(['id', 'account_id', 'repository_id', 'bytes', 'writer', 'writing_until'])
      .where('account_id', '=', account_id)
      .where('repository_id', '=', repository_id)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!found) throw unknownUpload()
    const { writer: before, writing_until, ...own } = found
    if (before !== null && writing_until! > app.clock.now() && !isGone(before))
      throw new Refusal('BLOB_UPLOAD_INVALID', 'Another request is writing to this upload', { status: 409 })
    await tx
      .updateTable('registry_upload')
      .set({ writer, writing_until: until() })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .execute()
    return { ...own, writer }
  })
  const say = async (claim: { writing_until: Date | null; touched_at?: Date; writer?: string | null }) => {
    const at = performance.now()
    const { numUpdatedRows } = await app.db
      .transaction()
      .execute((tx) =>
        tx
          .updateTable('registry_upload')
          .set(claim)
          .where('account_id', '=', account_id)
          .where('id', '=', id)
          .where('writer', '=', writer)
          .executeTakeFirstOrThrow()
      )
    if (numUpdatedRows > 0n) saidAt = at
  }
  const timer = setInterval(() => say({ writing_until: until(), touched_at: app.clock.now() }).catch(() => {}), saidAgainEvery)
  // What failed may have left more than is written down, which is cut like what a killed server left unless somebody goes on first. Under another name, so that a
  // claim which is still on its way changes nothing any more.
  let over: Parameters<typeof say>[0] = { writing_until: app.clock.now(), writer: `${writer}/over` }
  try {
    const done = await work(upload, () => {
      if (performance.now() - saidAt > claimedForMs) throw interrupted()
    })
    over = { writing_until: null, writer: null }
    return done
  } finally {
    clearInterval(timer)
    await say(over).catch((error: unknown) => app.log.warn({ err: error }, 'an upload could not be given to the next request'))
  }
}
