import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { Problem, unauthenticated } from '@masthead/contract/kernel/problem'
import { protocolAccess } from '@masthead/contract/registry/operations'
import { systemActor, type Actor, type App } from '../../kernel/app.ts'
import { noteAsker } from '../../kernel/http/request-log.ts'
import { makeSigned, readSigned } from '../../kernel/secrets/signed.ts'
import { isOwn, repositoryOf } from './deployed-images.ts'
import { deviceOf } from './desired-state.ts'
import { nameOf, ownHosts } from './own-hosts.ts'

export const devicePassKey = 'registry device'
const prefix = 'mhd_'
const signed = { key: devicePassKey, prefix }
/** An image may take hours on a slow link, and its layers are asked for one after the other. */
const lasts = 86_400 // s

/** `key`: of the token that the device has: one that is set up anew has another. `until`: seconds since 1970. */
const Pass = z.nullable(z.object({ account_id: z.string(), device_id: z.string(), key: z.string(), until: z.int() }))

export const isDevicePass = (secret: string): boolean => secret.startsWith(prefix)

const keyOf = (password_hash: Buffer) => password_hash.toString('base64url').slice(0, 16)

/** What a device pulls with. The engine is given this and not the device's own token, which opens its secrets. Throws device_key_unknown. */
export async function getRegistryLogin(app: App, request: FastifyRequest) {
  const { account_id, id: device_id, password_hash } = await deviceOf(app, request)
  const until = Math.floor(app.clock.now().getTime() / 1000) + lasts
  const { publicUrl } = app.config
  return {
    // The device may know the server by a name of its own.
    hosts: [...new Set([...(publicUrl ? [new URL(publicUrl).host] : []), request.host.toLowerCase()])],
    username: device_id,
    password: await makeSigned(app.db, signed, { account_id, device_id, key: keyOf(password_hash), until }),
    expires_at: new Date(until * 1000).toISOString(),
  }
}

/**
 * Which device asks the registry, and the repositories (without the slug) that its containers name now. It may nothing where they name none. Throws 401 in words.
 */
export async function actorOfDevice(app: App, request: FastifyRequest, given: string): Promise<{ actor: Actor; repositories: string[] }> {
  const at = app.clock.now()
  const pass = Pass.parse(await readSigned(app.db, signed, given))
  if (!pass || pass.until * 1000 <= at.getTime())
    throw new Problem(unauthenticated, 'This password of a device is over, or is none of this registry')
  const { account_id, device_id } = pass
  const device = await app.db
    .selectFrom('device')
    .select(['asset_id', 'password_hash'])
    .where('account_id', '=', account_id)
    .where('id', '=', device_id)
    .where('kind', '=', 'agent')
    .where('cut_at', 'is', null)
    .executeTakeFirst()
  if (!device?.password_hash || keyOf(device.password_hash) !== pass.key)
    throw new Problem(unauthenticated, 'The device that this password was for is cut off, or was set up anew')
  const hosts = ownHosts(app.config)
  const rows = await app.db
    .selectFrom('container as c')
    .innerJoin('registry_account as r', 'r.account_id', 'c.account_id')
    .select(['c.image', 'r.slug'])
    .where('c.account_id', '=', account_id)
    .where('c.asset_id', '=', device.asset_id)
    // What a container pulls from another registry opens nothing here, whatever it is called there. The device may know the server by a name of its own.
    .where(isOwn(hosts && [...hosts, nameOf(request.host)]))
    .execute()
  const named = rows.filter(({ image, slug }) => repositoryOf(image).startsWith(`${slug}/`))
  const repositories = [...new Set(named.map(({ image, slug }) => repositoryOf(image).slice(slug.length + 1)))]
  const actor: Actor = {
    ...systemActor(account_id, at),
    kind: 'device',
    email: 'device',
    permissions: repositories.length > 0 ? [protocolAccess.pull] : [],
    ip: request.ip,
    request_id: request.id,
  }
  noteAsker(request, actor)
  return { actor, repositories }
}
