import type { FastifyRequest } from 'fastify'
import { Problem } from '@masthead/contract/kernel/problem'
import { accessCodeTries, accessCodeWindow } from '@masthead/contract/terminal/access-code'
import { accessCodeMistyped } from '@masthead/contract/terminal/events'
import { joinTerminal as joinOperation, openTerminal as openOperation } from '@masthead/contract/terminal/operations'
import { accessCodeNeeded, accessCodeWrong } from '@masthead/contract/terminal/problems'
import type { Size, TerminalSession } from '@masthead/contract/terminal/session'
import { findAssetIds, getAssetId } from '../../assets/index.ts'
import { giveTryBack, takeTry, verifyPassword } from '../../auth/index.ts'
import type { Actor, App } from '../../kernel/app.ts'
import { once } from '../../kernel/http/idempotency.ts'
import { record } from '../../kernel/record.ts'
import { openTerminal } from '../open-terminal.ts'
import { getTerminal } from '../terminal-queries.ts'
import { findCodeHash, holdCodeHash, mayBeAt, noteCodeGiven } from './access-code.ts'

type Asked = { app: App; request: FastifyRequest; actor: Actor; key: string; body: Size & { code?: string | undefined } }

/**
 * Opens a terminal for who knows the code of its device, where it has one. The code is checked before the write: a wrong one counts although nothing
 * is written then. Throws access_code_needed, access_code_wrong, too_many_requests, and what openTerminal does.
 */
export async function openWithCode({ app, request, actor, key, body: { code, ...size } }: Asked): Promise<TerminalSession> {
  const [found] = await findAssetIds(app.db, actor, [key])
  // Whether it may be seen is said within `once`, so that a repetition by who sees less by now is answered as everywhere.
  const seen = found?.id ?? null
  const stored = seen === null ? null : await findCodeHash(app.db, actor, seen)
  if (seen !== null && stored !== null) await check({ app, actor, asset_id: seen }, stored, code)
  return app.db.transaction().execute((tx) =>
    once(tx, actor, request, openOperation, async () => {
      const asset_id = await getAssetId(tx, actor, key)
      // Another that was set meanwhile is asked for, too.
      if ((await findCodeHash(tx, actor, asset_id)) !== stored) throw new Problem(accessCodeNeeded)
      return openTerminal(tx, actor, asset_id, size)
    })
  )
}

type Joined = { app: App; request: FastifyRequest; actor: Actor; terminal_id: string; code: string | undefined }

/** Lets a person take part in a session who knows the code of its device, where it has one. Throws as openWithCode does, and not_found. */
export async function joinWithCode({ app, request, actor, terminal_id, code }: Joined): Promise<TerminalSession> {
  const session = await getTerminal(app.db, actor, terminal_id).catch((error: unknown) => {
    if (error instanceof Problem) return null
    throw error
  })
  const asks = session !== null && session.state !== 'ended' && !(await mayBeAt(app.db, actor, terminal_id))
  const stored = asks ? await findCodeHash(app.db, actor, session.asset_id) : null
  if (asks && stored !== null) await check({ app, actor, asset_id: session.asset_id }, stored, code)
  return app.db.transaction().execute((tx) =>
    once(tx, actor, request, joinOperation, async () => {
      const now = await getTerminal(tx, actor, terminal_id)
      if (stored === null) return now
      if ((await holdCodeHash(tx, actor, now.asset_id)) !== stored) throw new Problem(accessCodeNeeded)
      await noteCodeGiven(tx, actor, terminal_id)
      return now
    })
  )
}

type On = { app: App; actor: Actor; asset_id: string }

async function check({ app, actor, asset_id }: On, stored: string, code: string | undefined) {
  if (code === undefined) throw new Problem(accessCodeNeeded)
  const of = `terminal code of ${actor.account_id} ${asset_id}`
  const limits = [
    { key: `${of} by ${actor.person_id}`, limit: accessCodeTries.person, seconds: accessCodeWindow },
    { key: of, limit: accessCodeTries.device, seconds: accessCodeWindow },
  ]
  for (const limit of limits) await takeTry(app.db, actor.at, limit)
  const { right } = await verifyPassword(code, stored)
  if (right) {
    for (const limit of limits) await giveTryBack(app.db, limit)
    return
  }
  await app.db.transaction().execute(async (tx) => {
    const { name } = await tx
      .selectFrom('asset')
      .select('name')
      .where('account_id', '=', actor.account_id)
      .where('id', '=', asset_id)
      .executeTakeFirstOrThrow()
    await record(tx, actor, accessCodeMistyped, { asset_id, asset_name: name })
  })
  throw new Problem(accessCodeWrong)
}
