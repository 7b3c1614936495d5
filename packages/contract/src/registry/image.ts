import * as z from 'zod/mini'
import { Bytes, Time } from '../kernel/fields.ts'
import { digestPattern } from './image-reference.ts'
import { Sbom } from './sbom.ts'
import { SeverityCounts } from './vulnerability.ts'
import { Signature, SignatureSummary } from './signature.ts'

/** The first part of the names of an account's repositories, and the user name of `docker login`: letters, digits and single dashes. */
const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/
export const longestSlug = 40
export const Slug = z
  .string()
  .check(
    z.minLength(2, 'Use at least 2 characters'),
    z.maxLength(longestSlug, `Use at most ${longestSlug} characters`),
    z.regex(slugPattern, 'Use small letters and digits, with single dashes between')
  )

/** What an account has in the registry. Without a slug nobody has signed in to it yet: `suggested` is the one it would get. */
export const Registry = z.object({
  slug: z.nullable(z.string()),
  /** While there is no repository of that name. */
  can_choose_slug: z.boolean(),
  suggested: z.string(),
  quota_bytes: Bytes,
  used_bytes: Bytes,
  repositories: z.int(),
  tags: z.int(),
  /** Tags that fit one of them are immutable: `v*`, `app/api:release-*`. */
  immutable: z.array(z.string()),
})
export type Registry = z.output<typeof Registry>

export const Repository = z.object({
  id: z.string(),
  /** With the slug, as in `docker pull`: `acme/gps-tracker`. */
  name: z.string(),
  tags: z.int(),
  /** Bytes that two images share count once. */
  size_bytes: Bytes,
  pulls: z.int(),
  pulls_30_days: z.int(),
  /** On how many devices a container names an image of it, of those that whoever asks may see. */
  devices: z.int(),
  created_at: Time,
  pushed_at: z.nullable(Time),
  pushed_by: z.nullable(z.string()),
  pulled_at: z.nullable(Time),
})
export type Repository = z.output<typeof Repository>

/** Orders of repositories; `pushed_at`, `pulled_at`: those that nobody pushed to or pulled from are the oldest. */
const repositoryOrders = ['name', 'tags', 'size_bytes', 'pulls_30_days', 'devices', 'pushed_at', 'pulled_at'] as const
export type RepositoryOrder = (typeof repositoryOrders)[number]
export const RepositorySort = z.enum(repositoryOrders.flatMap((order) => [order, `-${order}`] as const))

/** What the configuration of an image says. Of the environment the names alone: values may be secret. */
export const ImageConfig = z.object({
  author: z.string(),
  created_at: z.nullable(Time),
  entrypoint: z.array(z.string()),
  cmd: z.array(z.string()),
  env: z.array(z.string()),
  exposed_ports: z.array(z.string()),
  workdir: z.string(),
  user: z.string(),
  labels: z.record(z.string(), z.string()),
  /** The lines of its build, the first one first; `empty`: it made no layer. */
  history: z.array(z.object({ created_by: z.string(), empty: z.boolean() })),
})
export type ImageConfig = z.output<typeof ImageConfig>

export const Platform = z.object({ os: z.string(), architecture: z.string(), variant: z.optional(z.string()) })
export type Platform = z.output<typeof Platform>
/** `linux/arm64`, `linux/arm/v7`. */
export const platformWords = ({ os, architecture, variant }: Platform): string =>
  [os, architecture, variant].filter((part) => part).join('/')

export const Tag = z.object({
  name: z.string(),
  digest: z.string(),
  media_type: z.string(),
  /** Of all that it names. */
  size_bytes: Bytes,
  platforms: z.array(Platform),
  pushed_at: Time,
  pushed_by: z.string(),
  /** Of what it names, by whichever name it was pulled. */
  pulled_at: z.nullable(Time),
  pulls: z.int(),
  /** It names this for good: it can be neither moved nor deleted. */
  protected: z.boolean(),
  /** The pattern of the account that makes it immutable: it can be neither moved nor deleted while that stands. */
  immutable: z.nullable(z.string()),
  /** On how many devices a container names this tag or its digest, of those that whoever asks may see. */
  devices: z.int(),
  signature: SignatureSummary,
  /** Null without a list of its parts, or while no advisories are loaded. */
  vulnerabilities: z.nullable(SeverityCounts),
})
export type Tag = z.output<typeof Tag>

/**
 * Orders of tags; `pulled_at`: those that nobody pulled are the oldest; `platforms`: by the first one; `security`: by the vulnerabilities, the worst kinds first,
 * and then by the signature; what changed within a minute may not count yet.
 */
const tagOrders = ['pushed_at', 'name', 'digest', 'size_bytes', 'platforms', 'security', 'devices', 'pulled_at', 'pulls'] as const
export type TagOrder = (typeof tagOrders)[number]
export const TagSort = z.enum(tagOrders.flatMap((order) => [order, `-${order}`] as const))

/** A container of a device that names an image of the registry. */
export const DeployedImage = z.object({
  asset_id: z.string(),
  asset_name: z.string(),
  container: z.string(),
  /** As it is named there. */
  image: z.string(),
  run: z.enum(['running', 'stopped']),
  online: z.boolean(),
  /** It runs what its tag named before: the tag was pushed anew since. */
  older: z.boolean(),
  /** Its device gets the versions of a fleet, and is not the pilot of it: what it runs is changed by a version, not by itself. */
  in_fleet: z.boolean(),
})
export type DeployedImage = z.output<typeof DeployedImage>

/** A manifest, and what is known of it. */
export const Image = z.object({
  repository_id: z.string(),
  repository: z.string(),
  digest: z.string(),
  media_type: z.string(),
  artifact_type: z.nullable(z.string()),
  size_bytes: Bytes,
  pushed_at: Time,
  pushed_by: z.string(),
  pulled_at: z.nullable(Time),
  pulls: z.int(),
  tags: z.array(z.pick(Tag, { name: true, protected: true, immutable: true })),
  platforms: z.array(Platform),
  /** Of an index: what it names. */
  manifests: z.array(z.object({ digest: z.string(), media_type: z.string(), size_bytes: Bytes, platform: z.nullable(Platform) })),
  /** Null where its configuration names no image. */
  config: z.nullable(ImageConfig),
  /** Each with the line of the build that made it, where that is known. */
  layers: z.array(z.object({ digest: z.string(), media_type: z.string(), bytes: Bytes, created_by: z.nullable(z.string()) })),
  annotations: z.record(z.string(), z.string()),
  /** What is attached to it: signatures, lists of parts. */
  referrers: z.array(z.object({ digest: z.string(), artifact_type: z.nullable(z.string()), size_bytes: Bytes, pushed_at: Time })),
  /** Lists of its parts, the newest first (at most 20). */
  sboms: z.array(Sbom),
  /** Each verified with the signing keys of the account, as they are now; the first 50. */
  signatures: z.array(Signature),
  signature: SignatureSummary,
  /** Indexes that name it: they go first. */
  needed_by: z.array(z.string()),
  /** Blobs of it, or of what it names as an index, whose bytes are known to be damaged: a push of the same replaces them. */
  damaged: z.array(z.string()),
  /** As it was pushed. */
  raw: z.string(),
})
export type Image = z.output<typeof Image>

/** Tags as the distribution specification has them. */
export const TagName = z
  .string()
  .check(
    z.regex(
      /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/,
      'Use up to 128 letters, digits, dots, dashes and underscores, and begin with a letter, a digit or an underscore'
    )
  )
export const Digest = z.string().check(z.regex(digestPattern, 'A digest is sha256: and 64 hexadecimal digits, or sha512: and 128'))
