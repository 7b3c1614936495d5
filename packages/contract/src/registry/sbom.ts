import * as z from 'zod/mini'
import { Bytes, Time } from '../kernel/fields.ts'

/** So many packages of a list are kept; of the others only how many there are. */
export const mostPackages = 20_000

/** A list of the parts of an image (SBOM) that is attached to it. */
export const Sbom = z.object({
  /** Of the manifest that carries it. */
  digest: z.string(),
  format: z.enum(['spdx', 'cyclonedx']),
  format_version: z.string(),
  /** The tool that wrote it, as it says itself. */
  made_by: z.string(),
  packages: z.int(),
  bytes: Bytes,
  pushed_at: Time,
  pushed_by: z.string(),
})
export type Sbom = z.output<typeof Sbom>

export const Package = z.object({
  place: z.int(),
  name: z.string(),
  version: z.string(),
  /** Where it is from, as package URLs say it; empty where that is not known. */
  purl: z.string(),
  /** As the list says it; empty where it does not. */
  licence: z.string(),
})
export type Package = z.output<typeof Package>
