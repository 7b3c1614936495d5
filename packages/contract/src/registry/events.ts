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
  sentence: 'Attached {artifact_type} to {repository}@{subject}',
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
