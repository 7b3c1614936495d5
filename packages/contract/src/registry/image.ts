import * as z from 'zod/mini'
import { Bytes, Time } from '../kernel/fields.ts'

/** The first part of the names of an account's repositories, and the user name of `docker login`: letters, digits and single dashes. */
export const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/
export const longestSlug = 40
export const Slug = z
  .string()
  .check(
    z.minLength(2, 'Use at least 2 characters'),
    z.maxLength(longestSlug, `Use at most ${longestSlug} characters`),
    z.regex(slugPattern, 'Use small letters and digits, with single dashes between')
  )

/** What an account has in the registry. Without a slug nothing was pushed yet: `suggested` is the one it would get. */
export const Registry = z.object({
  slug: z.nullable(z.string()),
  suggested: z.string(),
  quota_bytes: Bytes,
  used_bytes: Bytes,
  repositories: z.int(),
  tags: z.int(),
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
  created_at: Time,
  pushed_at: z.nullable(Time),
  pushed_by: z.nullable(z.string()),
  pulled_at: z.nullable(Time),
})
export type Repository = z.output<typeof Repository>

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
