import { pipeline, type Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { notFound, Problem, tooManyRequests } from '@masthead/contract/kernel/problem'
import { mostLayerFiles, type LayerFile, type LayerFiles } from '@masthead/contract/registry/layer-file'
import { layerUnreadable } from '@masthead/contract/registry/problems'
import { limitConcurrency, serializeByKey } from '../../kernel/http/concurrency.ts'
import { perApp } from '../../kernel/per-app.ts'
import type { Actor, App } from '../../kernel/app.ts'
import { findHeld } from '../content/held.ts'
import { findManifest } from '../content/manifests.ts'
import { sumOf } from '../content/sum-of.ts'
import { isDigest } from '../protocol/address.ts'
import { getRepositoryHere } from '../repository-here.ts'
import { NoTar, readTar } from './read-tar.ts'

const mostUnpacked = 8_000_000_000
const longest = 20_000 // ms

const refusal = () => new Problem(tooManyRequests, 'Other layers are being read. Try again in a moment', { retryAfter: 5 })

/** Unpacking takes a processor: what else is asked waits its turn. */
const limited = limitConcurrency({ concurrency: 1, maxQueued: 8, refusal })

/** By account: one of its layers waits among those of all, so that many large ones keep no other account from its own. */
const inTurn = perApp(() => serializeByKey({ maxQueued: 3, refusal }))

/** Throws not_found, and layer_unreadable. */
export async function getLayerFiles(
  app: App,
  actor: Actor,
  { asked, digest, layer }: { asked: string; digest: string; layer: string }
): Promise<LayerFiles> {
  const repository = await getRepositoryHere(app.db, actor, asked)
  const found = isDigest(digest) ? await findManifest(app.db, repository, digest) : null
  const { layers = [] } = found ? (JSON.parse(found.content.toString('utf8')) as { layers?: { digest: string }[] }) : {}
  const one = /^[1-9]\d{0,3}$/.test(layer) ? layers[Number(layer) - 1] : undefined
  if (!one) throw new Problem(notFound)
  const held = await findHeld(app.db, repository, one.digest)
  if (!held) throw new Problem(layerUnreadable, 'This layer is not kept here: whoever pulls the image fetches it elsewhere')
  return inTurn(app)(actor.account_id, () =>
    limited(async () => {
      const bytes = await app.blobs.read(held.key)
      if (!bytes) throw new Problem(layerUnreadable, 'The bytes of this layer are not where they should be')
      return listFiles(bytes)
    })
  )
}

/** As far as it can be read in the time and size that there is. */
export async function listFiles(bytes: Readable, until = Date.now() + longest): Promise<LayerFiles> {
  const items: LayerFile[] = []
  let [sum, cut] = [0, null as string | null]
  try {
    for await (const file of readTar(counted(await unpacked(bytes), until))) {
      if (items.length === mostLayerFiles) {
        cut = `These are the first ${mostLayerFiles.toLocaleString('en')} files`
        break
      }
      items.push(file)
      sum = sumOf([sum, file.bytes])
    }
  } catch (error) {
    if (error instanceof TooMuch) cut = error.message
    else if (items.length > 0) cut = 'It could not be read further: the archive is broken behind this'
    else if (error instanceof NoTar || (error as { code?: string }).code?.startsWith('Z')) throw new Problem(layerUnreadable)
    else throw error
  } finally {
    bytes.destroy()
  }
  return { items, bytes: sum, cut }
}

class TooMuch extends Error {}

async function* counted(bytes: AsyncIterable<Uint8Array>, until: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.byteLength
    if (size > mostUnpacked) throw new TooMuch('It is larger than 8 GB unpacked: these are its first files')
    if (Date.now() > until) throw new TooMuch('It took longer than 20 seconds to read: these are its first files')
    yield chunk
  }
}

/** By what it begins with, whatever its type says: gzip, zstd, or as it is. */
async function unpacked(bytes: Readable): Promise<AsyncIterable<Uint8Array>> {
  const first = await new Promise<Buffer>((resolve, reject) => {
    bytes.once('error', reject)
    bytes.once('end', () => resolve(Buffer.alloc(0)))
    bytes.once('readable', () => {
      const begin = (bytes.read() as Buffer | null) ?? Buffer.alloc(0)
      if (begin.length > 0) bytes.unshift(begin)
      resolve(begin)
    })
  })
  const unpack =
    first[0] === 0x1f && first[1] === 0x8b
      ? createGunzip()
      : first.length >= 4 && first.readUInt32BE(0) === 0x28b52ffd
        ? createZstdDecompress()
        : null
  if (!unpack) return bytes as AsyncIterable<Uint8Array>
  // Its failure is read at its end.
  pipeline(bytes, unpack, () => undefined)
  return unpack as AsyncIterable<Uint8Array>
}
