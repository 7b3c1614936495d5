import * as z from 'zod/mini'
import { event } from '../kernel/event.ts'
import { Bytes } from '../kernel/fields.ts'

const refreshes = ['registry'] as const
/** The name of a repository with the slug, and a digest as `sha256:…`. */
const image = z.object({ repository: z.string(), digest: z.string() })

/** A tag that is new, or names other content than before. */
export const imagePushed = event({
  name: 'registry.image_pushed',
  refreshes,
  detail: z.extend(image, { tag: z.string(), bytes: Bytes }),
  sentence: 'Pushed {repository}:{tag}',
})
/** A signature, a list of parts, or whatever else names an image as what it is about. */
export const artifactAttached = event({
  name: 'registry.artifact_attached',
  refreshes,
  detail: z.extend(image, { subject: z.string(), artifact_type: z.string() }),
  sentence: ({ artifact_type }) => {
    if (/simplesigning|cosign.*sig|notary.*signature/.test(artifact_type)) return 'Attached a signature to {repository}@{subject}'
    if (/spdx|cyclonedx/.test(artifact_type)) return 'Attached a list of packages to {repository}@{subject}'
    return 'Attached {artifact_type} to {repository}@{subject}'
  },
})
export const imageDeleted = event({
  name: 'registry.image_deleted',
  refreshes,
  detail: z.extend(image, { tags: z.array(z.string()) }),
  sentence: ({ tags }) => (tags.length > 0 ? 'Deleted {repository}@{digest} with {tags}' : 'Deleted {repository}@{digest}'),
})
export const tagDeleted = event({
  name: 'registry.tag_deleted',
  refreshes,
  detail: z.extend(image, { tag: z.string() }),
  sentence: 'Deleted the tag {repository}:{tag}',
})
const named = z.object({ repository: z.string(), tag: z.string() })
export const tagProtected = event({
  name: 'registry.tag_protected',
  refreshes,
  detail: named,
  sentence: 'Protected the tag {repository}:{tag}',
})
export const tagUnprotected = event({
  name: 'registry.tag_unprotected',
  refreshes,
  detail: named,
  sentence: 'Ended the protection of the tag {repository}:{tag}',
})
export const imageTagged = event({
  name: 'registry.image_tagged',
  refreshes,
  detail: z.extend(image, { tag: z.string() }),
  sentence: 'Tagged {repository}@{digest} as {tag}',
})
export const repositoryDeleted = event({
  name: 'registry.repository_deleted',
  refreshes,
  detail: z.object({ repository: z.string(), tags: z.int() }),
  sentence: 'Deleted the repository {repository} with {tags} tags',
})
export const slugChosen = event({
  name: 'registry.slug_chosen',
  refreshes,
  detail: z.object({ slug: z.string() }),
  sentence: 'Chose {slug} as the name of the account in the registry',
})
const robot = z.object({ robot_id: z.string(), robot_name: z.string() })
export const robotCreated = event({
  name: 'registry.robot_created',
  refreshes,
  detail: z.extend(robot, { can_push: z.boolean() }),
  sentence: ({ can_push }) =>
    can_push ? 'Created the robot {robot_name}, which pushes and pulls' : 'Created the robot {robot_name}, which pulls',
})
export const robotDeleted = event({
  name: 'registry.robot_deleted',
  refreshes,
  detail: robot,
  sentence: 'Deleted the robot {robot_name}',
})
export const immutableTagsSet = event({
  name: 'registry.immutable_tags_set',
  refreshes,
  detail: z.object({ patterns: z.array(z.string()) }),
  sentence: ({ patterns }) => (patterns.length > 0 ? 'Made tags like {patterns} immutable' : 'Ended the rules that made tags immutable'),
})
const ofRule = z.object({ repository: z.nullable(z.string()) })
export const retentionSet = event({
  name: 'registry.retention_set',
  refreshes,
  detail: ofRule,
  sentence: ({ repository }) =>
    repository === null ? 'Set which tags of the registry are kept' : 'Set which tags of {repository} are kept',
})
export const retentionEnded = event({
  name: 'registry.retention_ended',
  refreshes,
  detail: ofRule,
  sentence: ({ repository }) =>
    repository === null ? 'Ended the rule that kept some tags of the registry' : 'Ended the rule that kept some tags of {repository}',
})
export const cleanedUp = event({
  name: 'registry.cleaned_up',
  refreshes,
  detail: z.object({ clean_up_id: z.string(), tags: z.int(), images: z.int(), bytes: Bytes, kept: z.int() }),
  sentence: 'Cleaned up the registry: deleted {tags} tags and {images} images, kept {kept} tags',
})
export const scanRequested = event({
  name: 'registry.scan_requested',
  refreshes,
  detail: image,
  sentence: 'Asked for a scan of {repository}@{digest}',
})
/** The first report of a scanner on an image, or one that says other than the last. */
export const imageScanned = event({
  name: 'registry.image_scanned',
  refreshes,
  detail: z.extend(image, {
    scanner: z.string(),
    vulnerabilities: z.int(),
    critical: z.int(),
    high: z.int(),
  }),
  sentence: ({ vulnerabilities }) =>
    vulnerabilities === 0
      ? '{scanner} found no known vulnerabilities in {repository}@{digest}'
      : '{scanner} found {vulnerabilities} known vulnerabilities in {repository}@{digest}, {critical} of them critical and {high} high',
})
/** After the last of its tries. */
export const scanFailed = event({
  name: 'registry.scan_failed',
  refreshes,
  detail: z.extend(image, { words: z.string() }),
  sentence: 'Gave up the scan of {repository}@{digest}: {words}',
})
const signingKey = z.object({ signing_key_id: z.string(), key_name: z.string() })
export const signingKeyAdded = event({
  name: 'registry.signing_key_added',
  refreshes,
  detail: z.extend(signingKey, { fingerprint: z.string() }),
  sentence: 'Added the signing key {key_name}, whose signatures of images are trusted from now on',
})
export const signingKeyRenamed = event({
  name: 'registry.signing_key_renamed',
  refreshes,
  detail: z.extend(signingKey, { before: z.string() }),
  sentence: 'Renamed the signing key {before} to {key_name}',
})
export const signingKeyRemoved = event({
  name: 'registry.signing_key_removed',
  refreshes,
  detail: signingKey,
  sentence: 'Removed the signing key {key_name}, whose signatures of images are trusted no longer',
})
