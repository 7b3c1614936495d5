import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { anyOf } from '../../assets/index.ts'
import type { App } from '../../kernel/app.ts'
import { largestManifest, ociIndex } from '../content/read-manifest.ts'
import { findRepository, getRepository } from '../content/repository.ts'
import { askedDigest } from './address.ts'
import type { Caller } from './caller.ts'

type Outside = { app: App; request: FastifyRequest; reply: FastifyReply; caller: Caller; name: string }

const mostAtOnce = 1000

function asked(request: FastifyRequest) {
  const query = request.query as Record<string, string | string[] | undefined>
  const one = (name: string) => [query[name] ?? []].flat()[0]
  const n = /^\d{1,9}$/.test(one('n') ?? '') ? Number(one('n')) : undefined
  return { n, limit: Math.min(n ?? mostAtOnce, mostAtOnce), last: (one('last') ?? '').slice(0, 300), artifactType: one('artifactType') }
}

/** Says where the list goes on (RFC 8288). */
function sayNext(reply: FastifyReply, path: string, query: Record<string, string>) {
  void reply.header('link', `<${path}?${String(new URLSearchParams(query))}>; rel="next"`)
}

export async function answerTags({ app, request, reply, caller, name }: Outside) {
  const { account_id, repository_id } = await getRepository(app.db, caller, name)
  const { limit, last } = asked(request)
  const rows = await app.db
    .selectFrom('registry_tag')
    .select('name')
    .where('account_id', '=', account_id)
    .where('repository_id', '=', repository_id)
    .where('name', '>', last)
    .orderBy('name')
    .limit(limit + 1)
    .execute()
  const tags = rows.slice(0, limit).map((row) => row.name)
  if (rows.length > limit && limit > 0)
    sayNext(reply, `${app.config.basePath}/v2/${name}/tags/list`, { n: String(limit), last: tags.at(-1)! })
  return { name, tags }
}

/** The names of the account's repositories that whoever asks may reach: of no other one is anything said, also not where the list goes on. */
export async function answerCatalog({ app, request, reply, caller }: Omit<Outside, 'name'>) {
  const { limit, last } = asked(request)
  const rows = await app.db
    .selectFrom('registry_repository')
    .select('name')
    .where('account_id', '=', caller.account_id)
    .where('name', '>', last.startsWith(`${caller.slug}/`) ? last.slice(caller.slug.length + 1) : last)
    .orderBy('name')
    .execute()
  // An account has two thousand at most.
  const reached = rows.map((row) => `${caller.slug}/${row.name}`).filter((name) => caller.may(name, 'pull'))
  const repositories = reached.slice(0, limit)
  if (reached.length > limit && limit > 0)
    sayNext(reply, `${app.config.basePath}/v2/_catalog`, { n: String(limit), last: repositories.at(-1)! })
  return { repositories }
}

/** How many come on one page with their annotations, of which each may have as many bytes as its manifest: as many as a client takes for one manifest, or one. */
function howManyFit(found: readonly { bytes: number }[]): number {
  let bytes = 0
  const beyond = found.findIndex((each) => (bytes += each.bytes) > largestManifest)
  return beyond < 0 ? found.length : Math.max(1, beyond)
}

/**
 * What names a manifest as its subject, whether that is there or not; of one type where that is asked for. Nothing where there is no such repository: 404 would
 * say that this registry has no such list, and clients would keep one in a tag from then on.
 */
export async function answerReferrers({ app, request, reply, caller, name }: Outside, given: string) {
  const subject = askedDigest(given)
  const { account_id, repository_id } = (await findRepository(app.db, caller, name)) ?? { account_id: caller.account_id, repository_id: '' }
  const { limit, last, artifactType } = asked(request)
  const found = await app.db
    .selectFrom('registry_manifest')
    .select(['digest', 'bytes'])
    .where('account_id', '=', account_id)
    .where('repository_id', '=', repository_id)
    .where('subject', '=', subject)
    .where('digest', '>', last)
    .$if(artifactType !== undefined, (query) => query.where('artifact_type', '=', artifactType!))
    .orderBy(sql`digest collate "C"`)
    .limit(limit + 1)
    .execute()
  const page = found.slice(0, Math.min(limit, howManyFit(found)))
  const rows = await app.db
    .selectFrom('registry_manifest')
    .select(['digest', 'media_type', 'bytes', 'artifact_type', 'annotations'])
    .where('account_id', '=', account_id)
    .where('repository_id', '=', repository_id)
    .where('digest', '=', anyOf(page.map(({ digest }) => digest)))
    .orderBy(sql`digest collate "C"`)
    .execute()
  const manifests = rows.map(({ digest, media_type, bytes, artifact_type, annotations }) => ({
    mediaType: media_type,
    digest,
    size: bytes,
    ...(artifact_type !== null && { artifactType: artifact_type }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  }))
  if (artifactType !== undefined) void reply.header('oci-filters-applied', 'artifactType')
  if (found.length > page.length && page.length > 0)
    sayNext(reply, `${app.config.basePath}/v2/${name}/referrers/${subject}`, {
      n: String(limit),
      last: page.at(-1)!.digest,
      ...(artifactType !== undefined && { artifactType }),
    })
  return reply.type(ociIndex).send(Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: ociIndex, manifests })))
}
