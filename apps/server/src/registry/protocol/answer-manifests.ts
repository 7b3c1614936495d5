import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import type { App } from '../../kernel/app.ts'
import { perApp } from '../../kernel/per-app.ts'
import { withAttached } from '../attached/read-attached.ts'
import { aboutImage } from '../content/about-image.ts'
import { countPull } from '../content/count-pulls.ts'
import { deleteManifest, deleteTag, findManifest, getManifest, pushManifest } from '../content/manifests.ts'
import { lockRegistry } from '../content/quota.ts'
import { largestManifest, readManifest } from '../content/read-manifest.ts'
import { getRepository, needRepository } from '../content/repository.ts'
import { algorithmOf, askedDigest, isDigest, isTag, needDigest } from './address.ts'
import type { Caller } from './caller.ts'
import { etagOf, isKnown, needCondition } from './conditions.ts'
import { Refusal } from './refusal.ts'

type Outside = { app: App; request: FastifyRequest; reply: FastifyReply; caller: Caller; name: string }

const checkReference = (reference: string): string => {
  if (isDigest(reference)) return askedDigest(reference)
  if (!isTag(reference)) throw new Refusal('MANIFEST_UNKNOWN', `“${reference.slice(0, 150)}” is neither a tag nor a digest`)
  return reference
}

/** As it was pushed, of the type that it was pushed as. */
export async function answerManifest({ app, request, reply, caller, name }: Outside, given: string) {
  const repository = await getRepository(app.db, caller, name)
  const { digest, media_type, content } = await getManifest(app.db, repository, checkReference(given))
  // Nobody has pulled an image that a scanner has looked into: rules keep what is pulled.
  if (request.method === 'GET' && caller.of !== 'scan') countPull(app, repository, digest)
  void reply.headers({ 'docker-content-digest': digest, etag: etagOf(digest) })
  if (isKnown(request, digest)) return reply.code(304).send()
  void reply.type(media_type).header('content-length', content.byteLength)
  return reply.send(request.method === 'HEAD' ? undefined : content)
}

/** Bytes of manifests that are being pushed, by the account: they are in memory. */
const takenIn = perApp(() => new Map<string, number>())
const mostTaken = 16 * largestManifest

/** Does something with a whole body. Throws MANIFEST_INVALID with 413 for a large one, and TOOMANYREQUESTS where the account pushes too many at once. */
async function withBody<Done>(
  { app, request: { body }, caller: { account_id } }: Outside,
  work: (content: Buffer) => Promise<Done>
): Promise<Done> {
  const taken = takenIn(app)
  const chunks: Uint8Array[] = []
  let size = 0
  const count = (bytes: number) => {
    const now = (taken.get(account_id) ?? 0) + bytes
    if (now > 0) taken.set(account_id, now)
    else taken.delete(account_id)
    size += bytes
    return now
  }
  try {
    if (body instanceof Readable)
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        const now = count(chunk.byteLength)
        if (size > largestManifest) throw new Refusal('MANIFEST_INVALID', 'A manifest has at most 4 MiB', { status: 413 })
        if (now > mostTaken)
          throw new Refusal('TOOMANYREQUESTS', 'This account pushes too many large manifests at once', { headers: { 'retry-after': '5' } })
        chunks.push(chunk)
      }
    return await work(Buffer.concat(chunks))
  } finally {
    count(-size)
  }
}

export async function putManifest(outside: Outside, given: string) {
  if (!isDigest(given) && !isTag(given))
    throw new Refusal('MANIFEST_INVALID', `“${given.slice(0, 150)}” is no tag: use up to 128 letters, digits, dots, dashes and underscores`)
  return withBody(outside, (content) => keepManifest(outside, given, content))
}

async function keepManifest({ app, request, reply, caller, name }: Outside, given: string, content: Buffer) {
  const byDigest = isDigest(given)
  const manifest = readManifest(content, request.headers['content-type'], algorithmOf(given))
  if (byDigest && needDigest(given) !== manifest.digest)
    throw new Refusal('DIGEST_INVALID', `The digest of the manifest is ${manifest.digest}, and ${given} was announced`)
  const repository = await app.db.transaction().execute((tx) => needRepository(tx, caller, name))
  const about = await aboutImage(app, repository, manifest)
  const scans = app.config.integrations.scanner !== null
  await withAttached(app, repository, content, (attached) =>
    app.db.transaction().execute(async (tx) => {
      const pushed = { manifest, content, ...about, attached, tag: byDigest ? null : given, scans }
      const now = await needRepository(tx, caller, name)
      await needCondition(request, async () => (await findManifest(tx, now, given))?.digest ?? null)
      return pushManifest(tx, caller, now, pushed)
    })
  )
  return reply
    .code(201)
    .headers({
      location: `${app.config.basePath}/v2/${name}/manifests/${manifest.digest}`,
      'docker-content-digest': manifest.digest,
      ...(manifest.subject && { 'oci-subject': manifest.subject }),
    })
    .send()
}

export async function removeManifest({ app, request, reply, caller, name }: Outside, given: string) {
  const reference = checkReference(given)
  const repository = await getRepository(app.db, caller, name)
  await app.db.transaction().execute(async (tx) => {
    // Nobody protects one of its tags meanwhile, or gives it another.
    await lockRegistry(tx, caller.account_id)
    const { digest } = await getManifest(tx, repository, reference)
    await needCondition(request, async () => digest)
    if (isDigest(reference)) await deleteManifest(tx, caller.actor, repository, reference)
    else await deleteTag(tx, caller.actor, repository, reference)
  })
  return reply.code(202).send()
}
