import * as z from 'zod/mini'
import { Bytes } from '../kernel/fields.ts'
import { Vulnerability } from './vulnerability.ts'

/** Null: it is not there. */
const Change = z.object({ name: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) })
export type Change = z.output<typeof Change>
const Layer = z.object({ digest: z.string(), bytes: Bytes, created_by: z.nullable(z.string()) })

/** What one image has that another has not, and the other way round. */
export const Comparison = z.object({
  /**
   * Of which platform they are compared, where one or both of them are of several; `compared` null: they have none in common, so that only their sizes can be.
   * Null: each is of one platform, and they are compared as they are.
   */
  platforms: z.nullable(
    z.object({
      compared: z.nullable(z.string()),
      both: z.array(z.string()),
      /** Those that only the one has, or only the other. */
      gone: z.array(z.string()),
      added: z.array(z.string()),
    })
  ),
  size_bytes: z.object({ before: Bytes, after: Bytes }),
  layers: z.object({ same: z.int(), gone: z.array(Layer), added: z.array(Layer) }),
  /** What a device that has the one pulls for the other, compressed. */
  pull_bytes: Bytes,
  config: z.array(Change),
  /** Null where one of them has no SBOM. The first 500 that differ. */
  packages: z.nullable(z.object({ same: z.int(), different: z.int(), items: z.array(Change) })),
  /** Known vulnerabilities, null where one of them has no SBOM or no advisories are loaded; the worst 200 of each. */
  vulnerabilities: z.nullable(z.object({ closed: z.array(Vulnerability), opened: z.array(Vulnerability) })),
})
export type Comparison = z.output<typeof Comparison>
