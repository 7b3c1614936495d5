import * as z from 'zod/mini'
import { Bytes, Time } from '../kernel/fields.ts'
import { idKind } from '../kernel/id.ts'
import { TagPatterns } from './removal.ts'

export const retentionId = idKind('rrt')
export const cleanUpId = idKind('rcu')

const days = (most: number) => z.nullable(z.int().check(z.minimum(1, `Choose 1 to ${most}`), z.maximum(most, `Choose 1 to ${most}`)))

/** What is kept; a tag goes when nothing keeps it. What is protected, immutable, deployed or needed by a fleet is kept by every rule. */
export const RetentionRule = z
  .object({
    /** Of each repository the newest tags, so many. */
    keep_newest: days(10_000),
    /** Tags that were pushed, or whose image was pulled, within so many days. */
    keep_days: days(3650),
    /** Tags like these. */
    keep_like: TagPatterns,
    /** Images that no tag names go when they were neither pushed nor pulled for so many days; null: they stay. */
    untagged_days: days(3650),
  })
  .check(
    z.refine(({ keep_newest, keep_days, untagged_days }) => keep_newest !== null || keep_days !== null || untagged_days !== null, {
      error: 'Say how many tags are kept, for how many days, or when images without a tag go',
      path: ['keep_newest'],
    })
  )
export type RetentionRule = z.output<typeof RetentionRule>

/** The rule of one repository, or (`null`) of all that have none of their own. */
export const Retention = z.object({
  repository: z.nullable(z.string()),
  rule: RetentionRule,
  changed_at: Time,
  changed_by: z.string(),
})
export type Retention = z.output<typeof Retention>

const RepositoryName = z.nullable(z.string().check(z.maxLength(300)))
export const SetRetentionBody = z.object({ repository: RepositoryName, rule: z.nullable(RetentionRule) })
export type SetRetentionBody = z.output<typeof SetRetentionBody>
export const PreviewRetentionBody = z.object({ repository: RepositoryName, rule: RetentionRule })
export type PreviewRetentionBody = z.output<typeof PreviewRetentionBody>

/** Why a tag stays. */
export const keptCodes = ['protected', 'immutable', 'deployed', 'fleet', 'like', 'newest', 'recent', 'belongs', 'untouched'] as const
/** Why a tag goes: nothing keeps it, or it is of an image that goes, as a signature. */
const goneCodes = ['old', 'follows'] as const

export const JudgedTag = z.object({
  repository: z.string(),
  tag: z.string(),
  digest: z.string(),
  code: z.enum([...keptCodes, ...goneCodes]),
  why: z.string(),
})
export type JudgedTag = z.output<typeof JudgedTag>

/** What a clean-up deletes and keeps: of each the first 500 tags by name of their repository. */
export const Judgement = z.object({
  /** Tags, and images with those that no tag names, that go. */
  tags: z.int(),
  images: z.int(),
  freed_bytes: Bytes,
  kept: z.int(),
  why_kept: z.array(z.object({ code: z.enum(keptCodes), count: z.int() })),
  going: z.array(JudgedTag),
  staying: z.array(JudgedTag),
})
export type Judgement = z.output<typeof Judgement>

/** A clean-up that was; `started_by` null: each night's. */
export const CleanUp = z.object({
  id: z.string(),
  at: Time,
  started_by: z.nullable(z.string()),
  tags: z.int(),
  images: z.int(),
  freed_bytes: Bytes,
  kept: z.int(),
})
export type CleanUp = z.output<typeof CleanUp>
export const CleanUpReport = z.extend(CleanUp, Judgement.shape)
export type CleanUpReport = z.output<typeof CleanUpReport>
