import { sql } from 'kysely'
import { Problem, tooManyRequests } from '@masthead/contract/kernel/problem'
import type { App, Tx } from '../../kernel/app.ts'
import { limitConcurrency, serializeByKey } from '../../kernel/http/concurrency.ts'
import { perApp } from '../../kernel/per-app.ts'
import { findHeld } from '../content/held.ts'
import type { Repository } from '../content/repository.ts'
import { readSbom, type ReadPackage, type ReadSbom } from './read-sbom.ts'
import { parseJson, readEnvelope, readSimpleSigning, readStatement, type Signed } from './read-signed.ts'

const mostLayers = 50
const mostSboms = 5
const largestPayload = 256 * 1024
const largestStatement = 16 * 1024 * 1024
/** Of all layers together. */
const mostRead = 16 * 1024 * 1024
const mostSignatures = 20
/** What was signed is kept with each signature, as it is what is checked. */
const largestSigned = 1024 * 1024

const simpleSigning = 'application/vnd.dev.cosign.simplesigning.v1+json'
/** Lists of parts, as such or in a statement about an image. */
const statements = /spdx|cyclonedx|in-toto|dsse\.envelope|sigstore\.bundle/
const envelopes = /^application\/vnd\.(dsse\.envelope\.v1|dev\.sigstore\.bundle\b.*)/

/** What a manifest carries about images. */
export type Attached = { signed: Signed[]; sboms: KeptSbom[] }
type KeptSbom = ReadSbom & { about: string[]; blob: string; bytes: number }

type Layer = { mediaType: string; digest: string; annotations?: Record<string, unknown> }

/** Lists of some megabytes are some hundred in memory while they are read. */
const limited = limitConcurrency({
  concurrency: 1,
  maxQueued: 100,
  refusal: () => new Problem(tooManyRequests, 'Other lists of parts are being read. Push again in a moment', { retryAfter: 5 }),
})

/** Manifests of one account that wait. What they take together has a bound where they come in, and of small ones it lets in a hundred thousand. */
export const mostWaiting = 100

/** By account: what was read of one manifest is kept, or given up, before the next is read. They would all wait for the account, and each fill the memory. */
const inTurn = perApp(() =>
  serializeByKey({
    maxQueued: mostWaiting,
    refusal: () =>
      new Problem(tooManyRequests, 'This account pushes too many signatures and lists of parts at once. Push again in a moment', {
        retryAfter: 5,
      }),
  })
)

const mayCarry = ({ mediaType }: Layer, artifactType: string) =>
  mediaType === simpleSigning || statements.test(mediaType) || statements.test(artifactType)

/** Reads what a manifest carries, and keeps both. What cannot be read is as if it were not there: the manifest is kept as it is. */
export async function withAttached<Done>(
  app: App,
  repository: Repository,
  content: Buffer,
  keep: (attached: Attached) => Promise<Done>
): Promise<Done> {
  const { layers = [], artifactType = '' } = JSON.parse(content.toString('utf8')) as { layers?: Layer[]; artifactType?: string }
  const first = layers.slice(0, mostLayers)
  if (!first.some((layer) => mayCarry(layer, artifactType))) return keep({ signed: [], sboms: [] })
  return inTurn(app)(repository.account_id, async () => keep(await limited(() => readLayers(app, repository, first, artifactType))))
}

async function readLayers(app: App, repository: Repository, layers: readonly Layer[], artifactType: string): Promise<Attached> {
  const read: Attached = { signed: [], sboms: [] }
  let left = mostRead
  const readWithin = async (digest: string, most: number) => {
    const bytes = await readSmall(app, repository, digest, Math.min(most, left))
    left -= bytes?.byteLength ?? 0
    return bytes
  }
  for (const { mediaType, digest, annotations } of layers) {
    if (mediaType === simpleSigning) {
      const payload = await readWithin(digest, largestPayload)
      if (payload) read.signed.push(...readSimpleSigning(payload, annotations?.['dev.cosignproject.cosign/signature']))
    } else if (statements.test(mediaType) || statements.test(artifactType)) {
      const bytes = await readWithin(digest, largestStatement)
      if (!bytes) continue
      const value = parseJson(bytes)
      const { statement, signed } = envelopes.test(mediaType) ? readEnvelope(value) : { statement: readStatement(value), signed: [] }
      read.signed.push(...signed)
      const sbom = readSbom(statement ? statement.predicate : value)
      if (sbom && read.sboms.length < mostSboms)
        read.sboms.push({ ...sbom, about: statement?.about ?? [], blob: digest, bytes: bytes.byteLength })
    }
  }
  return { ...read, signed: read.signed.filter(({ signed }) => signed.byteLength <= largestSigned).slice(0, mostSignatures) }
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
export async function keepAttached(
  tx: Tx,
  { account_id, repository_id }: Repository,
  digest: string,
  { signed, sboms }: Attached
): Promise<void> {
  await sql`delete from registry_signature where account_id = ${account_id} and repository_id = ${repository_id} and digest = ${digest}`.execute(
    tx
  )
  if (signed.length > 0)
    await tx
      .insertInto('registry_signature')
      .values(signed.map((each, n) => ({ account_id, repository_id, digest, n, ...each })))
      .execute()
  await sql`delete from registry_sbom where account_id = ${account_id} and repository_id = ${repository_id} and digest = ${digest}`.execute(
    tx
  )
  for (const [n, { packages, total, ...sbom }] of sboms.entries()) {
    const within = { account_id, repository_id, digest, n }
    await tx
      .insertInto('registry_sbom')
      .values({ ...within, ...sbom, packages: total })
      .execute()
    const column = (name: keyof ReadPackage) => packages.map((each) => each[name])
    await sql`insert into registry_package (account_id, repository_id, digest, n, place, name, version, purl, licence, ecosystem, ecosystem_name,
        ecosystem_version)
      select ${account_id}, ${repository_id}, ${digest}, ${n}::int, place, name, version, purl, licence, ecosystem, ecosystem_name, ecosystem_version
      from unnest(${column('name')}::text[], ${column('version')}::text[], ${column('purl')}::text[], ${column('licence')}::text[],
        ${column('ecosystem')}::text[], ${column('ecosystem_name')}::text[], ${column('ecosystem_version')}::text[])
        with ordinality as p (name, version, purl, licence, ecosystem, ecosystem_name, ecosystem_version, place)`.execute(tx)
  }
}
