import * as z from 'zod/mini'
import { Problem, unauthenticated } from '@masthead/contract/kernel/problem'
import { protocolAccess } from '@masthead/contract/registry/operations'
import type { FastifyRequest } from 'fastify'
import { systemActor, type Actor, type App, type AppDb } from '../../kernel/app.ts'
import { noteAsker } from '../../kernel/http/request-log.ts'
import { makeSigned, readSigned } from '../../kernel/secrets/signed.ts'

export const passKeyName = 'registry scan'
/** What a password that a scanner is given begins with. */
export const passPrefix = 'mhs_'
const signed = { key: passKeyName, prefix: passPrefix }

const Pass = z.nullable(z.object({ account_id: z.string(), repository_id: z.string(), digest: z.string(), until: z.int() }))

/** A password with which a scanner pulls from one repository. Nothing of it is kept: it says itself what it opens, and until when (seconds since 1970). */
export const makePass = (db: AppDb, pass: NonNullable<z.output<typeof Pass>>): Promise<string> => makeSigned(db, signed, pass)

/** Who asks with the password of a scan, and the one repository that it reaches. It ends with the scan. Throws 401 in words. */
export async function actorOfPass(app: App, request: FastifyRequest, given: string): Promise<{ actor: Actor; repositories: string[] }> {
  const pass = Pass.parse(await readSigned(app.db, signed, given))
  const at = app.clock.now()
  if (!pass || pass.until * 1000 <= at.getTime())
    throw new Problem(unauthenticated, 'This password of a scan is over, or is none of this registry')
  const { account_id, repository_id, digest } = pass
  const found = await app.db
    .selectFrom('registry_scan as s')
    .innerJoin('registry_repository as r', 'r.account_id', 's.account_id')
    .select('r.name')
    .where('s.account_id', '=', account_id)
    .where('s.digest', '=', digest)
    .where('s.state', 'in', ['asking', 'under_way'])
    .where('r.id', '=', repository_id)
    .executeTakeFirst()
  if (!found) throw new Problem(unauthenticated, 'The scan that this password was for is over')
  const actor: Actor = {
    ...systemActor(account_id, at),
    email: 'scanner',
    permissions: [protocolAccess.pull],
    ip: request.ip,
    request_id: request.id,
  }
  noteAsker(request, actor)
  return { actor, repositories: [found.name] }
}
