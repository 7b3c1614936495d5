import { sql } from 'kysely'
import type { App, Tx } from '../../kernel/app.ts'
import { findHeld } from '../content/held.ts'
import type { Repository } from '../content/repository.ts'
import { parseJson, readEnvelope, readSimpleSigning, type Signed } from './read-signed.ts'

const mostLayers = 50
const largestPayload = 256 * 1024
const largestStatement = 16 * 1024 * 1024

const simpleSigning = 'application/vnd.dev.cosign.simplesigning.v1+json'
const envelopes = /^application\/vnd\.(dsse\.envelope\.v1|dev\.sigstore\.bundle\b.*)/

/** What a manifest carries that tells of images. */
export type Attached = { signed: Signed[] }

type Layer = { mediaType: string; digest: string; annotations?: Record<string, unknown> }

/** What a manifest that is about to be pushed carries. What cannot be read is as if it were not there: the manifest is kept as it is. */
export async function readAttached(app: App, repository: Repository, content: Buffer): Promise<Attached> {
  const { layers = [] } = JSON.parse(content.toString('utf8')) as { layers?: Layer[] }
  const read: Attached = { signed: [] }
  for (const { mediaType, digest, annotations } of layers.slice(0, mostLayers)) {
    if (mediaType === simpleSigning) {
      const payload = await readSmall(app, repository, digest, largestPayload)
      if (payload) read.signed.push(...readSimpleSigning(payload, annotations?.['dev.cosignproject.cosign/signature']))
    } else if (envelopes.test(mediaType)) {
      const bytes = await readSmall(app, repository, digest, largestStatement)
      if (bytes) read.signed.push(...readEnvelope(parseJson(bytes)).signed)
    }
  }
  return read
}

/** Null where it is not there, or larger. */
async function readSmall(app: App, repository: Repository, digest: string, most: number): Promise<Buffer | null> {
  const held = await findHeld(app.db, repository, digest)
  if (!held || held.bytes > most) return null
  const chunks: Uint8Array[] = []
  for await (const chunk of (await app.blobs.read(held.key)) ?? []) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}

/** Keeps it beside its manifest, in place of what was read of that before. */
export async function keepAttached(tx: Tx, { account_id, repository_id }: Repository, digest: string, { signed }: Attached): Promise<void> {
  await sql`delete from registry_signature where account_id = ${account_id} and repository_id = ${repository_id} and digest = ${digest}`.execute(
    tx
  )
  if (signed.length > 0)
    await tx
      .insertInto('registry_signature')
      .values(signed.map((each, n) => ({ account_id, repository_id, digest, n, ...each })))
      .execute()
}
