import { sql } from 'kysely'
import { expect } from 'vitest'
import type { App } from '../../kernel/app.ts'
import { rollUp } from './roll-up.ts'

/** Rolls up all that was recorded until now: also where a transaction of somebody else, which has just ended, holds a step up. */
export async function rollUpAll(app: App): Promise<void> {
  const { rows } = await sql<{ xid: string }>`select coalesce(max(xid), '0')::text as xid from (
    select xid from usage_record order by xid desc limit 1) r`.execute(app.db)
  const isDone = async () => {
    while (await rollUp(app));
    const { rows: progress } = await sql<{ done: boolean }>`select not exists (select from usage_record
      where xid <= ${rows[0]!.xid}::xid8 and xid >= coalesce((select xid from rollup_progress where name = 'usage'), '0'::xid8)) as done`.execute(
      app.db
    )
    return progress[0]!.done
  }
  await expect.poll(isDone, { timeout: 20_000 }).toBe(true)
}
