import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { isDigest, isOwnDigest } from '../protocol/address.ts'
import { Refusal } from '../protocol/refusal.ts'

export const largestManifest = 4 * 1024 * 1024
/** The configuration of an image is read up to this size. */
export const largestConfig = 4 * 1024 * 1024
const mostReferences = 5000
/** Of one index: they stand in its row, which lists read. */
const mostPlatforms = 50

const ociManifest = 'application/vnd.oci.image.manifest.v1+json'
export const ociIndex = 'application/vnd.oci.image.index.v1+json'
const dockerManifest = 'application/vnd.docker.distribution.manifest.v2+json'
const dockerIndex = 'application/vnd.docker.distribution.manifest.list.v2+json'
const indexes = [ociIndex, dockerIndex]
const known = [ociManifest, dockerManifest, ...indexes]
/** Layers that are fetched elsewhere, by the addresses that they name. */
const foreign = /(\.nondistributable\.|\.foreign\.)/
/** Kinds of configuration that name a platform. */
const imageConfigs: readonly string[] = ['application/vnd.oci.image.config.v1+json', 'application/vnd.docker.container.image.v1+json']

/** As far as it is known. */
export type Platform = { os: string; architecture: string; variant?: string }

/** Kept and searched as text: of what it says nothing is dropped, so that what cannot be kept is refused. */
const MediaType = z.string().check(z.maxLength(255), z.regex(/^[\x20-\x7e]*$/, 'no media type'))
const Size = z.int().check(z.nonnegative())
const Digest = z.string().check(z.refine(isDigest, 'no digest'), z.refine(isOwnDigest, 'no digest by sha256 or sha512'))
const PlatformOf = z.optional(
  z.looseObject({ os: z.optional(z.string()), architecture: z.optional(z.string()), variant: z.optional(z.string()) })
)
const Descriptor = z.looseObject({
  mediaType: MediaType,
  digest: Digest,
  size: Size,
  urls: z.optional(z.array(z.string())),
  platform: PlatformOf,
})
type Descriptor = z.output<typeof Descriptor>
const Annotations = z.optional(z.record(z.string(), z.string()))
const list = <Item extends z.ZodMiniType>(item: Item) => z.array(item).check(z.maxLength(mostReferences))
const common = {
  schemaVersion: z.literal(2),
  mediaType: z.optional(z.string()),
  artifactType: z.optional(MediaType),
  subject: z.optional(Descriptor),
  annotations: Annotations,
}
const Image = z.looseObject({ ...common, config: Descriptor, layers: list(Descriptor) })
const Index = z.looseObject({ ...common, manifests: list(Descriptor) })

/** A blob or a manifest that another names. */
export type Reference = { digest: string; size: number; kind: 'config' | 'layer' | 'manifest' }
export type ReadManifest = {
  digest: string
  mediaType: string
  artifactType: string | null
  subject: string | null
  annotations: Record<string, string>
  references: Reference[]
  /** What an index says of what it names, each once and the first fifty; of an image its configuration says so. */
  platforms: Platform[]
  /** Of an image whose configuration names a platform. */
  config: string | null
}

/** What a pushed manifest says; its digest is counted as `algorithm` says. Throws MANIFEST_INVALID in words. */
export function readManifest(content: Buffer, contentType: string | undefined, algorithm: 'sha256' | 'sha512'): ReadManifest {
  const digest = `${algorithm}:${createHash(algorithm).update(content).digest('hex')}`
  const value = parse(content)
  const said = (value as { mediaType?: unknown }).mediaType
  const mediaType = contentType?.split(';')[0]?.trim() || (typeof said === 'string' ? said : '')
  if (!known.includes(mediaType))
    throw invalid(`“${mediaType}” is no type of a manifest that this registry keeps: push one of OCI, or of Docker’s schema 2`)
  if (said !== undefined && said !== mediaType)
    throw invalid(`The manifest says that it is ${String(said)}, and the request that it is ${mediaType}`)
  // One document that is both reads otherwise to each program: what was checked is not what is run (CVE-2021-41190).
  for (const field of indexes.includes(mediaType) ? ['config', 'layers'] : ['manifests'])
    if (Object.hasOwn(Object(value) as object, field)) throw invalid(`A manifest of type ${mediaType} has no “${field}”`)
  if (!indexes.includes(mediaType)) {
    const { config, layers, ...image } = check(Image, value)
    const references = [
      { ...of(config), kind: 'config' as const },
      ...layers
        .filter((layer) => !(foreign.test(layer.mediaType) && layer.urls?.length))
        .map((layer) => ({ ...of(layer), kind: 'layer' as const })),
    ]
    const artifactType = image.artifactType || config.mediaType
    const isImage = imageConfigs.includes(config.mediaType)
    return {
      ...shared(image, digest),
      mediaType,
      artifactType,
      references: once(references),
      platforms: [],
      config: isImage ? config.digest : null,
    }
  }
  const { manifests, ...index } = check(Index, value)
  const references = manifests.map((each) => ({ ...of(each), kind: 'manifest' as const }))
  const named = manifests.flatMap(({ platform }) => platformOf(platform))
  const platforms = [...new Map(named.map((each) => [JSON.stringify(each), each])).values()].slice(0, mostPlatforms)
  return {
    ...shared(index, digest),
    mediaType,
    artifactType: index.artifactType || null,
    references: once(references),
    platforms,
    config: null,
  }
}

const shared = (
  { subject, annotations }: { subject?: Descriptor | undefined; annotations?: Record<string, string> | undefined },
  digest: string
) => ({
  digest,
  subject: subject?.digest ?? null,
  annotations: Object.fromEntries(Object.entries(annotations ?? {}).map(([name, text]) => [plain(name), plain(text)])),
})
const of = ({ digest, size }: Descriptor) => ({ digest, size })
const once = (references: Reference[]) => [...new Map(references.map((each) => [each.digest, each])).values()]

/** What the database takes: no NUL, no half characters, also where it is cut. */
export const plain = (text: string, most?: number) => text.slice(0, most).replaceAll('\0', '').toWellFormed()

/** None where it is not named, or is no machine's, as with attestations. */
export function platformOf(given: unknown): Platform[] {
  const { os, architecture, variant } = (given ?? {}) as Record<string, unknown>
  if (typeof os !== 'string' || typeof architecture !== 'string' || os === 'unknown' || os === '' || architecture === '') return []
  return [
    {
      os: plain(os, 50),
      architecture: plain(architecture, 50),
      ...(typeof variant === 'string' && variant !== '' && { variant: plain(variant, 50) }),
    },
  ]
}

const invalid = (words: string) => new Refusal('MANIFEST_INVALID', words)

function parse(content: Buffer): object {
  try {
    const value: unknown = JSON.parse(content.toString('utf8'))
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // said below
  }
  throw invalid('The manifest is no JSON object')
}

function check<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [first] = result.error.issues
  throw invalid(`The manifest is not valid at ${first?.path.join('.') || 'its top'}: ${first?.message}`)
}
