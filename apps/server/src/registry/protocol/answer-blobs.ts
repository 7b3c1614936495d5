import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../kernel/app.ts'
import type { ByteRange } from '../../kernel/blobs/blobs.ts'
import { damagedWords, forgetBlob, getHeld, isKept, keepForPush, noteDamage } from '../content/held.ts'
import { getRepository } from '../content/repository.ts'
import { askedDigest } from './address.ts'
import type { Caller } from './caller.ts'
import { etagOf, isKnown } from './conditions.ts'
import { Refusal } from './refusal.ts'

/** One part of a blob (RFC 9110 §14); undefined: all of it. Throws SIZE_INVALID with 416 for what lies beyond. */
function rangeOf({ headers }: FastifyRequest, size: number, etag: string): ByteRange | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range ?? '') ?? []
  if (first === '' && last === '') return undefined
  // Neither a range of something else that the client has begun, nor one that ends before it begins.
  if ((headers['if-range'] ?? etag) !== etag || (first !== '' && last !== '' && Number(last) < Number(first))) return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start > end)
    throw new Refusal('SIZE_INVALID', `The blob has ${size} bytes`, { status: 416, headers: { 'content-range': `bytes */${size}` } })
  return { start, end }
}

/** A blob, or a part of it; of a HEAD its size alone. */
export async function answerBlob(app: App, request: FastifyRequest, reply: FastifyReply, caller: Caller, name: string, given: string) {
  const digest = askedDigest(given)
  const repository = await getRepository(app.db, caller, name)
  const { key, bytes, held_at } = await getHeld(app.db, repository, digest)
  const isHead = request.method === 'HEAD'
  // Whoever pushes asks this first, and brings nothing where it is there.
  const pushes = isHead && caller.may(name, 'push')
  if (pushes) await keepForPush(app, repository, digest, held_at)
  const etag = etagOf(digest)
  const hasIt = isKnown(request, digest)
  const gives = !isHead && !hasIt
  const range = gives ? rangeOf(request, bytes, etag) : undefined
  const link = gives ? app.blobs.link(key, app.clock.now()) : null
  // The store would answer what is not there in words of its own, and nobody would be notified of it.
  if ((pushes || link) && !(await isKept(app, digest, { key, bytes }))) throw new Refusal('BLOB_UNKNOWN', damagedWords(digest))
  const content = gives && !link ? await app.blobs.read(key, range) : undefined
  if (content === null) {
    app.log.error({ digest, key }, 'bytes that the registry should have are not in the store')
    await noteDamage(app, { digest, key }, app.clock.now())
    throw new Refusal('BLOB_UNKNOWN', damagedWords(digest))
  }
  void reply.headers({
    'docker-content-digest': digest,
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=31536000, immutable',
  })
  if (hasIt) return reply.code(304).send()
  // The range is asked for again there.
  if (link) return reply.code(307).headers({ location: link, 'cache-control': 'no-store' }).send()
  void reply
    .code(range ? 206 : 200)
    .type('application/octet-stream')
    .header('content-length', range ? range.end - range.start + 1 : bytes)
  if (range) void reply.header('content-range', `bytes ${range.start}-${range.end}/${bytes}`)
  return reply.send(content)
}

export async function removeBlob(app: App, reply: FastifyReply, caller: Caller, name: string, given: string) {
  const digest = askedDigest(given)
  const repository = await getRepository(app.db, caller, name)
  await app.db.transaction().execute((tx) => forgetBlob(tx, repository, digest))
  return reply.code(202).send()
}
