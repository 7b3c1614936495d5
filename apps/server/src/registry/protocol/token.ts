import * as z from 'zod/mini'
import type { AppDb } from '../../kernel/app.ts'
import { makeSigned, readSigned } from '../../kernel/secrets/signed.ts'

export const tokenKeyName = 'registry token'
/** Seconds that a token counts. What it was given for is looked up at each request all the same. */
export const tokenLasts = 300

export type Action = 'pull' | 'push' | 'delete'
/** What a token opens: the names of repositories with what may be done there; `*`: the list of repositories. */
export type Grants = Record<string, Action[]>

const Claims = z.object({
  of: z.enum(['key', 'robot', 'scan', 'device']),
  /** Of the secret that was shown for it; of a scan or a device the password itself. */
  hash: z.string(),
  grants: z.record(z.string(), z.array(z.enum(['pull', 'push', 'delete']))),
  until: z.int(),
})
export type Claims = z.output<typeof Claims>

const signed = { key: tokenKeyName }

export const makeToken = (db: AppDb, claims: Claims): Promise<string> => makeSigned(db, signed, claims)

/** Null where it is none of ours, or over. */
export async function readToken(db: AppDb, token: string, at: Date): Promise<Claims | null> {
  const claims = z.nullable(Claims).parse(await readSigned(db, signed, token))
  return claims && claims.until * 1000 > at.getTime() ? claims : null
}

/** `repository:acme/app:pull,push` and the like, as clients ask for. What is no scope of ours is left out. */
export function readScopes(asked: readonly string[]): Map<string, Action[]> {
  const grants = new Map<string, Action[]>()
  for (const each of asked
    .flatMap((text) => text.split(' '))
    .filter((text) => text !== '')
    .slice(0, 100)) {
    const [, type, name, actions] = /^(\w+)(?:\(\w+\))?:(.+):([\w,*]+)$/.exec(each) ?? []
    if (name === undefined || actions === undefined) continue
    const wanted = actions
      .split(',')
      .flatMap((action): Action[] => (action === '*' ? ['pull', 'push', 'delete'] : isAction(action) ? [action] : []))
    const key = type === 'registry' && name === 'catalog' ? '*' : type === 'repository' ? name : undefined
    if (key !== undefined)
      grants.set(key, [...new Set([...(grants.get(key) ?? []), ...wanted, ...(key === '*' ? (['pull'] as const) : [])])])
  }
  return grants
}

const isAction = (text: string): text is Action => text === 'pull' || text === 'push' || text === 'delete'
