import { sql } from 'kysely'
import type { AppDb } from '../../kernel/app.ts'
import type { Connection } from './connections.ts'

/** A device without a terminal says this and nothing else, also when it starts (domain §6.6). */
const notSupported = 'platform_not_supported'

/** Writes down what a CORE device answers to the offer of a terminal, for the session that waits for it. */
export async function noteSignal(db: AppDb, { account_id, device_id, kind }: Connection, payload: Buffer): Promise<void> {
  if (kind !== 'core') return
  const text = payload.toString()
  const said = text === notSupported ? { id: null, payload: text } : readAnswer(text)
  if (!said) return
  await db.transaction().execute((tx) =>
    sql`update terminal_session set answer = ${said.payload}
      where account_id = ${account_id} and device_id = ${device_id} and kind = 'core' and state = 'connecting' and answer is null
        and (${said.id}::text is null or id = ${said.id})`.execute(tx)
  )
}

function readAnswer(text: string): { id: string; payload: string } | undefined {
  try {
    const { id, payload } = JSON.parse(text) as Record<string, unknown>
    return typeof id === 'string' && typeof payload === 'string' && /^[\w+/=-]+$/.test(payload) ? { id, payload } : undefined
  } catch {
    return undefined
  }
}
