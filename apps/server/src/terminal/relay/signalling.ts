import { answersWithin } from '@masthead/contract/terminal/session'
import { sendDirective } from '../../devices/index.ts'
import type { App } from '../../kernel/app.ts'
import type { Signalling } from './core-end.ts'

type Session = { account_id: string; id: string; device_id: string }

/** The connection to a CORE device is agreed on through the database: whichever broker holds it publishes the offer, and writes the answer down. */
export const signallingOf = ({ db, clock }: App, { account_id, id, device_id }: Session): Signalling => ({
  offer: (payload) =>
    db.transaction().execute((tx) =>
      sendDirective(tx, {
        account_id,
        device_id,
        payload: { command: 'signal', data: { id, payload } },
        waitsFor: answersWithin,
        at: clock.now(),
      })
    ),
  answer: async () => {
    const row = await db
      .selectFrom('terminal_session')
      .select('answer')
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .executeTakeFirst()
    return row?.answer ?? undefined
  },
  from: async () => {
    const row = await db
      .selectFrom('device')
      .select('last_ip')
      .where('account_id', '=', account_id)
      .where('id', '=', device_id)
      .executeTakeFirst()
    return row?.last_ip ?? null
  },
  login: async () => {
    const row = await db
      .selectFrom('device')
      .select('username_hash')
      .where('account_id', '=', account_id)
      .where('id', '=', device_id)
      .executeTakeFirst()
    return row?.username_hash?.toString('hex') ?? null
  },
})
