import type { FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import type { App } from '../../kernel/app.ts'
import { findHeld, isKept, mountBlob } from '../content/held.ts'
import { alone, type StillAlone, type Writing } from '../content/alone.ts'
import { findRepository, getRepository, needRepository, type Repository } from '../content/repository.ts'
import { getUpload, type Upload } from '../content/upload.ts'
import { beginUpload, cancelUpload, finishUpload, receive } from '../content/uploads.ts'
import { isName, isOwnDigest, needDigest } from './address.ts'
import type { Caller } from './caller.ts'
import { Refusal } from './refusal.ts'

type Asked = { digest?: string; mount?: string; from?: string }
type Outside = { app: App; request: FastifyRequest; reply: FastifyReply; caller: Caller; name: string }

const queryOf = (request: FastifyRequest): Asked => {
  const asked = request.query as Record<string, string | string[] | undefined>
  const one = (name: string) => [asked[name] ?? []].flat()[0]
  return Object.fromEntries(['digest', 'mount', 'from'].flatMap((name) => (one(name) === undefined ? [] : [[name, one(name)]]))) as Asked
}

const bodyOf = ({ body, raw }: FastifyRequest): AsyncIterable<Uint8Array> =>
  body instanceof Readable ? body : Readable.from(raw.complete ? [] : raw)

/** Whether anything comes at all. */
const hasBody = ({ headers }: FastifyRequest) => headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const uploadPath = ({ app, name }: Outside, { id }: Pick<Upload, 'id'>) => `${app.config.basePath}/v2/${name}/blobs/uploads/${id}`

/** How far an upload is. Of none of its bytes the specification's range has one all the same. */
const standing = (outside: Outside, { id }: Pick<Upload, 'id'>, bytes: number) => ({
  location: uploadPath(outside, { id }),
  range: `0-${Math.max(0, bytes - 1)}`,
  'docker-upload-uuid': id,
})

const created = ({ app, reply, name }: Outside, digest: string) =>
  reply
    .code(201)
    .headers({ location: `${app.config.basePath}/v2/${name}/blobs/${digest}`, 'docker-content-digest': digest })
    .send()

/** What the store has lost is not mounted: it is said to be damaged first. */
async function lookFor(app: App, caller: Caller, source: string, digest: string): Promise<void> {
  const repository = await findRepository(app.db, caller, source)
  const held = repository && (await findHeld(app.db, repository, digest))
  if (held) await isKept(app, digest, held)
}

/** Begins an upload; or makes the blob at once, where all of it comes here, or another repository of the account has it. */
export async function openUpload(outside: Outside) {
  const { app, request, reply, caller, name } = outside
  const { digest, mount, from } = queryOf(request)
  if (digest !== undefined) needDigest(digest)
  const source = from !== undefined && isName(from) && from.startsWith(`${caller.slug}/`) ? from : undefined
  // A token that is not for the source does not open it.
  const opens = source !== undefined && caller.may(source, 'pull') && (!caller.grants || caller.grants[source]?.includes('pull'))
  if (opens && mount !== undefined && isOwnDigest(mount)) await lookFor(app, caller, source, mount)
  const upload = await app.db.transaction().execute(async (tx) => {
    const repository = await needRepository(tx, caller, name)
    if (mount !== undefined && isOwnDigest(mount)) {
      const known = opens ? await findRepository(tx, caller, source) : null
      if (known && (await mountBlob(tx, caller, repository, mount, known))) return null
    }
    return beginUpload(tx, caller, repository)
  })
  if (!upload) return created(outside, mount!)
  if (digest === undefined || !hasBody(request))
    return reply
      .code(202)
      .headers(standing(outside, upload, 0))
      .send()
  return finish(outside, { ...upload, name }, upload.id, digest)
}

/** How many bytes a request brings; undefined: it does not say. */
const announcedBy = ({ headers }: FastifyRequest) =>
  headers['content-length'] === undefined ? undefined : Number(headers['content-length'])

const take = ({ app, request }: Outside, upload: Writing, still: StillAlone) =>
  receive(app, upload, bodyOf(request), { announced: announcedBy(request), still })

async function finish(outside: Outside, repository: Repository, id: string, digest: string) {
  const { app, request } = outside
  await alone(app, repository, id, async (upload, still) => {
    if (hasBody(request)) checkRange(outside, upload)
    const bytes = hasBody(request) ? await take(outside, upload, still) : upload.bytes
    still()
    // Nothing is said until all of it is on the disk, which may take longer than a silent connection lives.
    request.raw.socket.setTimeout(0)
    await finishUpload(app, { ...upload, bytes }, digest)
  })
  return created(outside, digest)
}

/** Where the next piece belongs: behind all that came. Throws BLOB_UPLOAD_INVALID with 416 for any other. */
function checkRange(outside: Outside, upload: Upload): void {
  const { headers } = outside.request
  const range = headers['content-range']
  if (range === undefined) return
  const [, start, end] = /^(?:bytes[ =])?(\d{1,15})-(\d{1,15})(?:\/\S+)?$/.exec(range) ?? []
  const more = { status: 416, headers: standing(outside, upload, upload.bytes) }
  if (start === undefined || end === undefined)
    throw new Refusal('BLOB_UPLOAD_INVALID', 'A Content-Range is the first and the last byte, like 0-1023', more)
  if (Number(start) !== upload.bytes)
    throw new Refusal('BLOB_UPLOAD_INVALID', `The upload has ${upload.bytes} bytes: the next piece begins there, and not at ${start}`, more)
  const length = headers['content-length']
  if (length !== undefined && Number(length) !== Number(end) - Number(start) + 1)
    throw new Refusal('SIZE_INVALID', `The range ${range} has not the ${length} bytes of the body`, { ...more, status: 400 })
}

export async function answerUploadStatus(outside: Outside, id: string) {
  const { app, reply, caller, name } = outside
  const upload = await getUpload(app, await getRepository(app.db, caller, name), id)
  return reply
    .code(204)
    .headers(standing(outside, upload, upload.bytes))
    .send()
}

export async function continueUpload(outside: Outside, id: string) {
  const { app, reply, caller, name } = outside
  const upload = await alone(app, await getRepository(app.db, caller, name), id, async (found, still) => {
    checkRange(outside, found)
    return { ...found, bytes: await take(outside, found, still) }
  })
  return reply
    .code(202)
    .headers(standing(outside, upload, upload.bytes))
    .send()
}

export async function endUpload(outside: Outside, id: string) {
  const { app, request, caller, name } = outside
  const digest = needDigest(queryOf(request).digest)
  return finish(outside, await getRepository(app.db, caller, name), id, digest)
}

export async function dropUpload({ app, reply, caller, name }: Outside, id: string) {
  await alone(app, await getRepository(app.db, caller, name), id, (upload) => cancelUpload(app, upload))
  return reply.code(204).send()
}
