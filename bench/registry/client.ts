import { createHash } from 'node:crypto'
import type pg from 'pg'

export const digestOf = (bytes: Uint8Array | string): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
export const manifestType = 'application/vnd.oci.image.manifest.v1+json'

/** An account with a robot that pushes, put into the database. */
export async function putRobot(pool: pg.Pool, slug = 'bench'): Promise<{ account_id: string; slug: string; secret: string }> {
  const [account_id, secret] = [`acc_${slug}`, `mhr_${slug}`]
  await pool.query(`insert into account (id, team_name) values ($1, 'Bench')`, [account_id])
  await pool.query(`insert into registry_account (account_id, slug, quota_bytes, created_at) values ($1, $2, 1e12, now())`, [
    account_id,
    slug,
  ])
  await pool.query(
    `insert into registry_robot (account_id, id, name, prefix, hash, can_push, repositories, created_by, person_id, created_at)
      values ($1, 'rob_' || $1, 'bench', 'mhr_bench', $2, true, '{}', 'bench', '', now())`,
    [account_id, createHash('sha256').update(secret).digest()]
  )
  return { account_id, slug, secret }
}

type Ask = { method?: string; body?: Uint8Array | string; headers?: Record<string, string> }

/** Asks a registry; `url` says where it is now, since it may be started again elsewhere. */
export function client(url: () => string, secret?: string) {
  const authorization = secret && `Basic ${Buffer.from(`bench:${secret}`).toString('base64')}`
  return async (path: string, { method = 'GET', body, headers = {} }: Ask = {}) => {
    const answer = await fetch(path.startsWith('http') ? path : url() + path, {
      method,
      headers: { ...(authorization && { authorization }), ...headers },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(30_000),
    } as RequestInit)
    const bytes = Buffer.from(await answer.arrayBuffer())
    return { status: answer.status, headers: answer.headers, bytes }
  }
}
export type Client = ReturnType<typeof client>

/** Throws with what was answered, unless it is one of these. */
export async function wanted<Answer extends { status: number; bytes: Buffer }>(
  answer: Promise<Answer>,
  ...statuses: number[]
): Promise<Answer> {
  const got = await answer
  if (!statuses.includes(got.status)) throw new Error(`${got.status} ${got.bytes.toString().slice(0, 300)}`)
  return got
}

/** Pushes a blob by POST, PATCH and PUT, unless it is there. */
export async function pushBlob(ask: Client, name: string, bytes: Uint8Array): Promise<string> {
  const digest = digestOf(bytes)
  if ((await wanted(ask(`/v2/${name}/blobs/${digest}`, { method: 'HEAD' }), 200, 404)).status === 200) return digest
  const begun = await wanted(ask(`/v2/${name}/blobs/uploads/`, { method: 'POST' }), 202)
  const location = begun.headers.get('location')!
  await wanted(ask(location, { method: 'PATCH', body: bytes }), 202)
  await wanted(ask(`${location}?digest=${encodeURIComponent(digest)}`, { method: 'PUT' }), 201)
  return digest
}

/** Pushes an image of some layers under a tag. */
export async function pushImage(ask: Client, name: string, tag: string, layers: readonly Uint8Array[]): Promise<string> {
  const config = JSON.stringify({ os: 'linux', architecture: 'arm64', author: tag })
  const described = [Buffer.from(config), ...layers].map((bytes, n) => ({
    mediaType: n === 0 ? 'application/vnd.oci.image.config.v1+json' : 'application/vnd.oci.image.layer.v1.tar',
    digest: digestOf(bytes),
    size: bytes.byteLength,
  }))
  for (const bytes of [Buffer.from(config), ...layers]) await pushBlob(ask, name, bytes)
  const [first, ...rest] = described
  const manifest = JSON.stringify({ schemaVersion: 2, mediaType: manifestType, config: first, layers: rest })
  await wanted(ask(`/v2/${name}/manifests/${tag}`, { method: 'PUT', body: manifest, headers: { 'content-type': manifestType } }), 201)
  return digestOf(manifest)
}
