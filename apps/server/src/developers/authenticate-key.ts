import type { FastifyRequest } from 'fastify'
import { addressNotAllowed } from '@masthead/contract/developers/problems'
import { Problem, unauthenticated } from '@masthead/contract/kernel/problem'
import type { Actor, App } from '../kernel/app.ts'
import { prepared } from '../kernel/database/prepared.ts'
import { noteAsker } from '../kernel/http/request-log.ts'
import type { Authenticate } from '../kernel/http/routes.ts'
import { takeCall } from './call-limit.ts'
import { scopesOf, tagsOf, withinAddresses } from './key-rights.ts'
import { hashKeySecret } from './key-secret.ts'
import { noteUse } from './last-use.ts'

/** The header a key comes in. */
const keyHeader = 'x-api-key'

/** Who asks, by the key where one is sent, else as `bySession` says. */
export const authenticateAny =
  (bySession: Authenticate): Authenticate =>
  (app, request) =>
    request.headers[keyHeader] === undefined ? bySession(app, request) : authenticateKey(app, request)

const counted = new WeakSet<FastifyRequest>()

export async function authenticateKey(app: App, request: FastifyRequest): Promise<Actor> {
  const secret = request.headers[keyHeader]
  return actorOfKey(app, request, typeof secret === 'string' ? hashKeySecret(secret) : null)
}

/**
 * Who asks, by the hash of an API key's secret: its maker, with the scopes that the maker still has. 401 says in words why a key does not count,
 * which only whoever holds it learns. `counts`: whether it is one of the calls that the key may make in a minute.
 */
export async function actorOfKey(app: App, request: FastifyRequest, hash: Buffer | null, { counts = true } = {}): Promise<Actor> {
  const at = app.clock.now()
  const key = hash ? await findKey(app, hash) : undefined
  if (!key) throw new Problem(unauthenticated, 'This API key is not known here, or was revoked')
  noteAsker(request, { person_id: key.person_id, account_id: key.account_id, key: { id: key.id, name: key.name, prefix: key.prefix } })
  const owner = key.own_account === key.account_id
  if (!owner && !key.permissions) throw new Problem(unauthenticated, 'The creator of this API key is no longer a member of the team')
  if (key.disabled_at) throw new Problem(unauthenticated, 'This API key is disabled')
  if (key.expires_at && key.expires_at <= at) throw new Problem(unauthenticated, 'This API key has expired')
  if (key.secret_ends_at && key.secret_ends_at <= at) throw new Problem(unauthenticated, 'This API key was rotated: use the new one')
  if (key.addresses.length > 0 && !withinAddresses(request.ip, key.addresses))
    throw new Problem(addressNotAllowed, `This API key may not be used from ${request.ip}`)
  // A stream that asks whether its key still counts is no further call.
  if (counts && !counted.has(request)) await takeCall(app, request, { id: key.id, limit: key.calls_per_minute, at })
  counted.add(request)
  noteUse(app, { account_id: key.account_id, id: key.id, last: key.last_used_at, at, ip: request.ip })
  const maker = { permissions: owner ? ('all' as const) : key.permissions!, tags: owner ? [] : (key.member_tags ?? []) }
  return {
    kind: 'api_key',
    email: key.email,
    person_id: key.person_id,
    account_id: key.account_id,
    permissions: scopesOf(key.scopes, maker),
    staff: [],
    tags: tagsOf(key.tags, maker),
    key: { id: key.id, name: key.name, prefix: key.prefix },
    at,
    ip: request.ip,
    request_id: request.id,
  }
}

type Found = {
  account_id: string
  id: string
  name: string
  prefix: string
  scopes: string[]
  tags: string[]
  addresses: string[]
  expires_at: Date | null
  calls_per_minute: number
  disabled_at: Date | null
  last_used_at: Date | null
  secret_ends_at: Date | null
  person_id: string
  email: string
  own_account: string
  permissions: string[] | null
  member_tags: string[] | null
}

/** A key with the rights its maker has at this very moment: one look-up, made for every call, and nothing of it is remembered. */
const keysWith =
  prepared<Found>(`select key.account_id, key.id, key.name, secret.prefix, key.scopes, tags_there(key.account_id, key.tags) as tags, key.addresses, key.expires_at,
    key.calls_per_minute, key.disabled_at, key.last_used_at, secret.expires_at as secret_ends_at,
    person.id as person_id, person.email, person.account_id as own_account, membership.permissions,
    tags_there(membership.account_id, membership.tags) as member_tags
  from api_key_secret secret
  join api_key key on key.account_id = secret.account_id and key.id = secret.key_id
  join person on person.id = key.created_by
  left join membership on membership.account_id = key.account_id and membership.person_id = person.id
  where secret.hash = $1`)

const findKey = async (app: App, hash: Buffer) => (await keysWith(app.db, [hash]))[0]
