import * as z from 'zod/mini'

const word = z.optional(z.string().check(z.minLength(1, 'not empty'), z.maxLength(500, 'at most 500 characters')))

const address = (words: string) => z.optional(z.string().check(z.regex(/^https?:\/\/[^\s/?#@]+\/?$/, words)))

/** The variables of a store that speaks S3. Without them blobs are files. */
export const S3Variables = z.object({
  S3_ENDPOINT: address('the address of a store that speaks S3, like https://s3.example.com'),
  S3_PULL_ENDPOINT: address('the address by which those who pull images reach the store, like https://s3.example.com'),
  S3_BUCKET: z.optional(
    z
      .string()
      .check(
        z.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket that is there: 3 to 63 small letters, digits, hyphens and dots')
      )
  ),
  S3_ACCESS_KEY_ID: word,
  S3_SECRET_ACCESS_KEY: word,
  S3_REGION: z._default(z.string().check(z.regex(/^[a-z0-9-]{1,60}$/, 'a region like eu-central-1')), 'us-east-1'),
  S3_FORCE_PATH_STYLE: z._default(z.enum(['on', 'off'], { error: 'on or off' }), 'on'),
})

/** `endpoint`: none for Amazon's own. */
export type S3Settings = {
  endpoint: string | undefined
  /** Where whoever pulls an image is sent for its layers; none: they come through us. */
  pullEndpoint?: string | undefined
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  region: string
  /** The bucket stands in the path and not in the name of the host. */
  forcePathStyle: boolean
}

type Given = z.output<typeof S3Variables>
const together = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

export function s3Mistakes(e: Given): string[] {
  if (!e.S3_ENDPOINT && !e.S3_PULL_ENDPOINT && together.every((name) => !e[name])) return []
  return together
    .filter((name) => !e[name])
    .map((name) => `${name} must be set too: a store that speaks S3 needs all of ${together.join(', ')}`)
}

export const s3Of = (e: Given): S3Settings | null =>
  e.S3_BUCKET && e.S3_ACCESS_KEY_ID && e.S3_SECRET_ACCESS_KEY
    ? {
        endpoint: e.S3_ENDPOINT,
        pullEndpoint: e.S3_PULL_ENDPOINT,
        bucket: e.S3_BUCKET,
        accessKeyId: e.S3_ACCESS_KEY_ID,
        secretAccessKey: e.S3_SECRET_ACCESS_KEY,
        region: e.S3_REGION,
        forcePathStyle: e.S3_FORCE_PATH_STYLE === 'on',
      }
    : null
