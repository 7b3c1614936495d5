import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { Problem, unauthenticated } from '@masthead/contract/kernel/problem'
import type { FastifyRequest } from 'fastify'
import { systemActor, type Actor, type App, type AppDb } from '../../kernel/app.ts'
import { noteAsker } from '../../kernel/http/request-log.ts'
import { getSigningKey } from '../../kernel/secrets/signing-key.ts'

/** What a password that a scanner is given begins with. */
export const passPrefix = 'mhs_'
export const passKeyName = 'registry scan'

const Pass = z.object({ account_id: z.string(), repository_id: z.string(), digest: z.string(), until: z.int() })
type Pass = z.output<typeof Pass>

const code = 'base64url'
const sign = async (db: AppDb, text: string) =>
  createHmac('sha256', await getSigningKey(db, passKeyName))
    .update(passPrefix + text)
    .digest()

/** A password with which a scanner pulls from one repository. Nothing of it is kept: it says itself what it opens, and until when (seconds since 1970). */
export async function makePass(db: AppDb, pass: Pass): Promise<string> {
  const text = Buffer.from(JSON.stringify(pass)).toString(code)
  return `${passPrefix}${text}.${(await sign(db, text)).toString(code)}`
}

/** Null where it is none of ours. */
async function readPass(db: AppDb, given: string): Promise<Pass | null> {
  const [text = '', signature = '', ...more] = given.slice(passPrefix.length).split('.')
  const said = Buffer.from(signature, code)
  const right = await sign(db, text)
  if (more.length > 0 || said.length !== right.length || !timingSafeEqual(said, right)) return null
  return Pass.parse(JSON.parse(Buffer.from(text, code).toString()))
}

/** Who asks with the password of a scan, and the one repository that it reaches. It ends with the scan. Throws 401 in words. */
export async function actorOfPass(app: App, request: FastifyRequest, given: string): Promise<{ actor: Actor; repositories: string[] }> {
  const pass = await readPass(app.db, given)
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
    permissions: ['registry.view'],
    ip: request.ip,
    request_id: request.id,
  }
  noteAsker(request, actor)
  return { actor, repositories: [found.name] }
}
