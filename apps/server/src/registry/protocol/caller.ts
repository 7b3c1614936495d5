import type { FastifyRequest } from 'fastify'
import { unauthenticated, Problem } from '@masthead/contract/kernel/problem'
import { protocolAccess } from '@masthead/contract/registry/operations'
import { reaches } from '@masthead/contract/registry/robot'
import { actorOfKey, hashKeySecret } from '../../developers/index.ts'
import { actorOfDevice, isDevicePass } from '../../devices/agent/index.ts'
import { actorMay, type Actor, type App } from '../../kernel/app.ts'
import { consoleAddress } from '../../kernel/http/console-address.ts'
import { needSlug } from '../content/slug.ts'
import { isName, type Address } from './address.ts'
import { Refusal } from './refusal.ts'
import { actorOfRobot } from './robot-caller.ts'
import { actorOfPass, passPrefix } from './scan-pass.ts'
import { readToken, type Action, type Claims, type Grants } from './token.ts'

/** Who asks the registry, on whose account, and what they may there. */
export type Caller = {
  actor: Actor
  account_id: string
  slug: string
  suspended: boolean
  /** The hash of the secret they came with, and whose it is; of a scan or a device the password itself. */
  hash: Buffer
  of: Claims['of']
  /** What they may do in a repository of their account, whatever a token says. */
  may: (repository: string, action: Action) => boolean
  /** What the token opens; null: they came without one. */
  grants: Grants | null
}

/** Whoever comes with the secret of an API key, or of a robot: as user name anything, the account's slug by custom. Null: they came with nothing. Throws Problem. */
export async function callerOf(app: App, request: FastifyRequest, { counts = false } = {}): Promise<Caller | null> {
  const [, scheme, value = ''] = /^(basic|bearer) +([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (scheme === undefined) return null
  if (scheme.toLowerCase() === 'basic') {
    const secret = Buffer.from(value, 'base64')
      .toString()
      .replace(/^[^:]*:/, '')
    return callerBySecret(app, request, secret, { counts: true })
  }
  const claims = await readToken(app.db, value, app.clock.now()).catch(() => null)
  if (!claims) throw new Problem(unauthenticated, 'The token is over, or is none of this registry')
  return { ...(await callerByHash(app, request, claims.of, Buffer.from(claims.hash, 'base64url'), { counts })), grants: claims.grants }
}

export function callerBySecret(app: App, request: FastifyRequest, secret: string, how: { counts: boolean }) {
  const of = isDevicePass(secret) ? 'device' : secret.startsWith(passPrefix) ? 'scan' : secret.startsWith('mhr_') ? 'robot' : 'key'
  const hash = of === 'device' || of === 'scan' ? Buffer.from(secret) : hashKeySecret(secret)
  return callerByHash(app, request, of, hash, how)
}

type Known = { actor: Actor; repositories: string[] }
const known: Record<Claims['of'], (app: App, request: FastifyRequest, hash: Buffer, how: { counts: boolean }) => Promise<Known>> = {
  robot: actorOfRobot,
  scan: (app, request, pass) => actorOfPass(app, request, pass.toString()),
  device: (app, request, pass) => actorOfDevice(app, request, pass.toString()),
  key: async (app, request, hash, how) => ({ actor: await actorOfKey(app, request, hash, how), repositories: [] }),
}

async function callerByHash(app: App, request: FastifyRequest, of: Claims['of'], hash: Buffer, how: { counts: boolean }): Promise<Caller> {
  const { actor, repositories } = await known[of](app, request, hash, how)
  const { account_id } = actor
  const account = await app.db
    .selectFrom('account')
    .leftJoin('registry_account as registry', 'registry.account_id', 'account.id')
    .select(['account.suspended_at', 'account.closed_at', 'registry.slug'])
    .where('account.id', '=', account_id)
    .executeTakeFirstOrThrow()
  // Closing disables keys; robots are refused for as long as it is closed.
  if (account.closed_at) throw new Problem(unauthenticated, 'The account is closed')
  const slug = account.slug ?? (await app.db.transaction().execute((tx) => needSlug(tx, account_id, app.clock.now())))
  const may = (repository: string, action: Action) =>
    reaches(repositories, repository.slice(slug.length + 1)) &&
    (actorMay(actor, protocolAccess[action]) || (action === 'pull' && actorMay(actor, protocolAccess.push)))
  return { actor, account_id, slug, suspended: account.suspended_at !== null, hash, of, may, grants: null }
}

/** Where a client gets a token, and for what. */
export function challenge(app: App, request: FastifyRequest, scope?: string, error?: string): Record<string, string> {
  const realm = `${consoleAddress(app.config, request)}/v2/token`
  const more = [scope && `scope="${scope}"`, error && `error="${error}"`].filter((each) => each)
  return { 'www-authenticate': [`Bearer realm="${realm}"`, `service="${request.host}"`, ...more].join(',') }
}

/** What a token is to be asked for. Whoever mounts a blob pulls it from another repository, and a token opens what it is for. */
export function scopeFor(request: FastifyRequest, name: string, action: Action): string {
  const { from } = request.query as { from?: string | string[] }
  const own = `repository:${name}:${action === 'push' ? 'pull,push' : action}`
  return action === 'push' && typeof from === 'string' && isName(from) ? `${own} repository:${from}:pull` : own
}

/**
 * Lets somebody do something in a repository, or throws: 401 where another token may help, DENIED where nothing does. A name of another account's is
 * answered as one that nobody has.
 */
export function checkMay(app: App, request: FastifyRequest, caller: Caller, { name, of }: Address, action: Action): void {
  const scope = scopeFor(request, name, action)
  const isOwn = name.startsWith(`${caller.slug}/`)
  // 404 would say that this registry has no lists of what refers to something.
  if (!isOwn && action === 'pull' && of !== 'referrers') throw new Refusal('NAME_UNKNOWN', `There is no repository ${name}`)
  if (!isOwn)
    throw new Refusal('DENIED', `This account is called ${caller.slug} here: names of its repositories begin with ${caller.slug}/`)
  if (!caller.may(name, action))
    throw new Refusal(
      'DENIED',
      {
        robot: `The robot ${caller.actor.key?.name} may not do this in ${name}`,
        scan: `The password of a scan pulls from one repository, and does nothing in ${name}`,
        device: `A device pulls what its containers are to run: none of them names ${name}`,
        key: `The API key needs the scope ${protocolAccess[action]} for this`,
      }[caller.of]
    )
  if (caller.grants && !caller.grants[name]?.includes(action))
    throw new Refusal('UNAUTHORIZED', 'The token is not for this', { headers: challenge(app, request, scope, 'insufficient_scope') })
  if (action !== 'pull' && caller.suspended)
    throw new Refusal('DENIED', 'The account is suspended: its images can be pulled, and nothing can be changed')
}
